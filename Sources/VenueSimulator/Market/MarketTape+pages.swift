// What is asked of a tape: the latest trades, the trades after a time, candles in a row, a day's
// figures.

import MarketModel

extension MarketTape {
  /// The latest trades, oldest first.
  func latest(_ limit: Int) -> [TapeTrade] {
    guard let last else { return [] }
    var pages: [[TapeTrade]] = []
    var count = 0
    var minute = MarketTape.minute(last.microseconds)
    while minute >= listing, count < limit {
      let page = trades(of: minute)
      count += page.count
      pages.append(page)
      minute -= 1
    }
    return Array(pages.reversed().joined().suffix(limit))
  }

  /// The first trades after a time in nanoseconds since 1970, oldest first.
  func trades(after nanoseconds: Int64, limit: Int) -> [TapeTrade] {
    guard let last else { return [] }
    let end = MarketTape.minute(last.microseconds)
    var minute = max(listing, MarketTape.minute(PastTrading.divide(nanoseconds, 1000)))
    var found: [TapeTrade] = []
    while found.count < limit {
      minute = nextTold(minute)
      guard minute <= end else { break }
      found += trades(of: minute).filter { $0.nanoseconds > nanoseconds }
      minute += 1
    }
    return Array(found.prefix(limit))
  }

  /// The candles of spans of so many minutes, oldest first, the last one that which `now` lies in;
  /// those without a trade stand at the price before them.
  ///
  /// None is of before the listing.
  mutating func candles(
    minutes length: Int64, count: Int64, at now: Int64
  ) -> [(start: Int64, candle: TapeCandle)] {
    let last = PastTrading.divide(now, length) * length
    let oldest = max(last - (count - 1) * length, PastTrading.divide(listing, length) * length)
    var close = close(before: oldest)
    var rows: [(start: Int64, candle: TapeCandle)] = []
    rows.reserveCapacity(Int((last - oldest) / length + 1))
    for start in stride(from: oldest, through: last, by: Int(length)) {
      let traded = candle(from: start, to: min(start + length, now + 1), at: now)
      if traded.count > 0 {
        rows.append((start, traded))
        close = traded.close
      } else if let close {
        rows.append((start, .empty(at: close)))
      }
    }
    return rows
  }

  /// The figures of the minutes from `from` up to and with `now`.
  mutating func summary(from: Int64, at now: Int64) -> DaySummary {
    let traded = candle(from: from, to: now + 1, at: now)
    let before = close(before: from) ?? traded.open
    return DaySummary(
      before: before, traded: traded.count > 0 ? traded : .empty(at: before))
  }
}

/// What a span of trading comes to.
struct DaySummary: Sendable {
  /// The last price before it.
  let before: Int64
  /// The trades in it.
  let traded: TapeCandle

  /// How far the price went, in ticks.
  var change: Int64 { traded.close - before }

  /// The same in hundredths of a percent, rounded away from half.
  var changeBasisPoints: Int64 {
    let scaled = change * 10_000
    return (scaled + (scaled < 0 ? -before : before) / 2) / max(1, before)
  }
}
