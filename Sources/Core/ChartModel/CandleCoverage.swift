// How much of a candle's span is vouched for: what a chart needs to know before it may call the
// first price of a candle its open.

public import MarketModel

/// What of a candle's span nobody vouches for.
public struct CandleCoverage: Hashable, Sendable {
  /// Milliseconds of the span, 0 for a candle that is whole.
  public let missing: Int64
  /// From when on the span was seen, milliseconds since 1970; nil for a candle that is whole, and
  /// where more is missing than its beginning.
  public let since: Int64?

  /// Whether all of the span is vouched for, as far as time has come.
  public var isWhole: Bool { missing == 0 }
}

extension CandleInterval {
  /// Whether candles of this length stand for all times, those without a trade as well.
  ///
  /// Of seconds only those with a tick are kept.
  var isOfHistory: Bool { rawValue >= CandleInterval.minute.rawValue }
}

extension CandleSeries {
  /// How far a beginning that was missed may differ from what is missing, milliseconds.
  private static let tolerance: Int64 = 1000

  /// What is missing of one of the candles of an interval.
  ///
  /// O(log candles), and the candles inside the interruptions that lie in the span.
  public func coverage(of candle: Candle, _ interval: CandleInterval) -> CandleCoverage {
    self.interval.isOfHistory
      ? historyCoverage(of: candle, interval) : presenceCoverage(of: candle, interval)
  }

  /// Candles of seconds: a span is seen in part when the series began within it, or when an
  /// interruption lies in it.
  ///
  /// Those of one second are taken as they come: nothing finer is known of them.
  private func presenceCoverage(
    of candle: Candle, _ interval: CandleInterval
  ) -> CandleCoverage {
    let start = candle.start
    let end = start + interval.milliseconds
    var missing = Int64(candle.missing)
    guard interval != .second else { return CandleCoverage(missing: missing, since: nil) }
    var since: Int64?
    if let seenSince, seenSince > start {
      since = seenSince
      missing += min(seenSince, end) - start
    }
    forEachGap(from: since ?? start, to: end) { left, right, gap in
      missing += right - left
      since = max(since ?? gap.end, gap.end)
    }
    guard missing > 0 else { return CandleCoverage(missing: 0, since: nil) }
    return CandleCoverage(missing: min(missing, end - start), since: since)
  }

  private func historyCoverage(
    of candle: Candle, _ interval: CandleInterval
  ) -> CandleCoverage {
    let end = candle.start + interval.milliseconds
    var holes = CandleHoles()
    forEachGap(from: candle.start, to: end) { left, right, _ in
      note(from: left, to: right, in: &holes)
    }
    let missing = Int64(candle.missing) + holes.missing { candles[$0] }
    guard missing > 0 else { return CandleCoverage(missing: 0, since: nil) }
    let since = began(candle, interval).flatMap {
      abs($0 - candle.start - missing) <= CandleSeries.tolerance ? $0 : nil
    }
    return CandleCoverage(missing: min(missing, interval.milliseconds), since: since)
  }

  /// From when on a candle of a history may have been seen; nil when nothing tells.
  private func began(_ candle: Candle, _ interval: CandleInterval) -> Int64? {
    if let seenSince, seenSince > candle.start,
      seenSince < candle.start + interval.milliseconds
    {
      return seenSince
    }
    guard interval != self.interval else { return nil }
    let first = candles.firstIndex(notBefore: candle.start, of: self.interval)
    guard first < candles.count else { return nil }
    return candles[first].start + Int64(candles[first].missing)
  }

  /// Notes an interruption with the candles that do not have the venue's word for it.
  private func note(from left: Int64, to right: Int64, in holes: inout CandleHoles) {
    let length = interval.milliseconds
    var index = candles.firstIndex(notBefore: interval.start(of: left), of: interval)
    while index < candles.count, candles[index].start < right {
      let candle = candles[index]
      if candle.source != .venue, candle.proof != .proven {
        holes.add(min(right, candle.start + length) - max(left, candle.start), at: index)
      }
      index += 1
    }
    // Behind the last candle nothing was taken as missing yet.
    if let last = candles.last { holes.behind += max(0, right - max(left, last.start + length)) }
  }

  /// Hands over the part of each interruption inside a span, and the interruption.
  private func forEachGap(
    from start: Int64, to end: Int64, _ body: (Int64, Int64, SeriesGap) -> Void
  ) {
    var index = firstGap(endingAfter: start)
    while index < gaps.count, gaps[index].start < end {
      let (left, right) = (max(start, gaps[index].start), min(end, gaps[index].end))
      if right > left { body(left, right, gaps[index]) }
      index += 1
    }
  }

  /// Whether an interruption ended at or after one time and began before another.
  func hasGap(endingFrom end: Int64, startingBefore start: Int64) -> Bool {
    let index = firstGap(endingAfter: end - 1)
    return index < gaps.count && gaps[index].start < start
  }

  /// The parts of interruptions inside a span of time.
  func gaps(from start: Int64, to end: Int64) -> [SeriesGap] {
    var found: [SeriesGap] = []
    forEachGap(from: start, to: end) { left, right, _ in
      found.append(SeriesGap(start: left, end: right))
    }
    return found
  }

  private func firstGap(endingAfter time: Int64) -> Int {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].end > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The interruptions within a span, by candle.
private struct CandleHoles {
  /// Milliseconds after the last candle.
  var behind: Int64 = 0
  private var places: [(index: Int, milliseconds: Int64)] = []

  /// Adds a part of a candle; in the order of time.
  mutating func add(_ milliseconds: Int64, at index: Int) {
    if let last = places.last, last.index == index {
      places[places.count - 1].milliseconds += milliseconds
    } else {
      places.append((index, milliseconds))
    }
  }

  /// What is missing beside that which the candles say themselves: they know of interruptions, too.
  func missing(beyond candle: (Int) -> Candle) -> Int64 {
    places.reduce(behind) { sum, place in
      sum + max(0, place.milliseconds - Int64(candle(place.index).missing))
    }
  }
}
