// EX1: the one stock that the exchange lists.

public import MarketModel

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
