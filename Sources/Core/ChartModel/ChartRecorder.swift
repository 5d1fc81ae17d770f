public import MarketModel

/// One price of an instrument, in order of arrival.
public struct ChartTick: Hashable, Sendable {
  /// Increases by one from 1, so a jump shows missed ticks.
  public let arrival: UInt64
  /// Milliseconds since 1970.
  public let time: Int64
  /// In units of ``ChartRecorder/priceScale``.
  public let price: Price
  /// Traded quantity in units of ``ChartRecorder/quantityScale``; 0 where the feed sends none.
  public let quantity: Quantity
}

/// Records one instrument: candles for a chart opened later, and the latest ticks for an open one.
public struct ChartRecorder: Sendable {
  /// The most ticks stored beside the candles.
  public static let maximumTicks = 32
  /// One-second candles at which the older half is dropped: 28 hours.
  public static let maximumCandles = 100_000

  /// What one price unit is.
  public let priceScale: Scale
  /// What one quantity unit is.
  public internal(set) var quantityScale: Scale
  /// One-second candles and the gaps.
  public internal(set) var series = CandleSeries(interval: .second)
  /// The latest ticks, oldest first.
  public private(set) var ticks: [ChartTick] = []
  /// The number of the latest tick; 0 before the first.
  public private(set) var lastArrival: UInt64 = 0
  /// Prices dropped because ``priceScale`` can't represent them.
  public private(set) var unreadable: UInt64 = 0

  private var steady = SteadyTime()
  private var interruptedSince: Int64?
  private var lastTime: Int64?
  /// The time of the tick before missing ones, until the next arrives.
  private var missedSince: Int64?
  /// Stored seconds, until a tick reveals the quantity unit.
  var kept: KeptSeconds?
  /// Ticks before this are in the restored seconds, milliseconds since 1970.
  public internal(set) var keptUntil = Int64.min

  /// Creates an empty recorder.
  public init(priceScale: Scale = Scale(clamping: 8), quantityScale: Scale = .whole) {
    self.priceScale = priceScale
    self.quantityScale = quantityScale
  }

  /// Records a stream event; false when it is rejected.
  ///
  /// Trades use the venue's time; ticks, whose unit is undocumented, a clock that does not jump. A
  /// new quantity unit restarts the series. Missing events leave a gap between the adjacent ticks.
  @discardableResult
  public mutating func record(_ event: MarketEvent, at now: ClockReading) -> Bool {
    switch event {
    case .trade(let trade, let priceScale, let quantityScale):
      if quantityScale != self.quantityScale { restart(quantityScale) }
      return record(
        FixedDecimal(trade.price, scale: priceScale), trade.size,
        at: trade.time.milliseconds)
    case .tick(let tick, _): return record(tick.last, .zero, at: steady.milliseconds(at: now))
    case .missed, .unreadable:
      missedSince = missedSince ?? lastTime
      return true
    }
  }

  /// Applies the stream's freshness at `now`: an interruption becomes a gap.
  public mutating func judge(_ freshness: Freshness, at now: ClockReading) {
    switch freshness.state {
    case .stale, .resyncing, .disconnected:
      guard interruptedSince == nil else { return }
      interruptedSince = (freshness.confirmedAt ?? now).wall.milliseconds
    case .live, .late, .closed:
      guard let start = interruptedSince else { return }
      interruptedSince = nil
      let end = now.wall.milliseconds
      if end > start { series.note(SeriesGap(start: start, end: end)) }
    case .waiting, .queued: break
    }
  }

  private mutating func record(
    _ price: FixedDecimal, _ quantity: Quantity, at milliseconds: Int64
  ) -> Bool {
    guard let exact = price.exactly(at: priceScale) else {
      unreadable &+= 1
      return false
    }
    let units = Price(units: exact.units)
    if milliseconds >= keptUntil {
      guard series.add(units, volume: quantity, at: milliseconds) else { return false }
      if let start = missedSince, milliseconds > start {
        series.note(SeriesGap(start: start, end: milliseconds))
      }
      (missedSince, lastTime) = (nil, milliseconds)
    }
    kept = nil
    lastArrival &+= 1
    if ticks.count == ChartRecorder.maximumTicks { ticks.removeFirst() }
    ticks.append(
      ChartTick(arrival: lastArrival, time: milliseconds, price: units, quantity: quantity))
    if series.candles.count >= ChartRecorder.maximumCandles { forgetOlderHalf() }
    return true
  }

  private mutating func restart(_ scale: Scale) {
    quantityScale = scale
    series = CandleSeries(interval: .second)
    ticks = []
    keptUntil = .min
    // Only the unit was missing, so the stored seconds apply in the new one.
    if let kept { place(kept) }
  }

  private mutating func forgetOlderHalf() {
    var shorter = CandleSeries(interval: .second)
    let kept = series.candles.count / 2
    let first = series.candles.count - kept
    _ = shorter.append(count: kept) { series.candles[first + $0] }
    if let oldest = shorter.candles.first { shorter.note(seenSince: oldest.start) }
    for gap in series.gaps { shorter.note(gap) }
    series = shorter
  }
}

// MARK: - Stored seconds

// Storage format: a second without a row had no trades. A gap begins with a row without trades
// whose whole second is missing and ends at the next row.

/// Seconds stored by an earlier process.
public struct KeptSeconds: Hashable, Sendable {
  /// The most restored: half of a recorder's capacity.
  public static let maximumCount = ChartRecorder.maximumCandles / 2

  /// Oldest first, including gap edges.
  public let rows: [Candle]
  /// The scale of their quantities.
  public let quantityScale: Scale

  /// Creates stored seconds; prices are in the recorder's unit.
  public init(_ rows: [Candle], quantityScale: Scale) {
    (self.rows, self.quantityScale) = (rows, quantityScale)
  }
}

extension ChartRecorder {
  /// The seconds in `from`..<`until`, oldest first.
  public func seconds(from: Int64, until: Int64) -> [Candle] {
    let first = series.candles.firstIndex(notBefore: from, of: .second)
    let end = series.candles.firstIndex(notBefore: until, of: .second)
    return first < end ? (first..<end).map { series.candles[$0] } : []
  }

  /// The rows that mark the start and end of a gap, at seconds without ticks.
  public func edges(of gap: SeriesGap) -> [Candle] {
    let second = CandleInterval.second.milliseconds
    guard let price = series.latestPrice else { return [] }
    func edge(_ start: Int64, missing: Int32) -> Candle {
      Candle(
        start: start, open: price, high: price, low: price, close: price, volume: .zero, count: 0,
        missing: missing)
    }
    var start = CandleInterval.second.start(of: gap.start)
    while start < gap.end, hasSecond(start) { start += second }
    guard start < gap.end else { return [] }
    let lastUnheard = CandleInterval.second.start(of: gap.end - 1)
    let end = max(lastUnheard, start) + second
    if hasSecond(lastUnheard) || hasSecond(end) { return [edge(start, missing: Int32(second))] }
    return [edge(start, missing: Int32(second)), edge(end, missing: 0)]
  }

  private func hasSecond(_ start: Int64) -> Bool {
    let index = series.candles.firstIndex(notBefore: start, of: .second)
    return index < series.candles.count && series.candles[index].start == start
  }

  /// Restores stored seconds before the recorded ones, with a gap between.
  ///
  /// Skips rows from the first recorded second on and those with unrepresentable quantities. Ticks
  /// of a restored time change no candle.
  public mutating func restore(_ kept: KeptSeconds) {
    if lastArrival == 0 {
      self.kept = kept
      quantityScale = kept.quantityScale
    }
    place(kept)
  }

  mutating func place(_ kept: KeptSeconds) {
    let oldest = series.candles.first?.start ?? .max
    let rows = kept.rows.filter { $0.start < oldest && $0.start > 0 }
    let candles = rows.filter { $0.hasTrades }.compactMap { candle -> Candle? in
      var candle = candle
      let volume = FixedDecimal(candle.volume, scale: kept.quantityScale)
      guard let exact = volume.exactly(at: quantityScale) else { return nil }
      candle.volume = Quantity(units: exact.units)
      return candle
    }
    guard let first = candles.first, let last = rows.last else { return }
    let heard = series.seenSince
    guard series.prepend(count: candles.count, { candles[$0] }) > 0 else { return }
    for gap in kept.gaps where gap.start < oldest { series.note(gap) }
    series.note(seenSince: first.start)
    // The recording stopped some time after the last row.
    let end = last.start + CandleInterval.second.milliseconds
    if let heard {
      series.note(SeriesGap(start: min(end, heard), end: heard))
    } else {
      (missedSince, keptUntil) = (end, end)
    }
  }
}

extension KeptSeconds {
  /// The gaps marked by edges among the rows, in time order.
  public var gaps: [SeriesGap] {
    let second = CandleInterval.second.milliseconds
    var gaps: [SeriesGap] = []
    for (row, next) in zip(rows, rows.dropFirst() + rows.suffix(1))
    where !row.hasTrades && Int64(row.missing) == second {
      // The last second before the gap and the first after it were incomplete.
      let end = next.hasTrades ? next.start + second : max(next.start, row.start + second)
      gaps.append(SeriesGap(start: row.start - second, end: end))
    }
    return gaps
  }
}
