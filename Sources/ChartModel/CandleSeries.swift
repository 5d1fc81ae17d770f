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

/// One instrument's candles of one interval.
public struct CandleSeries: Sendable {
  /// The most candles kept; ticks after that are not taken, which a host avoids by starting anew.
  public static let maximumCandles = 4_000_000
  /// The most gaps kept; the oldest go first.
  public static let maximumGaps = 256

  /// The length of a candle.
  public let interval: CandleInterval
  /// The candles.
  public private(set) var candles = CandlePyramid()
  /// Interruptions in the order of time.
  public private(set) var gaps: [SeriesGap] = []
  /// Ticks whose time was before the last candle: a clock that stepped back, or a late message.
  public private(set) var lateTicks = 0

  /// An empty series.
  public init(interval: CandleInterval) { self.interval = interval }

  /// Takes a tick.
  ///
  /// A tick of an earlier candle widens that candle and never moves the close; one whose candle does not
  /// exist is counted in ``lateTicks`` and dropped, so a clock that steps back can't rewrite the past.
  public mutating func add(_ price: Price, volume: Quantity, at milliseconds: Int64) {
    let start = interval.start(of: milliseconds)
    guard let last = candles.last, start <= last.start else {
      guard candles.count < CandleSeries.maximumCandles else { return }
      return candles.append(Candle(start: start, price: price, volume: volume))
    }
    if start == last.start {
      return candles.update(candles.count - 1) { $0.add(price, volume: volume, isLatest: true) }
    }
    lateTicks += 1
    let index = candles.firstIndex(notBefore: start)
    if index < candles.count, candles[index].start == start {
      candles.update(index) { $0.add(price, volume: volume, isLatest: false) }
    }
  }

  /// Takes a finished candle of a history; false when it does not start after the last one.
  public mutating func append(_ candle: Candle) -> Bool {
    guard interval.start(of: candle.start) == candle.start, candle.low <= candle.high,
      candles.last.map({ $0.start < candle.start }) ?? true,
      candles.count < CandleSeries.maximumCandles
    else { return false }
    candles.append(candle)
    return true
  }

  /// Notes an interruption; one that touches the latest is joined to it.
  public mutating func note(_ gap: SeriesGap) {
    if let last = gaps.last, gap.start <= last.end {
      gaps[gaps.count - 1] = SeriesGap(start: last.start, end: max(last.end, gap.end))
      return
    }
    gaps.append(gap)
    if gaps.count > CandleSeries.maximumGaps { gaps.removeFirst() }
  }

  /// Whether an interruption lies between two times.
  public func isInterrupted(from start: Int64, to end: Int64) -> Bool {
    for gap in gaps where gap.start < end && gap.end > start { return true }
    return false
  }
}
