// LT12: positions of several markets, and their sums by currency.

import MarketModel
import PaperTrading
import Testing

@testable import AppState

@Suite struct PositionsScreenTests {
  private let stock = TradingRules(oneStock: Symbol(known: "TROAD"))

  private func book(
    _ symbol: Symbol, _ currency: String, bid: Int64?, ask: Int64?, price: UInt8, size: UInt8,
    sequence: UInt64
  ) -> TradingInput {
    func rows(_ units: Int64?) -> [BookRow] {
      units.map {
        [
          BookRow(
            price: Price(units: $0), size: Quantity(units: 1_000_000),
            accumulated: Quantity(units: 1_000_000))
        ]
      } ?? []
    }
    let view = BookView(
      symbol: symbol, status: .synced, freshness: .waiting(.venue), bids: rows(bid),
      asks: rows(ask), bidLevels: 0, askLevels: 0, priceScale: Scale(clamping: price),
      quantityScale: Scale(clamping: size), priceDecimals: Scale(clamping: price),
      sequence: sequence, resyncs: 0)
    return .feed(.book(view, currency: currency, fees: FeeRates(maker: 10, taker: 35)), of: symbol)
  }

  private func buy(_ symbol: Symbol, _ units: Int64, _ number: Int) throws -> TradingInput {
    .place(
      OrderRequest(
        clientIdentifier: try #require(ClientOrderIdentifier("o\(number)")), symbol: symbol,
        side: .buy, kind: .market, quantity: Quantity(units: units)))
  }

  private struct Market {
    let symbol: Symbol
    let currency: String
    let price: UInt8
    let size: UInt8
  }

  private func markets() throws -> [Market] {
    [
      Market(symbol: try symbol("kraken:BTC/USD"), currency: "USD", price: 1, size: 8),
      Market(symbol: try symbol("kraken:ETH/USD"), currency: "USD", price: 2, size: 3),
      Market(symbol: try symbol("okx:SOL-BTC"), currency: "BTC", price: 8, size: 2),
    ]
  }

  private func screen(of trader: PaperTrader) throws -> PositionsScreen {
    var screen = PositionsScreen(symbol: stock.symbol)
    for symbol in [stock.symbol] + (try markets().map(\.symbol)) {
      screen.take(.position(trader.position(of: symbol, minutes: EquityLine())))
    }
    return screen
  }

  @Test func `cash and value of each currency are those of its markets, and add up to its equity`()
    throws
  {
    var trader = PaperTrader(rules: stock)
    _ = trader.handle(
      .feed(
        .tick(
          TopOfBook(
            number: 1, venueTime: 1,
            bid: PriceLevel(price: Price(units: 45_000_000), quantity: Quantity(units: 60)),
            ask: PriceLevel(price: Price(units: 45_100_000), quantity: Quantity(units: 60)))),
        of: stock.symbol), at: at(0))
    _ = trader.handle(try buy(stock.symbol, 3, 0), at: at(1))
    for (index, market) in try markets().enumerated() {
      _ = trader.handle(
        book(
          market.symbol, market.currency, bid: 64_000_1, ask: 64_000_3, price: market.price,
          size: market.size, sequence: 1), at: at(2))
      _ = trader.handle(try buy(market.symbol, 123, index + 1), at: at(3))
    }
    let state = try screen(of: trader).state
    #expect(state.totals.keys.sorted() == ["BTC", "USD"])
    let usd = [state] + state.markets.values.filter { $0.currency == "USD" }
    #expect(usd.count == 3)
    for (currency, parts) in [
      "USD": usd, "BTC": state.markets.values.filter { $0.currency == "BTC" },
    ] {
      let total = try #require(state.totals[currency])
      let cash = try sum(parts.map(\.cash))
      let value = try sum(parts.map { try #require($0.value) })
      #expect(try sum([try #require(total.cash)]) == cash)
      #expect(try sum([try #require(total.value)]) == value)
      #expect(try sum([try #require(total.equity)]) == cash + value)
      #expect(try sum(parts.map { try #require($0.equity) }) == cash + value)
    }
    #expect(state.totals["USD"]?.decimals == Scale(clamping: 2))
    #expect(state.totals["BTC"]?.decimals == Scale(clamping: 8))
    // Amounts have cents where prices have one decimal.
    let bitcoin = try symbol("kraken:BTC/USD")
    #expect(state.markets[bitcoin]?.decimals == Scale(clamping: 2))
    var one = PositionsScreen(symbol: stock.symbol)
    one.take(.position(trader.position(of: bitcoin, minutes: EquityLine())))
    #expect(one.state.totals["USD"]?.decimals == Scale(clamping: 2))
  }

  /// The sum in units of 16 decimals; no cash here needs more.
  private func sum(_ texts: [String]) throws -> Int64 {
    try texts.reduce(0) { sum, text in
      sum + (try #require(try decimal(text).exactly(at: Scale(clamping: 13)))).units
    }
  }

  @Test func `without an exit price a currency has cash and no equity, and no other is affected`()
    throws
  {
    var trader = PaperTrader(rules: stock)
    let (bitcoin, ether) = (try symbol("kraken:BTC/USD"), try symbol("okx:SOL-BTC"))
    for (index, symbol) in [bitcoin, ether].enumerated() {
      let currency = index == 0 ? "USD" : "BTC"
      _ = trader.handle(
        book(symbol, currency, bid: nil, ask: 100, price: 0, size: 0, sequence: 1), at: at(0))
      _ = trader.handle(try buy(symbol, 2, index), at: at(1))
    }
    _ = trader.handle(
      book(bitcoin, "USD", bid: 99, ask: 100, price: 0, size: 0, sequence: 2), at: at(2))
    let totals = try screen(of: trader).state.totals
    #expect(totals["USD"]?.value == "198" && totals["USD"]?.equity == "-2")
    #expect(totals["BTC"]?.cash == "-200")
    #expect(totals["BTC"]?.value == nil && totals["BTC"]?.equity == nil)
  }

  @Test func `before the first fill there is no sum`() throws {
    #expect(try screen(of: PaperTrader(rules: stock)).state.totals.isEmpty)
  }

  @Test func `a sum beyond 127 bits has no figure and does not trap`() {
    var large = AmountSum()
    large.add(WideInteger(.max, times: .max), digits: 0)
    #expect(large.text != nil)
    var scaled = large
    scaled.add(WideInteger(1), digits: 2)
    #expect(scaled.text == nil)
    large.add(WideInteger(.max, times: .max), digits: 0)
    large.add(WideInteger(.max, times: .max), digits: 0)
    #expect(large.text == nil)
    var exact = AmountSum()
    exact.add(WideInteger(-15), digits: 1)
    exact.add(WideInteger(225), digits: 2)
    exact.add(WideInteger(-1), digits: 20)
    #expect(exact.text == "0.74999999999999999999")
  }
}
