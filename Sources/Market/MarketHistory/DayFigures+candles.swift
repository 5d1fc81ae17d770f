public import ChartModel
public import MarketModel

extension DayFigures {
  private static let day: Int64 = 86_400_000

  /// Computes the figures of a venue that sends none, from contiguous candles back from the newest.
  ///
  /// The window is the 24 hours before `now`, from a candle's start, if the candles cover it; else
  /// the contiguous part. It ends at the newest candle's start if that is later than `now`. An
  /// incomplete candle can only begin a window, which then has no change, because its first price
  /// is unknown. Only the last price is set if the candles do not reach `now`. The change in
  /// percent is left to screens, which round it. O(candles of a day).
  ///
  /// The candles are of one interval, oldest first, including the open one; minutes are best, since
  /// their length is the window's precision. `gaps` are those not in their missing time.
  public static func from(
    _ candles: [Candle], of interval: CandleInterval, gaps: [SeriesGap] = [], symbol: Symbol,
    scales: (price: Scale, quantity: Scale), at now: Timestamp, freshness: Freshness
  ) -> DayFigures {
    var figures = DayFigures(symbol: symbol, window: .since(now), freshness: freshness)
    guard let newest = candles.last else { return figures }
    figures.last = FixedDecimal(newest.close, scale: scales.price)
    let end = max(now.milliseconds, newest.start)
    // Right after a candle's end there may be no trade yet.
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

  private mutating func addUp(
    _ candles: ArraySlice<Candle>, _ scales: (price: Scale, quantity: Scale)
  ) {
    // The price of a candle without trades is an earlier one.
    let traded = candles.filter { $0.count > 0 }
    high = traded.map(\.high).max().map { FixedDecimal($0, scale: scales.price) }
    low = traded.map(\.low).min().map { FixedDecimal($0, scale: scales.price) }
    var (sum, fits): (Int64, Bool) = (0, true)
    for candle in traded {
      let (next, overflow) = sum.addingReportingOverflow(candle.volume.units)
      (sum, fits) = (next, fits && !overflow)
    }
    // Trades without volume: the feed sends none.
    if fits, sum > 0 || traded.isEmpty {
      volume = FixedDecimal(units: sum, scale: scales.quantity)
    }
    // Observed candles count ticks, or not all trades.
    if traded.allSatisfy({ $0.source != .seen }) {
      trades = traded.reduce(0) { $0 + Int64($1.count) }
    }
  }
}

private struct WholeStretch {
  private(set) var first: Int
  private(set) var isWhole = true
  private(set) var isDay = false
  /// The start of their data, milliseconds since 1970.
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
