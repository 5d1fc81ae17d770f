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
  /// Ticks whose time was before the last candle: a clock that stepped back, or a late message.
  public private(set) var lateTicks = 0
  /// The price that arrived last, whatever its time; nil before the first.
  public private(set) var latestPrice: Price?

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
    guard let last = candles.last, start <= last.start else {
      guard candles.count < CandleSeries.maximumCandles else { return false }
      latestPrice = price
      candles.append(Candle(start: start, price: price, volume: volume))
      return true
    }
    latestPrice = price
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
    if candles.count > before { latestPrice = candles.last?.close }
    return candles.count - before
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

  /// Whether an interruption lies between two times.
  public func isInterrupted(from start: Int64, to end: Int64) -> Bool {
    for gap in gaps where gap.start < end && gap.end > start { return true }
    return false
  }

  /// A time that can be, open and close between low and high, a size that is none or more.
  private static func isSound(_ candle: Candle) -> Bool {
    candle.start.magnitude <= CandleSeries.maximumTime.magnitude && candle.low <= candle.open
      && candle.open <= candle.high && candle.low <= candle.close
      && candle.close <= candle.high && candle.volume >= .zero
  }
}
