public import MarketModel

/// The equity at a moment.
public struct EquityPoint: Hashable, Sendable {
  /// The price used to value the position.
  public enum Kind: Hashable, Sendable {
    /// The price of a fill.
    case fill
    /// The exit price.
    case minute
  }

  /// The time.
  public let time: Timestamp
  /// Cash plus the value of the position, in price units × quantity units.
  public let equity: WideInteger
  /// The price used to value the position.
  public let kind: Kind

  /// Creates a point.
  public init(time: Timestamp, equity: WideInteger, kind: Kind) {
    self.time = time
    self.equity = equity
    self.kind = kind
  }
}

/// Equity over time, oldest first, at most ``maximumPoints`` points.
public struct EquityLine: Hashable, Sendable {
  /// The maximum number of points.
  public static let maximumPoints = 240

  /// Oldest first.
  public private(set) var points: [EquityPoint] = []

  /// Creates an empty line.
  public init() {}

  /// The latest point; nil if empty.
  public var latest: EquityPoint? { points.last }

  /// Adds a point; beyond the maximum, drops every second one except the first and last.
  ///
  /// O(1) on average.
  public mutating func add(_ point: EquityPoint) {
    points.append(point)
    guard points.count > EquityLine.maximumPoints else { return }
    let last = points.count - 1
    points = points.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
  }

  /// Adds a point unless the latest is of the same or a later minute.
  public mutating func add(minute point: EquityPoint) {
    guard latest.map({ EquityLine.minute(of: $0) < EquityLine.minute(of: point) }) ?? true else {
      return
    }
    add(point)
  }

  private static func minute(of point: EquityPoint) -> Int64 {
    point.time.nanoseconds / 60_000_000_000
  }
}
