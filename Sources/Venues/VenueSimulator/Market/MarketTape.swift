import MarketModel
import OrderMatching

/// The tape of an unbroken book from its listing to now, numbered without gaps: by formula for
/// unwatched times, otherwise from the agents' trades.
///
/// Agents' trades are kept for a while: the latest as trades, then as minutes, then as hours.
/// Computed trades are only cached as hours.
struct MarketTape: Sendable {
  /// Agents' trades that are kept, at least; older ones exist only as candles.
  static let keptTrades = 20_000
  /// Agents' minutes that are kept, at least: 16 days; older ones exist only as hours.
  static let keptMinutes = 23_040
  /// Computed stretches that are kept, the first and the latest; each pause begins another.
  private static let keptStretches = 4096
  /// The least time from the listing to the start, in days.
  static let days: Int64 = 91

  /// Whole minutes whose trades follow from the formula.
  private struct Stretch: Sendable {
    let from: Int64
    let to: Int64
    /// The number of the last trade before it.
    let before: Int64
  }

  private struct RecordedMinute: Sendable {
    let minute: Int64
    var candle: TapeCandle
  }

  private(set) var lastIdentifier: Int64
  private(set) var last: TapeTrade?

  private let past: PastTrading
  /// By time, without overlaps.
  private var stretches: [Stretch] = []
  /// By time; minutes without a trade are left out.
  private var minutes: [RecordedMinute] = []
  /// By time; none in a stretch.
  private var trades: [TapeTrade] = []
  /// Folded hours, counted from 1970.
  private var hours: [Int64: TapeCandle] = [:]

  /// Creates a tape with the past before `opening`; the first later trade has the number `first`.
  init(
    _ market: MarketListing, value: FundamentalValue, seed: UInt64, start: Timestamp,
    opening: Timestamp, first: Int64
  ) {
    let origin = MarketTape.microseconds(start)
    let day = PastTrading.divide(origin, 1440 * PastTrading.minute)
    past = PastTrading(
      market, value: value, seed: seed, origin: origin, listing: (day - MarketTape.days) * 1440)
    lastIdentifier = first - 1
    let end = MarketTape.microseconds(opening)
    let minute = MarketTape.minute(end)
    let begun = past.trades(minute).filter { $0.microseconds < end }
    lastIdentifier -= Int64(begun.count) + past.count(from: past.listing, to: minute)
    stretch(to: minute, from: past.listing)
    for trade in begun { append(trade) }
  }

  var listing: Int64 { past.listing }

  /// Records the agents' trades at a time, and returns them as rows of the tape.
  mutating func record(_ traded: [MarketTrade], at time: Timestamp) -> [TapeTrade] {
    let now = MarketTape.microseconds(time)
    return traded.map { trade in
      let rank = last?.microseconds == now ? (last?.rank ?? 0) + 1 : 0
      return append(
        TapeTrade(
          identifier: 0, microseconds: now, ticks: trade.price.units, lots: trade.quantity.units,
          isBuy: trade.side == .buy, rank: rank))
    }
  }

  /// Fills a pause with computed trades, from its first moment to the moment of reopening.
  mutating func fill(from: Timestamp, to: Timestamp) {
    let (begin, end) = (MarketTape.microseconds(from), MarketTape.microseconds(to))
    let (first, last) = (MarketTape.minute(begin), MarketTape.minute(end))
    for trade in past.trades(first) where trade.microseconds >= begin && trade.microseconds < end {
      append(trade)
    }
    guard last > first else { return }
    if last > first + 1 { stretch(to: last, from: first + 1) }
    for trade in past.trades(last) where trade.microseconds < end { append(trade) }
  }

  /// The trades of a minute as a candle; empty without trades.
  func candle(_ minute: Int64) -> TapeCandle {
    if stretch(of: minute) != nil { return past.candle(minute) }
    let index = MarketTape.first(minutes) { $0.minute >= minute }
    guard index < minutes.count, minutes[index].minute == minute else { return .none }
    return minutes[index].candle
  }

  /// The trades of the minutes from `from` up to `to`; `now` is the current one.
  ///
  /// Whole hours before it are folded once.
  mutating func candle(from: Int64, to: Int64, at now: Int64) -> TapeCandle {
    var sum = TapeCandle.none
    var minute = max(from, listing)
    while minute < to {
      if minute % 60 == 0, minute + 60 <= min(to, now) {
        sum.add(hour(minute / 60))
        minute += 60
      } else if let stretch = stretch(of: minute) {
        let end = min(to, stretch.to, (PastTrading.divide(minute, 60) + 1) * 60)
        past.add(from: minute, to: end, to: &sum)
        minute = end
      } else {
        sum.add(candle(minute))
        minute += 1
      }
    }
    return sum
  }

  /// The last price before a minute; nil without an earlier trade.
  func close(before minute: Int64) -> Int64? {
    var minute = minute - 1
    while minute >= listing {
      if let stretch = stretch(of: minute) {
        if let traded = past.lastTraded(before: minute + 1), traded >= stretch.from {
          return past.candle(traded).close
        }
        minute = stretch.from - 1
      } else {
        let found = candle(minute)
        if found.count > 0 { return found.close }
        minute -= 1
      }
    }
    return nil
  }

  /// The trades of a minute, oldest first; empty once they are no longer kept.
  func trades(of minute: Int64) -> [TapeTrade] {
    if let stretch = stretch(of: minute) {
      let before = stretch.before + past.count(from: stretch.from, to: minute)
      return past.trades(minute).map { $0.numbered(before + $0.identifier) }
    }
    let from = MarketTape.first(trades) { $0.microseconds >= minute * PastTrading.minute }
    let to = MarketTape.first(trades) { $0.microseconds >= (minute + 1) * PastTrading.minute }
    return Array(trades[from..<to])
  }

  /// The next minute from this one on that has, or may have, kept trades.
  private func nextTold(_ minute: Int64) -> Int64 {
    if stretch(of: minute) != nil { return minute }
    let index = MarketTape.first(trades) { $0.microseconds >= minute * PastTrading.minute }
    let recorded = index < trades.count ? MarketTape.minute(trades[index].microseconds) : .max
    let next = MarketTape.first(stretches) { $0.from >= minute }
    return min(recorded, next < stretches.count ? stretches[next].from : .max)
  }

  @discardableResult
  private mutating func append(_ trade: TapeTrade) -> TapeTrade {
    lastIdentifier += 1
    let trade = trade.numbered(lastIdentifier)
    last = trade
    trades.append(trade)
    if trades.count > 2 * MarketTape.keptTrades { trades.removeFirst(MarketTape.keptTrades) }
    let minute = MarketTape.minute(trade.microseconds)
    if let index = minutes.indices.last, minutes[index].minute == minute {
      minutes[index].candle.add(TapeCandle(trade))
    } else {
      minutes.append(RecordedMinute(minute: minute, candle: TapeCandle(trade)))
      forgetMinutes()
    }
    return trade
  }

  private mutating func stretch(to end: Int64, from begin: Int64) {
    stretches.append(Stretch(from: begin, to: end, before: lastIdentifier))
    lastIdentifier += past.count(from: begin, to: end)
    if stretches.count > MarketTape.keptStretches { stretches.remove(at: 1) }
    guard let minute = past.lastTraded(before: end), minute >= begin else { return }
    last = past.trades(minute).last?.numbered(lastIdentifier) ?? last
  }

  private func stretch(of minute: Int64) -> Stretch? {
    let index = MarketTape.first(stretches) { $0.to > minute }
    guard index < stretches.count, stretches[index].from <= minute else { return nil }
    return stretches[index]
  }

  /// Folds the oldest day of excess minutes into hours.
  private mutating func forgetMinutes() {
    guard minutes.count > MarketTape.keptMinutes + 1440 else { return }
    let border = minutes[1440].minute / 60 * 60
    let count = MarketTape.first(minutes) { $0.minute >= border }
    for recorded in minutes[..<count] { _ = hour(PastTrading.divide(recorded.minute, 60)) }
    minutes.removeFirst(count)
  }

  private mutating func hour(_ hour: Int64) -> TapeCandle {
    if let known = hours[hour] { return known }
    var sum = TapeCandle.none
    let (from, to) = (max(listing, hour * 60), (hour + 1) * 60)
    if let stretch = stretch(of: from), stretch.to >= to {
      sum = past.candle(from: from, to: to)
    } else {
      for minute in from..<to { sum.add(candle(minute)) }
    }
    hours[hour] = sum
    return sum
  }

  /// The first index whose element is beyond a border; elements are in order.
  private static func first<Element>(_ elements: [Element], _ isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(elements[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  var keptHours: Int { hours.count }

  /// Drops the cached hours that the formula can recompute.
  mutating func forgetFormula() {
    hours = hours.filter { hour, _ in
      guard let stretch = stretch(of: hour * 60) else { return true }
      return stretch.to < (hour + 1) * 60
    }
  }

  /// A time in microseconds since 1970.
  static func microseconds(_ time: Timestamp) -> Int64 {
    PastTrading.divide(time.nanoseconds, 1000)
  }

  /// The minute of a time in microseconds since 1970.
  static func minute(_ microseconds: Int64) -> Int64 {
    PastTrading.divide(microseconds, PastTrading.minute)
  }
}

// MARK: - Pages

// The latest trades, the trades after a time, consecutive candles, the figures of a day.

extension MarketTape {
  /// The latest trades, or the latest of those that are `wanted`, oldest first.
  func latest(_ limit: Int, where wanted: (TapeTrade) -> Bool = { _ in true }) -> [TapeTrade] {
    guard let last else { return [] }
    var pages: [[TapeTrade]] = []
    var count = 0
    var minute = MarketTape.minute(last.microseconds)
    while minute >= listing, count < limit {
      let page = trades(of: minute).filter(wanted)
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

  /// The candles of `length` minutes each, oldest first, the last one containing `now`.
  ///
  /// Candles without a trade have the price before them. None starts before the listing.
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

  /// The figures of the minutes from `from` through `now`.
  mutating func summary(from: Int64, at now: Int64) -> DaySummary {
    let traded = candle(from: from, to: now + 1, at: now)
    let before = close(before: from) ?? traded.open
    return DaySummary(before: before, traded: traded.count > 0 ? traded : .empty(at: before))
  }
}

struct DaySummary: Sendable {
  /// The last price before it.
  let before: Int64
  let traded: TapeCandle

  /// The price change, in ticks.
  var change: Int64 { traded.close - before }

  /// The same in hundredths of a percent, rounded half away from zero.
  var changeBasisPoints: Int64 {
    let scaled = change * 10_000
    return (scaled + (scaled < 0 ? -before : before) / 2) / max(1, before)
  }
}
