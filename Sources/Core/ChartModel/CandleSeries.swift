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
///
/// Below a minute a candle stands for a time in which something was heard: all others were silent
/// but for the ``gaps``. From a minute on it is a history: each candle says what of its span
/// is vouched for, and one that is absent is a time of which nobody knows.
public struct CandleSeries: Sendable {
  /// The most candles kept; ticks after that are not taken, which a host avoids by starting anew.
  public static let maximumCandles = 4_000_000
  /// The most gaps kept; the oldest go first.
  public static let maximumGaps = 256
  /// The most candles without a trade that are made up to a tick; behind more there is a hole.
  static let maximumSilence: Int64 = 10_000
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

  /// Says from when on everything was seen, where that is not the first tick.
  public mutating func note(seenSince time: Int64) { seenSince = time }

  /// A candle by its first tick: as good as the one before it, but for what only the venue vouches.
  private func begun(at start: Int64, _ price: Price, volume: Quantity) -> Candle {
    var candle = Candle(start: start, price: price, volume: volume)
    if let last = candles.last {
      candle.source = last.source == .seen ? .seen : .trades
    } else if interval.isOfHistory, let seenSince, seenSince > start {
      candle.lose(min(seenSince - start, interval.milliseconds))
    }
    return candle
  }

  /// Nobody traded since the last candle, or the tick would not be the next: what was missed is a
  /// gap, and covers these candles.
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

  /// Puts candles of a history before those there are, `next(0)` to `next(count - 1)`, in the order
  /// of time, and returns how many: those that do not start before the oldest are left out as well.
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

  /// Forgets the candles from a time on and all that was said of gaps, so that a newer history can
  /// take their place.
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

  /// A time that can be, open and close between low and high, a size that is none or more, no range
  /// without a trade, and no more missing than there is.
  private static func isSound(_ candle: Candle, of interval: CandleInterval) -> Bool {
    candle.start.magnitude <= CandleSeries.maximumTime.magnitude && candle.low <= candle.open
      && candle.open <= candle.high && candle.low <= candle.close
      && candle.close <= candle.high && candle.volume >= .zero && candle.count >= 0
      && (candle.hasTrades || candle.low == candle.high && candle.volume == .zero)
      && candle.missing >= 0 && Int64(candle.missing) <= interval.milliseconds
  }
}
