// The one-stock exchange as the rest of the program sees it.

public import MarketModel

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

/// The exchange's stock.
public enum ExchangeCatalogue {
  /// The stock.
  public static let symbol = Symbol(known: "TROAD")
  /// Its name for people.
  public static let name = "Two Roads"
  /// ISO 4217 code of its prices.
  public static let currency = "USD"
  /// Decimals of its prices.
  public static let decimals = Scale(clamping: 2)
}
