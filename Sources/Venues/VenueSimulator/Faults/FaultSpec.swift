public import MarketModel
import VenueCatalogue

/// Why a text is not a list of faults.
public struct FaultSpecError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One clear line: what was expected where.
  public let sentence: Sentence

  init(_ description: String) { sentence = Sentence(verbatim: description) }

  init(sentence: Sentence) { self.sentence = sentence }

  /// The English text.
  public var description: String { sentence.description }
}

/// A list of faults as text: `drop=2% for 5s, delay=300ms, gap=3@120`.
///
/// Parsing the text of a list gives the same list; a parsed text of this form is written unchanged.
public struct FaultSpec: Sendable, Equatable, CustomStringConvertible {
  /// The longest text, in bytes.
  public static let maximumBytes = 512
  /// The maximum faults in a list, and of a venue at a time.
  public static let maximumOrders = 16
  /// Durations of a fault, in milliseconds.
  public static let durations: ClosedRange<Int64> = 100...3_600_000
  /// Delays of messages, in milliseconds.
  public static let delays: ClosedRange<Int64> = 1...60_000
  /// The largest shift of a clock in either direction, in milliseconds.
  public static let maximumJump: Int64 = 86_400_000
  /// Rates of a flood, in messages per second.
  public static let floods = 1...100_000
  /// Durations of a flood, in milliseconds.
  public static let floodDurations: ClosedRange<Int64> = 100...60_000

  /// The faults, in order: the first that can affect a message does.
  public let orders: [FaultOrder]

  /// Creates a list.
  public init(_ orders: [FaultOrder]) { self.orders = orders }

  /// Parses a text; an empty one is an empty list.
  public init(_ text: String) throws(FaultSpecError) {
    guard text.utf8.count <= FaultSpec.maximumBytes else {
      throw FaultSpecError("expected at most \(FaultSpec.maximumBytes) bytes of faults")
    }
    let items = text.split(separator: ",", omittingEmptySubsequences: false)
    var orders: [FaultOrder] = []
    if items.count > 1 || !text.allSatisfy({ $0 == " " }) {
      for item in items { orders.append(try FaultReader(item).order()) }
    }
    guard orders.count <= FaultSpec.maximumOrders else {
      throw FaultSpecError(
        "expected at most \(FaultSpec.maximumOrders) faults, found \(orders.count)")
    }
    self.orders = orders
  }

  /// The names of a venue's possible faults, in the order of their explanations.
  public static func names(at venue: Venue) -> [String] {
    FaultReader.names.filter { obstacle(to: $0, at: venue) == nil }
  }

  /// Why a venue can't have these faults; nil when it can.
  public func problem(at venue: Venue) -> FaultSpecError? {
    for order in orders {
      if let obstacle = FaultSpec.obstacle(to: order.name, at: venue) {
        return FaultSpecError("\(order.name): \(obstacle)")
      }
    }
    return nil
  }

  private static let checksumVenues = Venue.allCases.filter {
    $0.descriptor.bookAssurance == .checksum
  }.map(\.rawValue).joined(separator: " or ")

  private static func obstacle(to name: String, at venue: Venue) -> String? {
    let facts = venue.descriptor
    switch name {
    case "checksum" where facts.bookAssurance != .checksum:
      return "\(venue) sends none, only \(checksumVenues) does"
    case "clock" where !facts.sendsTimes: return "there are no times in the messages of \(venue)"
    case "close" where facts.transport == .tcp:
      return "\(venue) is plain TCP, which has no close codes; use cut"
    default: return nil
    }
  }

  /// The text.
  public var description: String { orders.map(\.description).joined(separator: ", ") }
}

extension FaultOrder: CustomStringConvertible {
  /// One fault as ``FaultSpec`` parses it.
  public var description: String {
    what + (milliseconds.map { " for \(FaultOrder.time($0))" } ?? "")
  }

  /// Only its name, as in ``FaultSpec/names(at:)``.
  var name: String { String(what.prefix { !"=@*".contains($0) }) }

  private var what: String {
    switch kind {
    case .message(let fault, let reach): fault.name + FaultOrder.text(reach)
    case .gap(let messages, let from): "gap=\(messages)" + FaultOrder.place(from)
    case .delay(let milliseconds): "delay=\(FaultOrder.time(milliseconds))"
    case .stall(let after): "stall" + FaultOrder.place(after == 0 ? nil : after)
    case .halfOpen(let after): "half-open" + FaultOrder.place(after == 0 ? nil : after)
    case .refuse(let status, let count): "refuse=\(status)" + (count.map { "*\($0)" } ?? "")
    case .close(let code, let after): "close=\(code)" + FaultOrder.place(after)
    case .cut(let after): "cut" + FaultOrder.place(after)
    case .clock(let milliseconds):
      "clock=" + (milliseconds < 0 ? "-" : "+") + FaultOrder.time(abs(milliseconds))
    case .flood(let perSecond): "flood=\(perSecond)/s"
    }
  }

  private static func text(_ reach: Reach) -> String {
    switch reach {
    case .next: ""
    case .number(let number): "@\(number)"
    case .chance(let perMillion):
      "=\(FixedDecimal(units: perMillion, scale: Scale(clamping: 4)).trimmed)%"
    }
  }

  private static func place(_ number: Int?) -> String { number.map { "@\($0)" } ?? "" }

  private static func time(_ milliseconds: Int64) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}

extension FaultPlan.Fault {
  var name: String {
    switch self {
    case .drop: "drop"
    case .duplicate: "duplicate"
    case .reorder: "reorder"
    case .truncate: "truncate"
    case .corrupt: "corrupt"
    case .checksum: "checksum"
    case .delay: "delay"
    }
  }
}
