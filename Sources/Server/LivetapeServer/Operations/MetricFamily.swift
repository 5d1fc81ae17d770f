enum MetricNumber: Equatable, Sendable {
  /// A count, bytes, or 0 and 1.
  case integer(Int64)
  /// Written as seconds.
  case nanoseconds(Int64)
  /// From a metrics API; never a price.
  case real(Double)
  case none

  /// Clamps counts that exceed the format's integers.
  static func count(_ value: some BinaryInteger) -> MetricNumber {
    .integer(Int64(clamping: value))
  }

  static func flag(_ value: Bool) -> MetricNumber { .integer(value ? 1 : 0) }

  /// Milliseconds, written as seconds.
  static func milliseconds(_ value: Int64) -> MetricNumber {
    .nanoseconds(value.multipliedReportingOverflow(by: 1_000_000).partialValue)
  }

  /// The number in Prometheus text format: decimal digits, `NaN`, `+Inf` or `-Inf`.
  var text: String {
    switch self {
    case .integer(let value): String(value)
    case .nanoseconds(let value): MetricNumber.seconds(value)
    case .real(let value) where value.isNaN: "NaN"
    case .real(let value) where value.isInfinite: value < 0 ? "-Inf" : "+Inf"
    case .real(let value): "\(value)"
    case .none: "NaN"
    }
  }

  /// "0.25" for a quarter of 10⁹ nanoseconds.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sign = nanoseconds < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}

struct MetricSample: Equatable, Sendable {
  /// The suffix of the family's name: "_sum" and "_count" of a summary.
  var suffix = ""
  var labels: [Label] = []
  let value: MetricNumber

  /// A label; longer values are cut at ``MetricText/maximumLabel``.
  struct Label: Equatable, Sendable {
    let name: String
    let value: String
  }

  init(_ value: MetricNumber, suffix: String = "", _ labels: (String, String)...) {
    self.value = value
    self.suffix = suffix
    self.labels = labels.map { Label(name: $0.0, value: $0.1) }
  }
}

struct MetricFamily: Equatable, Sendable {
  enum Kind: String, Sendable {
    case counter, gauge, summary
  }

  let name: String
  let kind: Kind
  let help: String
  var samples: [MetricSample] = []
}

/// Families in Prometheus text format 0.0.4.
struct MetricText {
  /// The maximum length of a label's value in Unicode scalars; longer ones are cut.
  static let maximumLabel = 64
  /// The maximum number of samples of a family; others are omitted.
  static let maximumSamples = 512

  private(set) var text = ""

  /// Writes a family with its help and kind, even without samples.
  mutating func add(_ family: MetricFamily) {
    let help = MetricText.escaped(family.help, quotes: false)
    text += "# HELP \(family.name) \(help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
    for sample in family.samples.prefix(MetricText.maximumSamples) {
      let labels = sample.labels.map { label in
        let value = String(
          String.UnicodeScalarView(label.value.unicodeScalars.prefix(MetricText.maximumLabel)))
        return "\(label.name)=\"\(MetricText.escaped(value, quotes: true))\""
      }
      let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      text += "\(family.name)\(sample.suffix)\(list) \(sample.value.text)\n"
    }
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
