public import MarketModel

/// A time span in which the feed was interrupted.
public struct SeriesGap: Hashable, Sendable {
  /// Start, milliseconds since 1970.
  public let start: Int64
  /// End, milliseconds since 1970; never before the start.
  public let end: Int64

  /// Creates a gap; an end before the start becomes the start.
  public init(start: Int64, end: Int64) {
    self.start = start
    self.end = max(start, end)
  }
}

/// One instrument's candles and the feed's gaps.
///
/// Below a minute, an absent candle is a time without ticks unless it is in ``gaps``. From a minute
/// on, the series is a history, where an absent candle means unknown data.
public struct CandleSeries: Sendable {
  /// The most candles; ticks beyond it are rejected, so hosts restart the series before.
  public static let maximumCandles = 4_000_000
  /// The most gaps; the oldest are dropped first.
  public static let maximumGaps = 256
  /// The most empty candles inserted before a tick; a longer silence leaves a hole.
  static let maximumSilence: Int64 = 10_000
  /// The limit of valid times, in milliseconds before or after 1970: about 31,700 years.
  public static let maximumTime: Int64 = 1_000_000_000_000_000

  /// The length of the finest candle.
  public let interval: CandleInterval
  /// The candles.
  public private(set) var candles: CandlePyramid
  /// Gaps in time order, none touching another.
  public private(set) var gaps: [SeriesGap] = []
  /// Since when all except ``gaps`` was seen, milliseconds since 1970; nil before the first tick.
  public private(set) var seenSince: Int64?
  /// Ticks timed before the last candle, because of a clock step or a late message.
  public private(set) var lateTicks = 0
  /// The latest price by arrival, whatever its time; nil before the first.
  public private(set) var latestPrice: Price?
  /// Whether the latest price change was up; true before any.
  public private(set) var lastMoveIsUp = true

  /// Creates an empty series.
  public init(interval: CandleInterval) {
    self.interval = interval
    candles = CandlePyramid(interval: interval)
  }

  /// Applies a tick; false when it is rejected.
  ///
  /// A tick of an earlier candle widens it and never moves the close. If that candle does not
  /// exist, the tick is only counted in ``lateTicks``, so a clock step can't rewrite the past.
  @discardableResult
  public mutating func add(_ price: Price, volume: Quantity, at milliseconds: Int64) -> Bool {
    guard milliseconds.magnitude <= CandleSeries.maximumTime.magnitude else { return false }
    let start = interval.start(of: milliseconds)
    if seenSince == nil, candles.count == 0 { seenSince = milliseconds }
    guard let last = candles.last, start <= last.start else {
      guard candles.count < CandleSeries.maximumCandles else { return false }
      follow(price)
      if interval.isOfHistory { noteSilence(until: start) }
      candles.append(begun(at: start, price, volume: volume))
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

  /// Appends a finished history candle; false unless it is valid and starts after the last one.
  public mutating func append(_ candle: Candle) -> Bool { append(count: 1) { _ in candle } == 1 }

  /// Appends history candles `next(0)` to `next(count - 1)`, in time order; returns their number.
  ///
  /// Skips those that are nil, invalid or not after the previous one.
  public mutating func append(count: Int, _ next: (Int) -> Candle?) -> Int {
    let before = candles.count
    let interval = interval
    let room = min(max(0, count), CandleSeries.maximumCandles - before)
    candles.append(count: room) { index, last in
      guard let candle = next(index), CandleSeries.isSound(candle, of: interval),
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

  /// Sets the time since which everything was seen, if not the first tick.
  public mutating func note(seenSince time: Int64) { seenSince = time }

  private func begun(at start: Int64, _ price: Price, volume: Quantity) -> Candle {
    var candle = Candle(start: start, price: price, volume: volume)
    if let last = candles.last {
      candle.source = last.source == .seen ? .seen : .trades
    } else if interval.isOfHistory, let seenSince, seenSince > start {
      candle.lose(min(seenSince - start, interval.milliseconds))
    }
    return candle
  }

  /// Inserts empty candles up to a tick; a missed trade would be inside a gap, which covers them.
  private mutating func noteSilence(until start: Int64) {
    guard let last = candles.last else { return }
    let length = interval.milliseconds
    let silent = (start - last.start) / length - 1
    guard silent > 0, silent <= CandleSeries.maximumSilence,
      candles.count + Int(silent) < CandleSeries.maximumCandles
    else { return }
    for number in 1...silent {
      candles.append(
        Candle(
          start: last.start + number * length, open: last.close, high: last.close,
          low: last.close, close: last.close, volume: .zero, count: 0,
          source: last.source == .seen ? .seen : .trades))
    }
  }

  /// Prepends candles as ``append(count:_:)`` appends them, except those not before the oldest.
  public mutating func prepend(count: Int, _ next: (Int) -> Candle?) -> Int {
    guard let oldest = candles.first else { return append(count: count, next) }
    var older = CandleSeries(interval: interval)
    let room = min(count, CandleSeries.maximumCandles - candles.count)
    let taken = older.append(count: room) { index in
      next(index).flatMap { $0.start < oldest.start ? $0 : nil }
    }
    candles.prepend(older.candles)
    return taken
  }

  /// Removes the candles from a time on and all gaps, so that a newer history can replace them.
  public mutating func forget(notBefore start: Int64) {
    let bounded = max(-CandleSeries.maximumTime, min(start, CandleSeries.maximumTime))
    candles.removeAll(notBefore: bounded)
    gaps = []
    seenSince = nil
  }

  private mutating func follow(_ price: Price) {
    if let latestPrice, price != latestPrice { lastMoveIsUp = price > latestPrice }
    latestPrice = price
  }

  /// Records a gap and merges it with those it touches.
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

  /// Valid: a time within the limit, open and close within low and high, a non-negative size, no
  /// range or size without trades, and no more missing than the span.
  private static func isSound(_ candle: Candle, of interval: CandleInterval) -> Bool {
    candle.start.magnitude <= CandleSeries.maximumTime.magnitude && candle.low <= candle.open
      && candle.open <= candle.high && candle.low <= candle.close
      && candle.close <= candle.high && candle.volume >= .zero && candle.count >= 0
      && (candle.hasTrades || candle.low == candle.high && candle.volume == .zero)
      && candle.missing >= 0 && Int64(candle.missing) <= interval.milliseconds
  }
}
