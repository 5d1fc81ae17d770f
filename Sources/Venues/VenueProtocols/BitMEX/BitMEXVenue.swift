// BitMEX as the rest of the program sees it.

import MarketModel

extension VenueDescriptor {
  /// BitMEX: closed, its protocol lives on.
  static let bitmex = VenueDescriptor(
    displayName: "BitMEX",
    closure:
      "BitMEX closed on 23 September 2026. Its protocol lives on in simulation and recordings.",
    transport: .webSocket, addressHelp: "its realtime API", simulatedPath: "/realtime",
    clientPaths: ["/realtime", "/api/v1/"],
    // Safe by its older limits: 20 in 2017, 40, 60, then 720 an hour.
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
