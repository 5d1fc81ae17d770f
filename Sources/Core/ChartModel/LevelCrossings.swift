public import MarketModel

extension CandleSeries {
  /// Whether a repeating alert at a level would certainly have fired in a candle, by index; at
  /// least once.
  ///
  /// A crossing is a trade at the level or beyond it, seen from the side of the trade before. A
  /// candle doesn't have the order of its trades: it counts if every order crosses the level. After
  /// missing data the side is unknown.
  public func isCrossed(_ level: Price, at index: Int) -> Bool {
    let candle = candles[index]
    let last = index > 0 ? candles[index - 1] : candle
    // Most candles are on one side of the level.
    if min(last.close, candle.low) > level || max(last.close, candle.high) < level { return false }
    let from = index > 0 && isJoined(last, candle) ? last.close : candle.open
    return candle.hasTrades
      && (min(from, candle.open) < level && candle.high >= level
        || max(from, candle.open) > level && candle.low <= level
        || candle.low < level && candle.high > level
        || candle.low < candle.high && candle.close == level)
  }

  /// Whether no data is missing from the beginning of a candle to the end of the next.
  private func isJoined(_ last: Candle, _ next: Candle) -> Bool {
    let end = next.start + interval.milliseconds
    return last.missing == 0 && next.missing == 0
      && (!interval.isOfHistory || end - last.start <= 2 * interval.milliseconds)
      && !gaps.contains { $0.start < end && $0.end > last.start }
  }
}

extension ChartScene {
  /// Marks the crossings of ``rehearsed`` in view, one for each drawn candle, and counts all
  /// candles with one; O(candles).
  mutating func placeCrossings(_ axis: PriceAxis) {
    guard let level = rehearsed else { return }
    var marked: Int64?
    for index in 0..<series.candles.count where series.isCrossed(level, at: index) {
      list.crossingCount += 1
      let start = drawn.start(of: series.candles[index].start)
      let x = viewport.x(of: Double(start) + Double(drawn.milliseconds) / 2)
      if start != marked, x >= 0, x <= viewport.width {
        list.crossings.append(
          LineMark(x: Float(x), y: Float(axis.y(of: level)), startsNew: true))
      }
      marked = start
    }
  }
}
