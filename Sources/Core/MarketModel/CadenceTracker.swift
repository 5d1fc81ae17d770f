// "Late" is judged by a stream's own rhythm, not by a constant: three times its median gap, within
// bounds that keep a burst from calling a pause late.

/// Learns the gaps between a stream's messages and says when it is late or stale.
public struct CadenceTracker: Sendable, Equatable {
  /// Gaps remembered.
  static let window = 31
  /// How many times as long as a late stream's silence a stale one's is.
  public static let staleFactor: Int64 = 4

  /// The shortest silence that counts as late, in milliseconds.
  public let minimumLateMilliseconds: Int64
  /// Silence that counts as late before a rhythm is known, in milliseconds.
  public let initialLateMilliseconds: Int64

  private var gapsMilliseconds: [Int64] = []
  private var next = 0
  private var lateAfter: Int64
  /// When the latest message came; nil before the first.
  public private(set) var last: ClockReading?

  /// Makes a tracker for a stream that is expected to speak about every `expectedGapMilliseconds`.
  public init(expectedGapMilliseconds: Int64, minimumLateMilliseconds: Int64 = 1500) {
    self.minimumLateMilliseconds = minimumLateMilliseconds
    initialLateMilliseconds = max(minimumLateMilliseconds, 3 * expectedGapMilliseconds)
    lateAfter = initialLateMilliseconds
  }

  /// Whether enough gaps were seen to know the stream's own rhythm.
  public var hasRhythm: Bool { gapsMilliseconds.count >= 5 }

  /// Silence after which the stream is late, in milliseconds.
  public var lateAfterMilliseconds: Int64 { lateAfter }

  /// Silence after which the stream is stale, in milliseconds.
  public var staleAfterMilliseconds: Int64 { CadenceTracker.staleFactor * lateAfter }

  /// Notes a message.
  ///
  /// Gaps before the fifth are not judged yet. O(window²) every eighth.
  public mutating func record(_ now: ClockReading) {
    if let last {
      let gap = max(0, now.monotonic.milliseconds(since: last.monotonic))
      if gapsMilliseconds.count < CadenceTracker.window {
        gapsMilliseconds.append(gap)
      } else {
        gapsMilliseconds[next % CadenceTracker.window] = gap
      }
      next &+= 1
      if gapsMilliseconds.count >= 5, next % 8 == 5 {
        lateAfter = max(minimumLateMilliseconds, 3 * median)
      }
    }
    last = now
  }

  /// The gap in the middle, found without a copy of them: half the gaps are shorter, at most.
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

  /// Forgets the last message but keeps the rhythm: for a reconnect, whose gap means nothing.
  public mutating func restart() { last = nil }

  /// Live, late or stale by age; waiting before the first message.
  public func state(at now: ClockReading) -> FreshnessState {
    guard let last else { return .waiting }
    let age = now.monotonic.milliseconds(since: last.monotonic)
    if age <= lateAfterMilliseconds { return .live }
    return age <= staleAfterMilliseconds ? .late : .stale
  }
}
