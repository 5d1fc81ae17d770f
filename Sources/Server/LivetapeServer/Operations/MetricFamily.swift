// Figures as Prometheus reads them (text format 0.0.4).

/// The value of a sample.
enum MetricNumber: Equatable, Sendable {
  /// A count, bytes, or 0 and 1.
  case integer(Int64)
  /// Written as seconds.
  case nanoseconds(Int64)
  /// What a metrics API hands over as such; never a price.
  case real(Double)
  /// Nothing was measured.
  case none

  /// A count that is too large for the format's integers stays at the largest.
  static func count(_ value: some BinaryInteger) -> MetricNumber {
    .integer(Int64(clamping: value))
  }

  /// Whether something was or was not so.
  static func flag(_ value: Bool) -> MetricNumber { .integer(value ? 1 : 0) }

  /// Milliseconds, written as seconds.
  static func milliseconds(_ value: Int64) -> MetricNumber {
    .nanoseconds(value.multipliedReportingOverflow(by: 1_000_000).partialValue)
  }

  /// The number as Prometheus reads it: decimal digits, `NaN`, `+Inf` or `-Inf`.
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

/// One value of a family.
struct MetricSample: Equatable, Sendable {
  /// What the family's name goes on with: "_sum" and "_count" of a summary.
  var suffix = ""
  /// Names and values, in order.
  var labels: [Label] = []
  let value: MetricNumber

  /// A label; values are written within ``MetricText/maximumLabel``.
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

/// All values of one name.
struct MetricFamily: Equatable, Sendable {
  /// What a value may do over time.
  enum Kind: String, Sendable {
    case counter, gauge, summary
  }

  let name: String
  let kind: Kind
  let help: String
  var samples: [MetricSample] = []
}

/// The text of families.
struct MetricText {
  /// The longest value of a label, in Unicode scalars; a longer one loses its end.
  static let maximumLabel = 64
  /// The most samples of one family; the rest are left out.
  static let maximumSamples = 512

  /// What was written so far.
  private(set) var text = ""

  /// Writes a family with its help and kind, also one without any sample.
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

  /// Backslashes and line feeds as the format wants them, and quotes in a label's value.
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
