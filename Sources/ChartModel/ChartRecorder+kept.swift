// Seconds for the disk and from it. A second without a row was silent; where a gap begins, a row
// without trades whose whole second is missing says so, and where it ends the next row does.

public import MarketModel

/// Seconds that were kept by an earlier process.
public struct KeptSeconds: Hashable, Sendable {
  /// The most that are read back: half of what a recorder holds.
  public static let maximumCount = ChartRecorder.maximumCandles / 2

  /// Oldest first, edges of gaps among them.
  public let rows: [Candle]
  /// What one of their quantity units is.
  public let quantityScale: Scale

  /// Puts rows together with the unit of their quantities; prices are in the recorder's own.
  public init(_ rows: [Candle], quantityScale: Scale) {
    (self.rows, self.quantityScale) = (rows, quantityScale)
  }
}

extension ChartRecorder {
  /// The seconds from one time up to another, oldest first.
  public func seconds(from: Int64, until: Int64) -> [Candle] {
    let first = series.candles.firstIndex(notBefore: from, of: .second)
    let end = series.candles.firstIndex(notBefore: until, of: .second)
    return first < end ? (first..<end).map { series.candles[$0] } : []
  }

  /// The rows that say of a gap where it begins and ends, at seconds in which nothing was heard.
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

  /// Takes what the disk has kept: before what has been heard, with a gap up to it.
  ///
  /// Rows from the first second that was heard on are left out, and so are those that the unit of
  /// quantities can't hold exactly. Ticks of a time that is kept change no candle.
  public mutating func restore(_ kept: KeptSeconds) {
    if lastArrival == 0 {
      self.kept = kept
      quantityScale = kept.quantityScale
    }
    place(kept)
  }

  /// Puts what was kept before what has been heard, in the present unit of quantities.
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
    // Whoever kept them stopped some time after the last row.
    let end = last.start + CandleInterval.second.milliseconds
    if let heard {
      series.note(SeriesGap(start: min(end, heard), end: heard))
    } else {
      (missedSince, keptUntil) = (end, end)
    }
  }
}

extension KeptSeconds {
  /// What the edges among the rows say, in the order of time.
  public var gaps: [SeriesGap] {
    let second = CandleInterval.second.milliseconds
    var gaps: [SeriesGap] = []
    for (row, next) in zip(rows, rows.dropFirst() + rows.suffix(1))
    where !row.hasTrades && Int64(row.missing) == second {
      // The seconds in which it was last heard, and first heard again, were not whole.
      let end = next.hasTrades ? next.start + second : max(next.start, row.start + second)
      gaps.append(SeriesGap(start: row.start - second, end: end))
    }
    return gaps
  }
}
