import MarketModel

extension VenueDescriptor {
  /// The price stream of the watch list.
  static let isin = VenueDescriptor(
    displayName: "Stock Price Stream", publicAddress: "ws://159.89.15.214:8080/",
    transport: .webSocket, addressHelp: "the ISIN price stream",
    others: IsinCatalogue.shares.map {
      OfferedInstrument($0.isin, $0.name, .share, in: IsinCatalogue.currency)
    },
    priceDecimals: IsinCatalogue.decimals,
    hasOnlyLastPrice: { Isin.isValid($0.text) }, replay: .oneInstrument,
    session: { IsinStreamSession(origin: $0.origin) })
}
