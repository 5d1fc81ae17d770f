// The figures of the day where the venue states none: from kept candles, as far as they are whole.

public import ChartModel
public import MarketModel

extension DayFigures {
  /// How long a day is, milliseconds.
  private static let day: Int64 = 86_400_000

  /// Adds up candles, back from the newest one, as long as nothing is missing between them.
  ///
  /// O(candles of a day). The window is the 24 hours before `now`, begun at a candle's start, when
  /// the candles cover it; else it is what was seen without a hole. A candle that is not whole can
  /// only begin a window, and then no change is given: nobody knows that window's first price.
  /// Nor is there a change in percent here: screens round it themselves.
  ///
  /// - Parameters:
  ///   - candles: Of one interval, oldest first, the forming one last.
  ///   - interval: Their length; minutes are best, since it is also the window's precision.
  ///   - gaps: Interruptions that the candles do not speak of.
  ///   - symbol: The instrument.
  ///   - scales: What one unit of the candles' prices and one of their volumes is.
  ///   - now: The end of the window; the newest candle's start where that is later.
  ///   - freshness: Whether the candles' newest price can be believed.
  /// - Returns: The figures; nothing but the last price when the candles do not reach until now.
  public static func from(
    _ candles: [Candle], of interval: CandleInterval, gaps: [SeriesGap] = [], symbol: Symbol,
    scales: (price: Scale, quantity: Scale), at now: Timestamp, freshness: Freshness
  ) -> DayFigures {
    var figures = DayFigures(symbol: symbol, window: .since(now), freshness: freshness)
    guard let newest = candles.last else { return figures }
    figures.last = FixedDecimal(newest.close, scale: scales.price)
    let end = max(now.milliseconds, newest.start)
    // Just after a candle's end nobody may have traded yet.
    guard end - newest.start < 2 * interval.milliseconds else { return figures }
    let stretch = WholeStretch(candles, interval, gaps, end: end, day: day)
    figures.window =
      stretch.isDay ? .last24Hours : .since(Timestamp(milliseconds: stretch.since))
    if stretch.isWhole {
      let (change, overflow) = newest.close.units.subtractingReportingOverflow(
        candles[stretch.first].open.units)
      if !overflow { figures.change = FixedDecimal(units: change, scale: scales.price) }
    }
    figures.addUp(candles[stretch.first...], scales)
    return figures
  }

  /// Range and turnover.
  private mutating func addUp(
    _ candles: ArraySlice<Candle>, _ scales: (price: Scale, quantity: Scale)
  ) {
    // A candle in which nobody traded has a price, but it is one of before.
    let traded = candles.filter { $0.count > 0 }
    high = traded.map(\.high).max().map { FixedDecimal($0, scale: scales.price) }
    low = traded.map(\.low).min().map { FixedDecimal($0, scale: scales.price) }
    var (sum, fits): (Int64, Bool) = (0, true)
    for candle in traded {
      let (next, overflow) = sum.addingReportingOverflow(candle.volume.units)
      (sum, fits) = (next, fits && !overflow)
    }
    // Trades without any volume: the feed names none.
    if fits, sum > 0 || traded.isEmpty {
      volume = FixedDecimal(units: sum, scale: scales.quantity)
    }
    // What was merely seen are ticks, or not all trades.
    if traded.allSatisfy({ $0.source != .seen }) {
      trades = traded.reduce(0) { $0 + Int64($1.count) }
    }
  }
}

/// The newest candles that nothing is missing between.
private struct WholeStretch {
  /// The first of them.
  private(set) var first: Int
  /// Whether the first one is whole.
  private(set) var isWhole = true
  /// Whether they cover a day.
  private(set) var isDay = false
  /// Since when they speak, milliseconds since 1970.
  private(set) var since: Int64

  /// The candles must not be empty.
  init(
    _ candles: [Candle], _ interval: CandleInterval, _ gaps: [SeriesGap], end: Int64, day: Int64
  ) {
    let begin = interval.start(of: end - day)
    first = candles.count - 1
    while true {
      let candle = candles[first]
      let spanEnd = min(candle.start + interval.milliseconds, end)
      let gap = gaps.last { $0.start < spanEnd && $0.end > candle.start }
      isWhole = candle.missing == 0 && gap == nil
      since = min(max(candle.start + Int64(candle.missing), gap?.end ?? .min), end)
      guard isWhole else { return }
      isDay = candle.start <= begin
      guard !isDay, first > 0,
        candles[first - 1].start == candle.start - interval.milliseconds
      else { return }
      first -= 1
    }
  }
}
