import MarketModel
import Testing
import VenueCatalogue

@testable import VenueProtocols

/// A venue that lists its instruments over HTTP: what its list and its book's messages are.
struct ListingCase: Sendable, CustomTestStringConvertible {
  /// A row of a list in short notation; nil leaves the member out.
  struct Row {
    var base = "BTC"
    var quote = "USDT"
    var state: String?
    var tick: String? = "\"0.1\""
    var step: String? = "\"0.00001\""
    /// Members at the end of the row.
    var more = ""
  }

  let venue: Venue
  let list: InstrumentList
  /// The state of an open market, and that of a closed one.
  let states: (open: String, closed: String)
  /// A session whose catalogue's market of bitcoins has the book ``image``.
  let live: @Sendable () -> any BookHarness
  /// A row of the list.
  let row: @Sendable (Row) -> String
  /// The body of a list with these rows.
  let body: @Sendable (_ rows: [String]) -> String
  /// A list as the venue has documented it, and what it contains.
  let documented: (body: String, rows: [ListedRow])
  /// A row that is not of this kind of market.
  let foreign: [String]
  /// A response of status 200 that refuses the request; nil where the venue has none.
  var refusal: (body: String, seconds: Int64)?
  /// Whether rows state their steps.
  var statesSteps = true

  var testDescription: String { "\(venue)" }

  static let image = "100.5×0.1 99×2 | 101×1.5"
  static let all = [coinbase, okx, bybit, bybitLinear, binance]

  var bitcoin: Symbol { venue.descriptor.books[0].symbol }

  func symbol(_ base: String, _ quote: String = "USDT") -> String {
    base + (venue.descriptor.pairSeparator ?? "") + quote
  }

  /// A market outside the catalogue.
  var other: Symbol { Symbol(symbol("LTC", venue == .coinbase ? "USD" : "USDT")) ?? bitcoin }

  func open(_ base: String, _ change: (inout Row) -> Void = { _ in }) -> String {
    var row = Row(base: base, quote: venue == .coinbase ? "USD" : "USDT", state: states.open)
    change(&row)
    return self.row(row)
  }

  /// A response with these rows.
  func message(_ rows: String..., status: Int = 200, wait: Int? = nil) -> String {
    response(body: body(rows), status: status, wait: wait)
  }

  func response(body: String = "", status: Int = 200, wait: Int? = nil) -> String {
    let response = FetchedResponse(
      path: list.path, status: status, retryAfterSeconds: wait, body: Array(body.utf8))
    return String(decoding: response.message, as: UTF8.self)
  }

  static func member(_ name: String, _ value: String?) -> String {
    value.map { #","\#(name)":\#($0)"# } ?? ""
  }

  static func listed(
    _ symbol: String, _ base: String, _ quote: String, _ kind: InstrumentKind = .spot,
    _ price: String? = nil, _ size: String? = nil, isOpen: Bool = true
  ) -> ListedRow {
    ListedRow(
      instrument: ListedInstrument(
        symbol: Symbol(symbol) ?? Symbol(known: "?"), base: base, quote: quote, kind: kind,
        isOpen: isOpen),
      priceStep: price.flatMap { FixedDecimal($0) }, sizeStep: size.flatMap { FixedDecimal($0) })
  }

  static let coinbase = ListingCase(
    venue: .coinbase, list: .coinbase, states: ("online", "delisted"),
    live: {
      var harness = CoinbaseHarness(wanting: Subscription(.book, CoinbaseHarness.bitcoin), .listing)
      harness.say(CoinbaseHarness.status())
      harness.say(CoinbaseHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5"))
      return harness
    },
    row: { row in
      #"{"product_id":"\#(row.base)-\#(row.quote)","product_type":"SPOT","alias":"""#
        + member("status", row.state.map { "\"\($0)\"" }) + row.more + "}"
    },
    body: { #"{"products":[\#($0.joined(separator: ","))]}"# },
    documented: (
      #"{"products":[{"product_id":"BTC-USD","price":"68925.98","status":"online","#
        + #""product_type":"SPOT","alias":"","alias_to":["BTC-USDC"],"view_only":false}]}"#,
      [listed("BTC-USD", "BTC", "USD")]
    ),
    foreign: [#"{"product_id":"BIP-20DEC30-CDE","product_type":"FUTURE","status":""}"#],
    statesSteps: false)

  static let okx = ListingCase(
    venue: .okx, list: .okx, states: ("live", "suspend"),
    live: {
      var harness = OKXHarness(wanting: Subscription(.book, OKXHarness.bitcoin), .listing)
      harness.receive(
        OKXHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10))
      return harness
    },
    row: { row in
      #"{"instId":"\#(row.base)-\#(row.quote)","instType":"SPOT","baseCcy":"\#(row.base)""#
        + #","quoteCcy":"\#(row.quote)""# + member("state", row.state.map { "\"\($0)\"" })
        + member("tickSz", row.tick) + member("lotSz", row.step) + row.more + "}"
    },
    body: { #"{"code":"0","msg":"","data":[\#($0.joined(separator: ","))]}"# },
    documented: (
      #"{"code":"0","msg":"","data":[{"alias":"","auctionEndTime":"","baseCcy":"BTC","#
        + #""category":"1","ctVal":"","expTime":"","futureSettlement":false,"groupId":"12","#
        + #""instCategory":"1","instId":"BTC-USDT","instIdCode":3,"instType":"SPOT","lever":"10","#
        + #""listTime":"1611907686000","lotSz":"0.00000001","maxLmtSz":"9999999999","#
        + #""minSz":"0.00001","quoteCcy":"USDT","ruleType":"normal","settleCcy":"","#
        + #""state":"live","stk":"","tickSz":"0.1","tradeQuoteCcyList":["USDT"],"upcChg":[]}]}"#,
      [listed("BTC-USDT", "BTC", "USDT", .spot, "0.1", "0.00000001")]
    ),
    foreign: [
      #"{"instId":"BTC-USDT-SWAP","instType":"SWAP","baseCcy":"","quoteCcy":"","state":"live","#
        + #""tickSz":"0.1","lotSz":"0.01"}"#
    ],
    refusal: (#"{"code":"50011","msg":"Too Many Requests","data":[]}"#, 60))

  static let bybit = bybit(
    .bybit, .bybit,
    live: {
      var harness = BybitHarness(wanting: Subscription(.book, BybitHarness.bitcoin), .listing)
      harness.receive(BybitHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10))
      return harness
    },
    step: "basePrecision", more: #","innovation":"0""#,
    documented: (
      #"{"retCode":0,"retMsg":"OK","result":{"category":"spot","list":[{"symbol":"BTCUSDT","#
        + #""baseCoin":"BTC","quoteCoin":"USDT","innovation":"0","status":"Trading","#
        + #""lotSizeFilter":{"basePrecision":"0.000001","quotePrecision":"0.00000001","#
        + #""minOrderQty":"0.00004","maxOrderQty":"500"},"priceFilter":{"tickSize":"0.01"}}]},"#
        + #""retExtInfo":{},"time":1682255157981}"#,
      [listed("BTCUSDT", "BTC", "USDT", .spot, "0.01", "0.000001")]
    ),
    foreign: [])

  static let bybitLinear = bybit(
    .bybitLinear, .bybitLinear,
    live: {
      var harness = BybitLinearHarness(
        wanting: Subscription(.book, BybitHarness.bitcoin), .listing)
      harness.receive(BybitHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10))
      return harness
    },
    step: "qtyStep", more: #","contractType":"LinearPerpetual","settleCoin":"USDT""#,
    documented: (
      #"{"retCode":0,"retMsg":"OK","result":{"category":"linear","list":[{"symbol":"BTCUSDT","#
        + #""symbolId":5,"contractType":"LinearPerpetual","status":"Trading","baseCoin":"BTC","#
        + #""quoteCoin":"USDT","deliveryTime":"0","priceScale":"2","leverageFilter":{"#
        + #""minLeverage":"1"},"priceFilter":{"minPrice":"0.10","maxPrice":"1999999.80","#
        + #""tickSize":"0.10"},"lotSizeFilter":{"maxOrderQty":"1190.000","qtyStep":"0.001"},"#
        + #""unifiedMarginTrade":true,"settleCoin":"USDT","preListingInfo":null}],"#
        + #""nextPageCursor":""},"retExtInfo":{},"time":1735809771618}"#,
      [listed("BTCUSDT", "BTC", "USDT", .perpetual, "0.10", "0.001")]
    ),
    foreign: [
      #"{"symbol":"BTCUSDZ26","contractType":"LinearFutures","settleCoin":"USDT","#
        + #""baseCoin":"BTC","quoteCoin":"USDT","status":"Trading"}"#,
      #"{"symbol":"BTCPERP","contractType":"LinearPerpetual","settleCoin":"USDC","#
        + #""baseCoin":"BTC","quoteCoin":"USDC","status":"Trading"}"#,
    ])

  private static func bybit(
    _ venue: Venue, _ list: InstrumentList, live: @escaping @Sendable () -> any BookHarness,
    step: String, more: String, documented: (body: String, rows: [ListedRow]), foreign: [String]
  ) -> ListingCase {
    ListingCase(
      venue: venue, list: list, states: ("Trading", "Closed"), live: live,
      row: { row in
        let filters = [
          row.tick.map { #","priceFilter":{"tickSize":\#($0)}"# },
          row.step.map { #","lotSizeFilter":{"\#(step)":\#($0)}"# },
        ].compactMap(\.self).joined()
        return #"{"symbol":"\#(row.base)\#(row.quote)","baseCoin":"\#(row.base)""#
          + #","quoteCoin":"\#(row.quote)""# + member("status", row.state.map { "\"\($0)\"" })
          + filters + more + row.more + "}"
      },
      body: {
        #"{"retCode":0,"retMsg":"OK","result":{"list":[\#($0.joined(separator: ","))],"#
          + #""nextPageCursor":""},"retExtInfo":{},"time":1}"#
      },
      documented: documented, foreign: foreign,
      refusal: (#"{"retCode":10006,"retMsg":"Too many visits!","result":{}}"#, 60))
  }

  static let binance = ListingCase(
    venue: .binance, list: .binance, states: ("TRADING", "BREAK"),
    live: {
      var harness = BinanceHarness(
        wanting: Subscription(.book, BinanceHarness.bitcoin), .listing)
      harness.receive(BinanceHarness.update(8, 10))
      harness.receive(BinanceHarness.snapshot(10, bids: "100.5×0.1 99×2", asks: "101×1.5"))
      harness.receive(BinanceHarness.listing(tick: "0.1", step: "0.00001"))
      return harness
    },
    row: { row in
      let filters = [
        #"{"filterType":"MARKET_LOT_SIZE","stepSize":"0.00000000"}"#,
        row.tick.map { #"{"tickSize":\#($0),"filterType":"PRICE_FILTER"}"# },
        row.step.map { #"{"filterType":"LOT_SIZE","stepSize":\#($0)}"# },
      ].compactMap(\.self).joined(separator: ",")
      return #"{"symbol":"\#(row.base)\#(row.quote)","baseAsset":"\#(row.base)""#
        + #","quoteAsset":"\#(row.quote)""# + member("status", row.state.map { "\"\($0)\"" })
        + #","filters":[\#(filters)]\#(row.more)}"#
    },
    body: { #"{"timezone":"UTC","symbols":[\#($0.joined(separator: ","))]}"# },
    documented: (
      #"{"timezone":"UTC","serverTime":1,"symbols":[{"symbol":"ETHBTC","status":"TRADING","#
        + #""baseAsset":"ETH","baseAssetPrecision":8,"quoteAsset":"BTC","quotePrecision":8,"#
        + #""orderTypes":["LIMIT"],"icebergAllowed":true,"filters":[{"filterType":"PRICE_FILTER","#
        + #""minPrice":"0.00001000","maxPrice":"922327.00000000","tickSize":"0.00001000"},"#
        + #"{"filterType":"LOT_SIZE","minQty":"0.00010000","maxQty":"100000.00000000","#
        + #""stepSize":"0.00010000"},{"filterType":"ICEBERG_PARTS","limit":10},"#
        + #"{"filterType":"MARKET_LOT_SIZE","minQty":"0.00000000","stepSize":"0.00000000"}],"#
        + #""isSpotTradingAllowed":true,"permissionSets":[]}]}"#,
      [listed("ETHBTC", "ETH", "BTC", .spot, "0.00001", "0.0001")]
    ),
    foreign: [])
}
