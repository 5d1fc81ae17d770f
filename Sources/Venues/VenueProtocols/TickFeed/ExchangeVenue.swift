public import MarketModel

extension VenueDescriptor {
  /// The exchange's raw TCP tick feed; it has no public address.
  static let exchange = VenueDescriptor(
    displayName: "Two Roads Exchange", transport: .tcp, addressHelp: "its tick feed",
    others: [
      OfferedInstrument(
        ExchangeCatalogue.symbol, ExchangeCatalogue.name, .stock, in: ExchangeCatalogue.currency)
    ],
    priceDecimals: ExchangeCatalogue.decimals, hasOnlyOthers: true, replay: .oneInstrument,
    session: { TickFeedSession(symbol: ExchangeCatalogue.symbol, origin: $0.origin) })
}

/// The one stock of the exchange.
public enum ExchangeCatalogue {
  /// The stock.
  public static let symbol = Symbol(known: "TROAD")
  /// Its display name.
  public static let name = "Two Roads"
  /// ISO 4217 code of its prices.
  public static let currency = "USD"
  /// Decimals of its prices.
  public static let decimals = Scale(clamping: 2)
}
