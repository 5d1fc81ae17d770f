// What one stream said of a price of late, so that another stream that is ahead or behind can be
// compared with it.

/// The latest values of a price as one stream told them, and the stream's rhythm.
struct ToldPrices: Sendable, Equatable {
  /// Values kept; the oldest go first.
  static let maximumCount = 256
  /// What comes within this time is one word of the stream, in milliseconds: a burst says nothing
  /// of its rhythm.
  static let burstMilliseconds: Int64 = 100

  /// The rhythm to expect before one is known, in milliseconds: that of the slowest summaries.
  static let expectedGapMilliseconds: Int64 = 5000

  private struct Value: Equatable {
    /// Nil: there is no such price.
    let units: Int64?
    let since: MonotonicTime
  }

  private var values: [Value] = []
  /// When the latest value that is not kept any more was replaced.
  private var forgottenTo: MonotonicTime?
  private var cadence = CadenceTracker(
    expectedGapMilliseconds: ToldPrices.expectedGapMilliseconds)

  /// Whether the stream has said anything.
  var isKnown: Bool { !values.isEmpty }
  /// What it said last.
  var latest: Int64? { values.last?.units }
  /// How long silence of the stream explains that it says something else, in milliseconds.
  var lateAfterMilliseconds: Int64 { cadence.lateAfterMilliseconds }

  /// Notes what the stream says; true when it is something else than before.
  ///
  /// O(1) on the average.
  mutating func note(_ units: Int64?, at now: ClockReading) -> Bool {
    let gap = cadence.last.map { now.monotonic.milliseconds(since: $0.monotonic) }
    if gap ?? .max >= Self.burstMilliseconds { cadence.record(now) }
    if let last = values.last, last.units == units { return false }
    values.append(Value(units: units, since: now.monotonic))
    // Half at once, so that forgetting costs little.
    if values.count > Self.maximumCount {
      values.removeFirst(Self.maximumCount / 2)
      forgottenTo = values[0].since
    }
    return true
  }

  /// Whether the stream said this at any time from `earliest` on; nil where that is not known.
  ///
  /// O(values since then).
  func said(_ units: Int64?, since earliest: MonotonicTime) -> Bool? {
    var index = values.count - 1
    while index >= 0 {
      if values[index].units == units { return true }
      // What came before this one ended where this one begins.
      if values[index].since < earliest { return false }
      index -= 1
    }
    return forgottenTo.map { $0 < earliest } ?? true ? false : nil
  }

  /// Forgets what was said, not the rhythm.
  mutating func forget() {
    values.removeAll(keepingCapacity: true)
    forgottenTo = nil
    cadence.restart()
  }
}
