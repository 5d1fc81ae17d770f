/// One stream's latest prices and rhythm, for comparison with a stream that is ahead or behind.
struct ToldPrices: Sendable, Equatable {
  static let maximumCount = 256
  /// Messages within this many milliseconds count as one, so a burst does not distort the rhythm.
  static let burstMilliseconds: Int64 = 100

  /// The gap to expect until a rhythm is established, in milliseconds: that of the slowest tickers.
  static let expectedGapMilliseconds: Int64 = 5000

  private struct Value: Equatable {
    /// Nil when there is no such price.
    let units: Int64?
    let since: MonotonicTime
  }

  private var values: [Value] = []
  /// When the latest dropped value was replaced.
  private var forgottenTo: MonotonicTime?
  private var cadence = CadenceTracker(expectedGapMilliseconds: ToldPrices.expectedGapMilliseconds)

  var isKnown: Bool { !values.isEmpty }
  var latest: Int64? { values.last?.units }
  /// The silence that may explain a different price, in milliseconds.
  var lateAfterMilliseconds: Int64 { cadence.lateAfterMilliseconds }

  /// Records a price; true when it differs from the previous one.
  ///
  /// Amortised O(1).
  mutating func note(_ units: Int64?, at now: ClockReading) -> Bool {
    let gap = cadence.last.map { now.monotonic.milliseconds(since: $0.monotonic) }
    if gap ?? .max >= Self.burstMilliseconds { cadence.record(now) }
    if let last = values.last, last.units == units { return false }
    values.append(Value(units: units, since: now.monotonic))
    if values.count > Self.maximumCount {
      values.removeFirst(Self.maximumCount / 2)
      forgottenTo = values[0].since
    }
    return true
  }

  /// Whether the stream reported this price since `earliest`, O(values since); nil if unavailable.
  func said(_ units: Int64?, since earliest: MonotonicTime) -> Bool? {
    var index = values.count - 1
    while index >= 0 {
      if values[index].units == units { return true }
      // The previous value ended where this one begins.
      if values[index].since < earliest { return false }
      index -= 1
    }
    return forgottenTo.map { $0 < earliest } ?? true ? false : nil
  }

  mutating func forget() {
    values.removeAll(keepingCapacity: true)
    forgottenTo = nil
    cadence.restart()
  }
}
