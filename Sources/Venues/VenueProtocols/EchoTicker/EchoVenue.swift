import MarketModel

extension VenueDescriptor {
  /// The echo server through which the price tracker sends its random walk.
  static let echo = VenueDescriptor(
    displayName: "Price Tracker Echo", publicAddress: "wss://ws.postman-echo.com/raw",
    transport: .webSocket, addressHelp: "a WebSocket echo",
    others: StockCatalogue.stocks.map {
      OfferedInstrument($0.symbol, $0.name, .made, in: StockCatalogue.currency)
    },
    priceDecimals: StockCatalogue.decimals, hasOnlyOthers: true,
    hasOnlyLastPrice: { StockCatalogue.stock($0) != nil }, isOfOneClient: true, replay: .none,
    session: { setup in
      let stocks = StockCatalogue.stocks
      let prices = stocks.map { ($0.symbol, $0.startPriceCents) }
      return EchoTickerSession(
        symbols: stocks.map(\.symbol), seed: setup.seed,
        startPricesCents: Dictionary(prices) { first, _ in first }, origin: setup.origin)
    })
}
