/// Derives when a stream is late or stale: after three, and twelve, times the median message gap.
///
/// A lower bound keeps a burst from making every pause late.
public struct CadenceTracker: Sendable, Equatable {
  static let window = 31
  /// Stale is this many times the silence of late.
  public static let staleFactor: Int64 = 4

  /// The shortest silence that counts as late, in milliseconds.
  public let minimumLateMilliseconds: Int64
  /// Silence that counts as late until a rhythm is established, in milliseconds.
  public let initialLateMilliseconds: Int64

  private var gapsMilliseconds: [Int64] = []
  private var next = 0
  private var lateAfter: Int64
  /// When the latest message came; nil before the first.
  public private(set) var last: ClockReading?

  /// Creates a tracker for a stream with a message about every `expectedGapMilliseconds`.
  public init(expectedGapMilliseconds: Int64, minimumLateMilliseconds: Int64 = 1500) {
    self.minimumLateMilliseconds = minimumLateMilliseconds
    initialLateMilliseconds = max(minimumLateMilliseconds, 3 * expectedGapMilliseconds)
    lateAfter = initialLateMilliseconds
  }

  /// Whether enough gaps, five, were seen to establish a rhythm.
  public var hasRhythm: Bool { gapsMilliseconds.count >= 5 }

  /// Silence after which the stream is late, in milliseconds.
  public var lateAfterMilliseconds: Int64 { lateAfter }

  /// Silence after which the stream is stale, in milliseconds.
  public var staleAfterMilliseconds: Int64 { CadenceTracker.staleFactor * lateAfter }

  /// Records a message; O(window²) on every eighth call, later twice a window, else O(1).
  public mutating func record(_ now: ClockReading) {
    if let last {
      let gap = max(0, now.monotonic.milliseconds(since: last.monotonic))
      add(gap)
    }
    last = now
  }

  private mutating func add(_ gap: Int64) {
    if gapsMilliseconds.count < CadenceTracker.window {
      gapsMilliseconds.append(gap)
      next = gapsMilliseconds.count % CadenceTracker.window
      if gapsMilliseconds.count % 8 == 5 { learn() }
    } else {
      gapsMilliseconds[next] = gap
      next = next == CadenceTracker.window - 1 ? 0 : next + 1
      if next % 16 == 5 { learn() }
    }
  }

  private mutating func learn() { lateAfter = max(minimumLateMilliseconds, 3 * median) }

  private var median: Int64 {
    let middle = gapsMilliseconds.count / 2
    for gap in gapsMilliseconds {
      var (shorter, equal) = (0, 0)
      for other in gapsMilliseconds {
        shorter += other < gap ? 1 : 0
        equal += other == gap ? 1 : 0
      }
      if shorter <= middle, middle < shorter + equal { return gap }
    }
    return 0
  }

  /// Drops the last message but keeps the rhythm, for a reconnect, whose gap is meaningless.
  public mutating func restart() { last = nil }

  /// Live, late or stale by age; waiting before the first message.
  public func state(at now: ClockReading) -> FreshnessState {
    guard let last else { return .waiting }
    let age = now.monotonic.milliseconds(since: last.monotonic)
    if age <= lateAfterMilliseconds { return .live }
    return age <= staleAfterMilliseconds ? .late : .stale
  }
}
