// Candles of five minutes and more: the venue's, and where it has not spoken yet, those of the next
// finer interval put together.

import ChartModel
import MarketModel

extension HistoryJoin {
  /// Makes the closed coarse candles from a time on again.
  mutating func refreshCoarse(from time: Int64) {
    guard let closedThrough, time < closedThrough else { return }
    for level in tables.indices.dropFirst() {
      let interval = HistoryJoin.keptIntervals[level]
      let oldest = closedThrough - Int64(HistoryJoin.maximumCandles) * interval.milliseconds
      var start = interval.start(of: max(time, oldest))
      while start + interval.milliseconds <= closedThrough {
        let former = tables[level][start]
        let isFinal = former.map { $0.source == .venue && $0.missing == 0 } ?? false
        if !isFinal, let candle = finerFold(level, start, until: closedThrough),
          candle.missing <= former?.missing ?? .max || knowsMinutes(since: start)
        {
          _ = put(candle, level: level)
        }
        start += interval.milliseconds
      }
    }
  }

  /// Whether the minutes reach back to a time, so that what they say counts.
  private func knowsMinutes(since start: Int64) -> Bool {
    tables[0].candles.first.map { $0.start <= start } ?? false
  }

  /// The candle of a span that may still be forming, up to a time.
  func fold(_ interval: CandleInterval, _ start: Int64, until clock: Int64) -> Candle? {
    guard let level = HistoryJoin.level(interval) else { return nil }
    guard let closedThrough, level > 0 || start >= closedThrough else {
      return tables[level][start]
    }
    if level == 0 {
      let end = min(start + interval.milliseconds, max(clock, start + 1))
      return forming(start, until: end)
    }
    if let kept = tables[level][start], kept.missing == 0 { return kept }
    let folded = finerFold(level, start, until: clock)
    guard let kept = tables[level][start] else { return folded }
    guard let folded, folded.missing < kept.missing else { return kept }
    return folded
  }

  /// A candle of the next finer ones.
  private func finerFold(_ level: Int, _ start: Int64, until clock: Int64) -> Candle? {
    let end = min(start + HistoryJoin.keptIntervals[level].milliseconds, clock)
    guard hasAny(below: level, start, end) else { return nil }
    let finer = HistoryJoin.keptIntervals[level - 1]
    var sum = CandleFold(start: start)
    var time = start
    while time < end {
      let part = time + finer.milliseconds
      if let candle = fold(finer, time, until: clock) {
        sum.add(candle)
      } else {
        let elapsed = min(part, end) - time
        let isSilent = finer == .minute && runs.spans(until: clock).contains(time, time + elapsed)
        if !isSilent { sum.skip(elapsed) }
      }
      time = part
    }
    return sum.result
  }

  /// Whether anything finer is known of a stretch.
  private func hasAny(below level: Int, _ from: Int64, _ until: Int64) -> Bool {
    if let closedThrough, until > closedThrough { return true }
    return tables[..<level].contains { $0.hasAny(from, until) }
  }

  /// A minute that is not closed yet.
  func forming(_ start: Int64, until end: Int64) -> Candle? {
    guard let clock else { return nil }
    let spans = runs.spans(until: clock)
    // A minute whose first trade comes at its very start has that millisecond.
    let isAtStart = clock == start && trades.candle(start) != nil
    let heard = isAtStart ? runs.spans(until: clock + 1) : spans
    if let candle = built(start, until: end, heard) { return candle }
    // The minute before may wait to be closed itself.
    guard let closedThrough, start > closedThrough,
      let before = forming(start - 60_000, until: start), before.missing == 0,
      spans.contains(start, end), end > start
    else { return nil }
    return Candle(
      start: start, open: before.close, high: before.close, low: before.close,
      close: before.close, volume: .zero, count: 0, source: before.source)
  }
}
