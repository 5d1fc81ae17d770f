// Ticks gathered into candles, with the times when nothing could be heard.

public import MarketModel

/// A stretch of time in which the feed was interrupted.
public struct SeriesGap: Hashable, Sendable {
  /// Start, milliseconds since 1970.
  public let start: Int64
  /// End, milliseconds since 1970; never before the start.
  public let end: Int64

  /// Makes a gap; an end before the start becomes the start.
  public init(start: Int64, end: Int64) {
    self.start = start
    self.end = max(start, end)
  }
}

/// One instrument's candles, from the finest interval that is known to the coarsest.
public struct CandleSeries: Sendable {
  /// The most candles kept; ticks after that are not taken, which a host avoids by starting anew.
  public static let maximumCandles = 4_000_000
  /// The most gaps kept; the oldest go first.
  public static let maximumGaps = 256
  /// Times further from 1970 than this (about 31,700 years) are not times.
  public static let maximumTime: Int64 = 1_000_000_000_000_000

  /// The length of the finest candle.
  public let interval: CandleInterval
  /// The candles.
  public private(set) var candles: CandlePyramid
  /// Interruptions in the order of time, none touching another.
  public private(set) var gaps: [SeriesGap] = []
  /// From when on everything was seen, but for the ``gaps``, milliseconds since 1970.
  ///
  /// Nil before the first tick.
  public private(set) var seenSince: Int64?
  /// Ticks whose time was before the last candle: a clock that stepped back, or a late message.
  public private(set) var lateTicks = 0
  /// The price that arrived last, whatever its time; nil before the first.
  public private(set) var latestPrice: Price?
  /// Whether the price that was different before ``latestPrice`` was lower; true without any.
  public private(set) var lastMoveIsUp = true

  /// An empty series.
  public init(interval: CandleInterval) {
    self.interval = interval
    candles = CandlePyramid(interval: interval)
  }

  /// Takes a tick; false when nothing could be done with it.
  ///
  /// A tick of an earlier candle widens that candle and never moves the close; one whose candle
  /// does not exist is counted in ``lateTicks`` and dropped, so a clock that steps back can't
  /// rewrite the past. All intervals take the same ticks, so they always agree.
  @discardableResult
  public mutating func add(_ price: Price, volume: Quantity, at milliseconds: Int64) -> Bool {
    guard milliseconds.magnitude <= CandleSeries.maximumTime.magnitude else { return false }
    let start = interval.start(of: milliseconds)
    if seenSince == nil, candles.count == 0 { seenSince = milliseconds }
    guard let last = candles.last, start <= last.start else {
      guard candles.count < CandleSeries.maximumCandles else { return false }
      follow(price)
      candles.append(Candle(start: start, price: price, volume: volume))
      return true
    }
    follow(price)
    if start == last.start {
      candles.addToLast(price, volume: volume)
      return true
    }
    lateTicks += 1
    return candles.widen(startingAt: start, price, volume: volume)
  }

  /// Takes a finished candle of a history; false when it does not start after the last one.
  public mutating func append(_ candle: Candle) -> Bool {
    append(count: 1) { _ in candle } == 1
  }

  /// Takes finished candles of a history, `next(0)` to `next(count - 1)`, in the order of time, and
  /// returns how many: those that are nil, unsound or not after the one before are left out.
  public mutating func append(count: Int, _ next: (Int) -> Candle?) -> Int {
    let before = candles.count
    let interval = interval
    let room = min(max(0, count), CandleSeries.maximumCandles - before)
    candles.append(count: room) { index, last in
      guard let candle = next(index), CandleSeries.isSound(candle),
        last.map({ $0.start < candle.start }) ?? true,
        interval.start(of: candle.start) == candle.start
      else { return nil }
      return candle
    }
    if candles.count > before, let last = candles.last {
      latestPrice = last.open
      follow(last.close)
    }
    return candles.count - before
  }

  /// Says from when on everything was seen, where that is not the first tick.
  public mutating func note(seenSince time: Int64) { seenSince = time }

  /// Since when a span was seen that was not seen whole; nil for one that was.
  ///
  /// A span is seen in part when the series began within it, or when an interruption lies in it.
  /// Candles of the series' own interval are taken as whole: nothing finer is known of them.
  /// O(log gaps), and the gaps in the span.
  public func seenInPart(from start: Int64, of interval: CandleInterval) -> Int64? {
    guard interval.rawValue > self.interval.rawValue else { return nil }
    let end = start + interval.milliseconds
    var since: Int64?
    if let seenSince, seenSince > start { since = seenSince }
    var index = firstGap(endingAfter: start)
    while index < gaps.count, gaps[index].start < end {
      since = max(since ?? gaps[index].end, gaps[index].end)
      index += 1
    }
    return since
  }

  private func firstGap(endingAfter time: Int64) -> Int {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].end > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private mutating func follow(_ price: Price) {
    if let latestPrice, price != latestPrice { lastMoveIsUp = price > latestPrice }
    latestPrice = price
  }

  /// Makes room for a history, so that taking it moves nothing.
  public mutating func reserve(_ more: Int) {
    candles.reserve(min(max(0, more), CandleSeries.maximumCandles - candles.count))
  }

  /// Notes an interruption; those that touch become one.
  public mutating func note(_ gap: SeriesGap) {
    var joined = gap
    var kept: [SeriesGap] = []
    for other in gaps where other.end < joined.start { kept.append(other) }
    for other in gaps where other.end >= gap.start && other.start <= gap.end {
      joined = SeriesGap(start: min(joined.start, other.start), end: max(joined.end, other.end))
    }
    kept.append(joined)
    for other in gaps where other.start > joined.end { kept.append(other) }
    if kept.count > CandleSeries.maximumGaps { kept.removeFirst() }
    gaps = kept
  }

  /// A time that can be, open and close between low and high, a size that is none or more.
  private static func isSound(_ candle: Candle) -> Bool {
    candle.start.magnitude <= CandleSeries.maximumTime.magnitude && candle.low <= candle.open
      && candle.open <= candle.high && candle.low <= candle.close
      && candle.close <= candle.high && candle.volume >= .zero
  }
}
