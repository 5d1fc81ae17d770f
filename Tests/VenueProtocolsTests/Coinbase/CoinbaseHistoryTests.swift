// Products, candles and trades over REST.

import MarketModel
import Testing

@testable import VenueProtocols

struct CoinbaseHistoryTests {
  private static let history = VenueHistory.coinbase
  private static let now = Timestamp(milliseconds: 1_712_192_465_000)
  private static let minutes = HistoryRequest.candles(.minute)
  private static let page = HistoryRequest.trades(after: HistoryCursor("1775521736000000000"))
  private static let base = "/api/v3/brokerage/market/products"

  @Test func `every request has its path, none that the venue does not have`() {
    let history = Self.history
    #expect(history.path(.names(.currencies), "", at: Self.now) == Self.base + "?product_type=SPOT")
    // 00:01:05: the minute of 00:00 has ended five seconds ago, which is too recent.
    #expect(
      history.path(Self.minutes, "BTC-USD", at: Self.now)
        == Self.base + "/BTC-USD/candles?start=1712174400&end=1712192399"
        + "&granularity=ONE_MINUTE&limit=300")
    #expect(
      history.path(Self.page, "BTC-USD", at: Self.now)
        == Self.base + "/BTC-USD/ticker?limit=1000&start=1775521736&end=1712192466")
    for interval in [CandleInterval.fifteenMinutes, .hour, .day] {
      #expect(history.path(.candles(interval), "BTC-USD", at: Self.now) != nil)
    }
    for interval in [CandleInterval.second, .fourHours, .week] {
      #expect(history.path(.candles(interval), "BTC-USD", at: Self.now) == nil)
    }
    for name in ["", "BTC/USD", "BTC USD", "A&B", "A?B", String(repeating: "A", count: 65)] {
      #expect(history.path(Self.minutes, name, at: Self.now) == nil, "\(name)")
    }
    for cursor in ["", "-1", "1e5", "99999999999999999999", "9999999999999999999"] {
      let request = HistoryRequest.trades(after: HistoryCursor(cursor))
      #expect(history.path(request, "BTC-USD", at: Self.now) == nil, "\(cursor)")
    }
    #expect(history.path(.condition, "", at: Self.now) == nil)
    #expect(history.path(.names(.tokens), "", at: Self.now) == nil)
  }

  @Test func `captured products: another name of a book has no name`() throws {
    let text = try CoinbasePayloads.text("rest.products.json")
    let names = Self.history.read(.names(.currencies), "", text).names
    #expect(names == [CoinbaseHarness.bitcoin: "BTC-USD"])
  }

  @Test(arguments: [
    #""status":"online","product_type":"FUTURE""#, #""status":"","product_type":"SPOT""#,
    #""status":"delisted","product_type":"SPOT""#,
    #""status":"online","product_type":"SPOT","is_disabled":true"#,
    #""status":"online","product_type":"SPOT","trading_disabled":true"#,
    #""status":"online","product_type":"SPOT","view_only":true"#,
    #""status":"online","product_type":"SPOT","cancel_only":true"#,
    #""status":"online","product_type":"SPOT","alias":"A-USD""#,
  ])
  func `a product that can't be traded has no name`(_ members: String) throws {
    let text = #"{"products":[{"product_id":"A-B",\#(members)}]}"#
    #expect(Self.history.read(.names(.currencies), "", text).names == [:])
  }

  @Test func `the figures of all products come with the list`() throws {
    let bytes = Array(try CoinbasePayloads.text("rest.products.json").utf8)
    let freshness = Freshness(state: .live, origin: .simulated, confirmedAt: nil)
    let figures = try VenueTickers.coinbase.read(
      [CoinbaseHarness.bitcoin: "BTC-USD"], 200, bytes.span, Self.now, freshness
    ).get()
    #expect(figures.map(\.symbol) == [CoinbaseHarness.bitcoin])
    #expect(figures.first?.last == FixedDecimal("68925.98"))
    #expect(figures.first?.changePercent?.description == "-0.28")
    #expect(figures.first?.volume == FixedDecimal("11005.02587005"))
  }

  @Test func `captured candles, newest first, come oldest first and without a count`() throws {
    let text = try CoinbasePayloads.text("rest.candles.json")
    let candles = try #require(Self.history.read(.candles(.hour), "BTC-USD", text).candles)
    #expect(candles.rows.map(\.start) == [1_712_188_800_000, 1_712_192_400_000])
    #expect(candles.lastCommitted == 1_712_192_400_000)
    #expect(candles.rows[0].open == FixedDecimal("65984.18") && candles.rows[0].count == nil)
    #expect(candles.rows[1].volume == FixedDecimal("355.82896243"))
  }

  private func row(_ start: Int64, low: String = "1", volume: String = "5") -> String {
    #"{"start":"\#(start)","low":"\#(low)","high":"3","open":"2","close":"2","#
      + #""volume":"\#(volume)"}"#
  }

  private func candles(_ rows: [String]) -> Result<HistoryResponse, HistoryFailure> {
    Self.history.read(Self.minutes, "A-B", #"{"candles":[\#(rows.joined(separator: ","))]}"#)
  }

  @Test func `minutes without a trade have no row, hours are not taken for minutes`() {
    #expect(candles([row(600), row(60)]).candles?.rows.map(\.start) == [60_000, 600_000])
    #expect(candles([]).candles?.rows.isEmpty == true)
    #expect(candles((1...8).reversed().map { row($0 * 3600) }).isBad)
    #expect(candles((1...8).reversed().map { row($0 * 120) }).candles?.rows.count == 8)
  }

  @Test func `rows that can't be are refused`() {
    #expect(candles([row(60), row(120)]).isBad, "oldest first")
    #expect(candles([row(60), row(60)]).isBad, "twice")
    #expect(candles([row(61)]).isBad, "off the grid")
    #expect(candles([row(60, low: "4")]).isBad, "low above high")
    #expect(candles([row(60, low: "0")]).isBad, "a price of nothing")
    #expect(candles([row(60, volume: "-1")]).isBad)
    #expect(candles([row(-60)]).isBad)
    #expect(candles([row(60).replacing(#""open":"2","#, with: "")]).isBad)
    #expect(candles([row(60).replacing("60", with: "x")]).isBad)
  }

  @Test func `captured trades, newest first, come oldest first from the cursor on`() throws {
    let text = try CoinbasePayloads.text("rest.ticker.json")
    let trades = try #require(Self.history.read(Self.page, "BTC-USD", text).trades)
    #expect(trades.trades.map(\.identifier) == [995_098_661, 995_098_662, 995_098_663])
    #expect(trades.trades.last?.price == FixedDecimal("68923.67"))
    #expect(trades.next.text == "1775521738544778000")
    let later = HistoryRequest.trades(after: HistoryCursor("1775521738250358000"))
    let rest = try #require(Self.history.read(later, "BTC-USD", text).trades)
    #expect(rest.trades.map(\.identifier) == [995_098_663], "the cursor is exclusive")
    let none = HistoryRequest.trades(after: HistoryCursor("1775521738544778000"))
    let page = try #require(Self.history.read(none, "BTC-USD", text).trades)
    #expect(page.trades.isEmpty && page.next.text == "1775521738544778000")
    #expect(Self.history.read(Self.page, "ETH-USD", text).isBad)
  }

  @Test func `a full page of trades is of no use, because earlier ones may be missing`() {
    let rows = (0..<1000).reversed().map { number in
      #"{"trade_id":"\#(number + 1)","product_id":"A-B","price":"1","size":"1","#
        + #""time":"2026-04-07T00:28:58.544778Z","side":"SELL"}"#
    }
    let text = #"{"trades":[\#(rows.joined(separator: ","))]}"#
    #expect(Self.history.read(Self.page, "A-B", text).failure == .unknownInstrument)
    let fewer = #"{"trades":[\#(rows.dropFirst().joined(separator: ","))]}"#
    #expect(Self.history.read(Self.page, "A-B", fewer).trades?.trades.count == 999)
    let swapped = #"{"trades":[\#([rows[1], rows[0]].joined(separator: ","))]}"#
    #expect(Self.history.read(Self.page, "A-B", swapped).isBad)
  }

  @Test func `errors have their meaning`() {
    let history = Self.history
    #expect(history.read(Self.minutes, "A-B", "{}", status: 404).failure == .unknownInstrument)
    #expect(history.read(Self.minutes, "A-B", "{}", status: 429).failure == .rateLimited)
    #expect(history.read(Self.minutes, "A-B", "", status: 503).failure == .unavailable("HTTP 503"))
    #expect(history.read(Self.minutes, "A-B", "{}").isBad)
    #expect(history.read(Self.page, "A-B", "[]").isBad)
  }

  @Test(arguments: ["rest.products.json", "rest.ticker.json", "rest.candles.json"])
  func `an answer cut at any byte is a bad answer`(_ file: String) throws {
    let bytes = Array(try CoinbasePayloads.lines(file)[0].utf8)
    let request: HistoryRequest =
      file.contains("products")
      ? .names(.currencies) : file.contains("ticker") ? Self.page : .candles(.hour)
    for end in bytes.indices {
      let part = Array(bytes[..<end])
      let answer = Self.history.read(request, "BTC-USD", 200, part.span)
      #expect(answer.isBad, "cut at \(end)")
    }
  }
}
