// A join with a manual clock, and helpers for its tests.

import ChartModel
import MarketHistory
import MarketModel

struct HistoryHarness {
  static let key = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
  /// 10 November 2025, 12:00:00 UTC.
  static let noon: Int64 = 1_762_776_000_000

  var join: HistoryJoin
  /// Milliseconds since 1970.
  var time: Int64
  var asked: [HistoryRequest] = []

  init(
    at time: Int64 = noon, hasVenueHistory: Bool = true, givesTrades: Bool = true,
    pagesBackwards: Bool = false,
    intervals: [CandleInterval] = Array(HistoryJoin.keptIntervals.dropLast())
  ) {
    join = HistoryJoin(
      HistoryHarness.key, hasVenueHistory: hasVenueHistory, venueIntervals: intervals,
      givesTrades: givesTrades, pagesBackwards: pagesBackwards)
    self.time = time
  }

  var now: ClockReading { ClockReading(milliseconds: time) }

  mutating func want(_ interval: CandleInterval = .minute) { asked += join.want(interval, at: now) }

  /// Advances time second by second without changing the stream.
  mutating func wait(_ seconds: Int64) {
    for _ in 0..<seconds {
      time += 1000
      asked += join.timer(at: now)
    }
  }

  mutating func judge(_ state: FreshnessState, heard ago: Int64 = 0) {
    let heard = ClockReading(milliseconds: time - ago)
    let freshness = Freshness(state: state, origin: .simulated, confirmedAt: heard)
    asked += join.judge(freshness, at: now)
  }

  mutating func trade(
    _ identifier: Int64, _ price: Int64, _ quantity: Int64 = 1, at milliseconds: Int64? = nil
  ) {
    join.receive(
      HistoryHarness.trade(identifier, price, quantity, at: milliseconds ?? time), at: now)
  }

  mutating func answer(
    _ request: HistoryRequest, _ response: Result<HistoryResponse, HistoryFailure>
  ) {
    asked.removeAll { $0 == request }
    asked += join.receive(response, to: request, at: now)
  }

  mutating func answer(
    _ interval: CandleInterval = .minute, _ rows: [VenueCandle], committed: Int64?
  ) {
    answer(
      .candles(interval),
      .success(.candles(VenueCandles(rows: rows, lastCommitted: committed))))
  }

  var askedTrades: HistoryRequest? {
    asked.first {
      switch $0 {
      case .trades, .tradesBefore: true
      default: false
      }
    }
  }

  mutating func answerTrades(_ trades: [VenueTrade], next: String = "0") {
    guard let request = askedTrades else { return }
    answer(request, .success(.trades(VenueTrades(trades: trades, next: HistoryCursor(next)))))
  }

  static func trade(
    _ identifier: Int64, _ price: Int64, _ quantity: Int64 = 1, at milliseconds: Int64
  ) -> VenueTrade {
    VenueTrade(
      identifier: identifier, time: Timestamp(milliseconds: milliseconds),
      price: FixedDecimal(units: price, scale: .whole),
      quantity: FixedDecimal(units: quantity, scale: .whole))
  }

  static func row(
    _ start: Int64, _ open: Int64, _ high: Int64, _ low: Int64, _ close: Int64, _ volume: Int64,
    _ count: Int32
  ) -> VenueCandle {
    func price(_ units: Int64) -> FixedDecimal { FixedDecimal(units: units, scale: .whole) }
    return VenueCandle(
      start: start, open: price(open), high: price(high), low: price(low), close: price(close),
      volume: price(volume), count: count)
  }

  func minute(_ start: Int64) -> Candle? { join.candles(of: .minute).first { $0.start == start } }
}

extension Candle {
  /// "100 105 99 101 ×7 /3": whole prices, volume, count.
  var words: String {
    let prices = [open, high, low, close].map { String($0.units / 100_000_000) }
    return (prices + ["×\(volume.units)", "/\(count)"]).joined(separator: " ")
  }
}
