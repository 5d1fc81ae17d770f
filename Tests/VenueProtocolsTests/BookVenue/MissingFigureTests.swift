// A missing figure removes no other: each figure of each venue, missing and null.

import MarketModel
import Testing

import VenueCatalogue
@testable import VenueProtocols

struct MissingFigureTests {
  private static let null = "null"

  // MARK: Kraken's ticker

  private static let ticker: [(key: String, value: String)] = [
    ("bid", "105944.2"), ("bid_qty", "2.5"), ("ask", "105944.3"), ("ask_qty", "3.2"),
    ("last", "105899.4"), ("volume", "163.28908096"), ("vwap", "105904.39279"),
    ("low", "104711.0"), ("high", "106613.1"), ("change", "250.0"), ("change_pct", "0.24"),
    ("trades", "38144"), ("timestamp", #""2022-12-25T09:30:59.123456Z""#),
  ]

  private func shown(_ figures: DayFigures?) -> [String: String] {
    guard let figures else { return [:] }
    let values: [(String, FixedDecimal?)] = [
      ("bid", figures.bid), ("bid_qty", figures.bidSize), ("ask", figures.ask),
      ("ask_qty", figures.askSize), ("last", figures.last), ("volume", figures.volume),
      ("vwap", figures.vwap), ("low", figures.low), ("high", figures.high),
      ("change", figures.change), ("change_pct", figures.changePercent),
    ]
    var shown: [String: String] = [:]
    for (key, value) in values { shown[key] = value?.description }
    shown["trades"] = figures.trades.map(String.init)
    shown["timestamp"] = figures.at?.description
    return shown
  }

  @Test(arguments: ticker.indices)
  func `Kraken's ticker without one figure shows the others`(_ missing: Int) throws {
    func figures(_ rows: [(key: String, value: String)]) -> DayFigures? {
      var harness = KrakenHarness(wanting: Subscription(.figures, KrakenHarness.bitcoin))
      harness.wall = Timestamp(iso8601: "2022-12-25T09:31:00.000Z")
      let members = rows.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
      harness.receive(
        #"{"channel":"ticker","type":"snapshot","data":[{"symbol":"BTC/USD",\#(members)}]}"#)
      #expect(harness.problems.isEmpty && harness.figures()?.freshness.state == .live)
      return harness.figures()
    }
    var expected = shown(figures(Self.ticker))
    #expect(expected.count == Self.ticker.count)
    expected[Self.ticker[missing].key] = nil
    var rows = Self.ticker
    rows[missing].value = Self.null
    #expect(shown(figures(rows)) == expected)
    rows.remove(at: missing)
    #expect(shown(figures(rows)) == expected)
  }

  @Test func `Kraken's ticker without any figure is rejected`() {
    for row in [#"{"symbol":"BTC/USD"}"#, #"{"symbol":"BTC/USD","timestamp":null}"#] {
      var harness = KrakenHarness(wanting: Subscription(.figures, KrakenHarness.bitcoin))
      harness.receive(#"{"channel":"ticker","type":"snapshot","data":[\#(row)]}"#)
      #expect(harness.problems == [.malformed])
    }
  }

  // MARK: Kraken's tickers of all pairs

  private static let all: [(key: String, value: String)] = [
    ("v", #"["1.0","16.5"]"#), ("p", #"["2.5","2.25"]"#), ("t", "[35,3276]"),
    ("l", #"["1.5","1.0"]"#), ("h", #"["2.5","3.0"]"#), ("c", #"["2.05","0.1"]"#),
  ]

  @Test(arguments: all.indices)
  func `a market without one figure spoils neither the others nor other markets`(
    _ missing: Int
  ) throws {
    func read(_ rows: [(key: String, value: String)]) throws -> [DayFigures] {
      func members(_ rows: [(key: String, value: String)]) -> String {
        rows.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
      }
      let text =
        #"{"error":[],"result":{"A":{\#(members(rows))},"B":{\#(members(Self.all))}}}"#
      let bytes = Array(text.utf8)
      return try KrakenTickers.read(
        [Symbol(known: "A/X"): "A", Symbol(known: "B/X"): "B"], status: 200, bytes.span,
        at: Timestamp(milliseconds: 1), .waiting(.venue)
      ).get()
    }
    let whole = try #require(read(Self.all).first)
    var rows = Self.all
    let key = rows[missing].key
    for value in [Self.null, "[]", "[null,null]", #"["1.0"]"#] where key != "c" || value.count < 5 {
      rows[missing].value = value
      let found = try read(rows)
      #expect(found.map(\.symbol.text) == (key == "c" ? ["B/X"] : ["A/X", "B/X"]), "\(value)")
      guard let first = found.first, key != "c" else { continue }
      #expect(first.last == whole.last)
      #expect(first.volume == (key == "v" ? nil : whole.volume))
      #expect(first.vwap == (key == "p" ? nil : whole.vwap))
      #expect(first.trades == (key == "t" ? nil : whole.trades))
      #expect(first.low == (key == "l" ? nil : whole.low))
      #expect(first.high == (key == "h" ? nil : whole.high))
    }
  }

  @Test func `a candle counts whatever its average price is`() {
    for average in ["null", #""""#, #""-""#, "7"] {
      let text = KrakenHistoryTests.candleText.replacing(#""106039.6""#, with: average)
      #expect(
        VenueHistory.kraken.read(KrakenHistoryTests.minutes, KrakenHistoryTests.name, text)
          .candles?.rows.count == 3, "\(average)")
    }
  }

  // MARK: BitMEX

  @Test(arguments: ["tickSize", "lastPrice", "bidPrice", "askPrice"])
  func `BitMEX's instrument without one figure keeps the others`(_ missing: String) {
    let values = ["tickSize": "0.5", "lastPrice": "100.5", "bidPrice": "100", "askPrice": "101"]
    for value in [String?.none, Self.null] {
      var harness = SessionHarness(wanting: Subscription(.quote, SessionHarness.usual))
      var members = values
      members[missing] = value
      let row = members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
      harness.receive(
        #"{"table":"instrument","action":"partial","filter":{"symbol":"XBTUSD"},"#
          + #""data":[{"symbol":"XBTUSD",\#(row.joined(separator: ","))}]}"#)
      #expect(!harness.effects.contains { if case .rejected = $0 { true } else { false } })
      let price = missing == "lastPrice" ? nil : "100.5"
      #expect(harness.quote()?.price?.description == price, "\(missing)")
    }
  }

  @Test(arguments: ["bidPrice", "bidSize", "askPrice", "askSize"])
  func `BitMEX's quote without one figure keeps the others`(_ missing: String) {
    let values = ["bidPrice": "100.5", "bidSize": "7", "askPrice": "101", "askSize": "8"]
    for value in [String?.none, Self.null] {
      var harness = SessionHarness(wanting: Subscription(.quote, SessionHarness.usual))
      var members = values
      members[missing] = value
      let row = members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
      harness.receive(
        #"{"table":"quote","action":"partial","filter":{"symbol":"XBTUSD"},"#
          + #""data":[{"symbol":"XBTUSD",\#(row.joined(separator: ","))}]}"#)
      let quote = harness.quote()
      #expect((quote?.bid == nil) == (missing == "bidPrice"))
      #expect((quote?.bidSize == nil) == (missing == "bidSize"))
      #expect((quote?.ask == nil) == (missing == "askPrice"))
      #expect((quote?.askSize == nil) == (missing == "askSize"))
    }
  }

  // MARK: Venues of quotes

  @Test(arguments: ["bid", "ask"])
  func `an ISIN's quote without one figure keeps the others`(_ missing: String) throws {
    let values = ["price": "10.5", "bid": "10.4", "ask": "10.6"]
    for value in [String?.none, Self.null] {
      var members = values
      members[missing] = value
      let text =
        #"{"isin":"US0378331005","#
        + members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
      let quote = try IsinStreamMessage(decoding: Array(text.utf8).span)
      #expect(quote.price.description == "10.5")
      #expect((quote.bid == nil) == (missing == "bid") && (quote.ask == nil) == (missing == "ask"))
    }
  }

  @Test(arguments: ["symbol", "displayName", "closingPrice", "productMarketStatus"])
  func `BUX's product without one figure keeps the others`(_ missing: String) throws {
    let money = #"{"currency":"EUR","decimals":1,"amount":"12352.8"}"#
    let values = [
      "symbol": #""GERMANY40""#, "displayName": #""Germany 40""#, "closingPrice": money,
      "productMarketStatus": #""OPEN""#,
    ]
    for value in [String?.none, Self.null] {
      var members = values
      members[missing] = value
      let text =
        #"{"securityId":"sb26493","currentPrice":\#(money),"#
        + members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
      let product = try BuxProductResponse.product(from: Array(text.utf8).span)
      #expect(product.currentPrice.description == "12352.8" && product.currency == "EUR")
      #expect(product.symbol == (missing == "symbol" ? "sb26493" : "GERMANY40"))
      #expect(product.displayName == (missing == "displayName" ? "GERMANY40" : "Germany 40"))
      #expect((product.closingPrice == nil) == (missing == "closingPrice"))
      #expect((product.isMarketOpen == nil) == (missing == "productMarketStatus"))
    }
  }

  @Test(arguments: ["currency", "decimals", "amount"])
  func `a BUX close without a member is missing, and spoils no price`(_ missing: String) throws {
    let values = ["currency": #""EUR""#, "decimals": "1", "amount": #""12352.8""#]
    for value in [String?.none, Self.null] {
      var members = values
      members[missing] = value
      let closing = members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
      let text =
        #"{"securityId":"sb26493","#
        + #""currentPrice":{"currency":"EUR","decimals":1,"amount":"12352.8"},"#
        + #""closingPrice":{\#(closing)}}"#
      let product = try BuxProductResponse.product(from: Array(text.utf8).span)
      #expect(product.currentPrice.description == "12352.8" && product.closingPrice == nil)
    }
  }
}
