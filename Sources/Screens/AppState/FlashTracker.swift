// PT7, OB6: which value has changed just now. A flash follows changes of a value, not messages, and
// never the first value that a screen shows.

public import MarketModel

/// Decides what flashes, and for how long.
public struct FlashTracker: Sendable, Equatable {
  /// A price row flashes this long (PT7).
  public static let priceMilliseconds: Int64 = 1000
  /// A new trade's row flashes this long (OB6).
  public static let tradeMilliseconds: Int64 = 200
  /// Changes this close together are one flash.
  public static let mergeMilliseconds: Int64 = 100

  private let durationMilliseconds: Int64
  private var lastCount: UInt64?
  private var startedAt: MonotonicTime?
  /// Where the value went, for the colour; meaningful while ``isFlashing(at:)``.
  public private(set) var direction = Direction.unchanged

  /// Makes a tracker that has seen nothing.
  public init(durationMilliseconds: Int64 = FlashTracker.priceMilliseconds) {
    self.durationMilliseconds = durationMilliseconds
  }

  /// Takes a state's count of changes.
  ///
  /// The first count, a count that fell (another source), and a
  /// value that is not in time do not flash.
  public mutating func update(
    changes: UInt64, direction: Direction, freshness: FreshnessState, at now: ClockReading
  ) {
    let before = lastCount
    lastCount = changes
    guard freshness.showsMovement else {
      startedAt = nil
      return
    }
    guard let before, changes > before, direction != .unchanged else { return }
    if let startedAt, direction == self.direction,
      now.monotonic.milliseconds(since: startedAt) < FlashTracker.mergeMilliseconds
    {
      return
    }
    self.direction = direction
    startedAt = now.monotonic
  }

  /// Whether the flash is on.
  public func isFlashing(at now: ClockReading) -> Bool {
    guard let startedAt else { return false }
    return now.monotonic.milliseconds(since: startedAt) < durationMilliseconds
  }

  /// When the flash that is on will be off, or was off; nil without one.
  public var endsAt: MonotonicTime? { startedAt?.adding(milliseconds: durationMilliseconds) }
}
