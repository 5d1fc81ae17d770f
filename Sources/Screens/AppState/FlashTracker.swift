public import MarketModel

/// Decides whether a value flashes (PT7, OB6).
///
/// A flash follows changes of the value, not messages, and never the first value of a screen.
public struct FlashTracker: Sendable, Equatable {
  /// Duration of a price flash (PT7).
  public static let priceMilliseconds: Int64 = 1000
  /// Duration of a new trade's flash (OB6).
  public static let tradeMilliseconds: Int64 = 200
  /// Changes within this time are one flash.
  public static let mergeMilliseconds: Int64 = 100

  private let durationMilliseconds: Int64
  private var lastCount: UInt64?
  private var startedAt: MonotonicTime?
  /// The direction of the change, for its colour; valid while ``isFlashing(at:)``.
  public private(set) var direction = Direction.unchanged

  /// Creates a tracker without a value.
  public init(durationMilliseconds: Int64 = FlashTracker.priceMilliseconds) {
    self.durationMilliseconds = durationMilliseconds
  }

  /// Applies a state's change count.
  ///
  /// The first count, a lower count (another source) and a value that is not in time do not flash.
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

  /// When the latest flash ends or ended; nil without one.
  public var endsAt: MonotonicTime? { startedAt?.adding(milliseconds: durationMilliseconds) }
}
