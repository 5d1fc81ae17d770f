// Cash and what is owned, over time: a bounded row of points, thinned where it grows too long.

public import MarketModel

/// What all was worth at a moment.
public struct EquityPoint: Hashable, Sendable {
  /// At which price it was counted.
  public enum Kind: Hashable, Sendable {
    /// At that of a fill.
    case fill
    /// At that at which one could get out.
    case minute
  }

  /// When.
  public let time: Timestamp
  /// Cash and what the position was worth, in price units × quantity units.
  public let equity: WideInteger
  /// At which price the position was counted.
  public let kind: Kind

  /// Notes a worth.
  public init(time: Timestamp, equity: WideInteger, kind: Kind) {
    self.time = time
    self.equity = equity
    self.kind = kind
  }
}

/// Points in order of time, at most ``maximumPoints``.
public struct EquityLine: Hashable, Sendable {
  /// The most points.
  public static let maximumPoints = 240

  /// Oldest first.
  public private(set) var points: [EquityPoint] = []

  /// Starts without points.
  public init() {}

  /// The latest point; nil when there is none.
  public var latest: EquityPoint? { points.last }

  /// Adds a point; when there are too many, every second one but the first goes.
  ///
  /// O(1) on average.
  public mutating func add(_ point: EquityPoint) {
    points.append(point)
    guard points.count > EquityLine.maximumPoints else { return }
    let last = points.count - 1
    points = points.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
  }

  /// Adds a point unless there is one of the same minute.
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
