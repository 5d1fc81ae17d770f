import MarketModel

extension VenueDescriptor {
  /// Kraken, a live market of spot pairs.
  static let kraken = VenueDescriptor(
    displayName: "Kraken", publicAddress: "wss://ws.kraken.com/v2", transport: .webSocket,
    addressHelp: "its WebSocket v2", simulatedPath: "/v2", clientPaths: ["/v2", "/0/public/"],
    // The venue allows about 150 per address, which other clients may share.
    budget: ConnectionBudget(attempts: 120, windowMilliseconds: 600_000),
    books: [
      BookInstrument(.kraken, "BTC/USD", "Bitcoin / US dollar", "BTC", "USD", .base),
      BookInstrument(.kraken, "ETH/USD", "Ether / US dollar", "ETH", "USD", .base),
      BookInstrument(.kraken, "SOL/USD", "Solana / US dollar", "SOL", "USD", .base),
      BookInstrument(.kraken, "XRP/USD", "XRP / US dollar", "XRP", "USD", .base),
      BookInstrument(.kraken, "DOGE/USD", "Dogecoin / US dollar", "DOGE", "USD", .base),
      BookInstrument(.kraken, "SHIB/USD", "Shiba Inu / US dollar", "SHIB", "USD", .base),
      BookInstrument(.kraken, "ETH/BTC", "Ether / Bitcoin", "ETH", "BTC", .base),
    ],
    acceptsPairs: true, provesBooks: true, statesFigures: true, listsInstruments: true,
    history: .kraken, warnings: { KrakenResponse.warnings($0) }, tickers: .kraken,
    replay: .allInstruments { KrakenReplay() }, session: { KrakenSession(origin: $0.origin) })
}
