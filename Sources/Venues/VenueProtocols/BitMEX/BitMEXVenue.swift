import MarketModel

extension VenueDescriptor {
  /// BitMEX, which is closed; its protocol is still simulated and replayed.
  static let bitmex = VenueDescriptor(
    displayName: "BitMEX",
    closure:
      "BitMEX closed on 23 September 2026. Its protocol lives on in simulation and recordings.",
    transport: .webSocket, addressHelp: "its realtime API", simulatedPath: "/realtime",
    clientPaths: ["/realtime", "/api/v1/"],
    // Safe by its older limits per hour: 20 in 2017, then 40, 60 and finally 720.
    budget: ConnectionBudget(attempts: 40),
    books: [
      BookInstrument(.bitmex, "XBTUSD", "Bitcoin / US dollar", "XBT", "USD", .inverse),
      BookInstrument(.bitmex, "ETHUSD", "Ether / US dollar", "ETH", "USD", .quanto),
      BookInstrument(.bitmex, "SOLUSD", "Solana / US dollar", "SOL", "USD", .quanto),
    ],
    acceptsNames: true, pricesMayBeNegative: true, history: .bitmex,
    replay: .allInstruments { BitMEXReplay() },
    session: { BitMEXSession(origin: $0.origin) })
}
