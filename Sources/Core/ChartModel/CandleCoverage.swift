public import MarketModel

/// How much of a candle's span has no data; without its beginning, the first price is not the open.
public struct CandleCoverage: Hashable, Sendable {
  /// Milliseconds without data, 0 for a complete candle.
  public let missing: Int64
  /// The start of the data, milliseconds since 1970; nil unless only the beginning is missing.
  public let since: Int64?

  /// Whether the span is complete up to now.
  public var isWhole: Bool { missing == 0 }
}

extension CandleInterval {
  /// Whether candles cover all times; seconds are stored only if they have a tick.
  var isOfHistory: Bool { rawValue >= CandleInterval.minute.rawValue }
}

extension CandleSeries {
  /// Allowed difference between a missing beginning and the total missing time, in milliseconds.
  private static let tolerance: Int64 = 1000

  /// The coverage of a candle of an interval.
  ///
  /// O(log candles), plus the candles inside the gaps that overlap the span.
  public func coverage(of candle: Candle, _ interval: CandleInterval) -> CandleCoverage {
    self.interval.isOfHistory
      ? historyCoverage(of: candle, interval) : presenceCoverage(of: candle, interval)
  }

  /// Partial when the series began within the span or a gap overlaps it; a second counts as it is.
  private func presenceCoverage(of candle: Candle, _ interval: CandleInterval) -> CandleCoverage {
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

  private func historyCoverage(of candle: Candle, _ interval: CandleInterval) -> CandleCoverage {
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

  /// Records a gap, except in candles that the venue gave or confirmed.
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
    // Behind the last candle nothing has been counted as missing yet.
    if let last = candles.last { holes.behind += max(0, right - max(left, last.start + length)) }
  }

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

  /// Whether a gap ended at or after `end` and began before `start`.
  func hasGap(endingFrom end: Int64, startingBefore start: Int64) -> Bool {
    let index = firstGap(endingAfter: end - 1)
    return index < gaps.count && gaps[index].start < start
  }

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

private struct CandleHoles {
  /// Milliseconds after the last candle.
  var behind: Int64 = 0
  private var places: [(index: Int, milliseconds: Int64)] = []

  mutating func add(_ milliseconds: Int64, at index: Int) {
    if let last = places.last, last.index == index {
      places[places.count - 1].milliseconds += milliseconds
    } else {
      places.append((index, milliseconds))
    }
  }

  /// The missing time beyond ``Candle/missing``, which may already include the gaps.
  func missing(beyond candle: (Int) -> Candle) -> Int64 {
    places.reduce(behind) { sum, place in
      sum + max(0, place.milliseconds - Int64(candle(place.index).missing))
    }
  }
}
