// The one-stock exchange as the rest of the program sees it.

import MarketModel

extension VenueDescriptor {
  /// The exchange's raw TCP tick feed; there is no public one.
  static let exchange = VenueDescriptor(
    displayName: "Two Roads Exchange", transport: .tcp, addressHelp: "its tick feed",
    others: [
      OfferedInstrument(
        ExchangeCatalogue.symbol, ExchangeCatalogue.name, .stock, in: ExchangeCatalogue.currency)
    ],
    priceDecimals: ExchangeCatalogue.decimals, hasOnlyOthers: true, replay: .oneInstrument,
    session: { TickFeedSession(symbol: ExchangeCatalogue.symbol, origin: $0.origin) })
}
