public import MarketModel

/// A stock of the price tracker.
public struct Stock: Hashable, Sendable {
  /// The ticker symbol: "AAPL".
  public let symbol: Symbol
  /// The company's short name: "Apple".
  public let name: String
  /// What the company does, in one sentence.
  public let about: String
  /// The start of the price tracker's random walk, in cents; plausible, not quoted.
  public let startPriceCents: Int64
}

/// The 25 stocks of the price tracker (PT1).
public enum StockCatalogue {
  /// ISO 4217 code of all prices here.
  public static let currency = "USD"
  /// Decimals of all prices here.
  public static let decimals = Scale(clamping: 2)

  /// All stocks, sorted by symbol.
  public static let stocks: [Stock] = rows.map { row in
    Stock(symbol: Symbol(known: row.0), name: row.1, about: row.3, startPriceCents: row.2)
  }.sorted { $0.symbol < $1.symbol }

  /// The stock with this symbol; nil when it is not in the list.
  public static func stock(_ symbol: Symbol) -> Stock? { bySymbol[symbol] }

  private static let bySymbol = Dictionary(
    stocks.map { ($0.symbol, $0) }, uniquingKeysWith: { first, _ in first })

  private static let rows: [(StaticString, String, Int64, String)] = [
    ("AAPL", "Apple", 18_920, "Designs the iPhone, the Mac and the services that run on them."),
    ("ABNB", "Airbnb", 13_245, "Runs a marketplace where people rent out rooms and homes."),
    ("ADBE", "Adobe", 47_580, "Sells software for images, documents and marketing."),
    ("AMD", "AMD", 15_870, "Designs processors and graphics chips for computers and data centres."),
    ("AMZN", "Amazon", 17_830, "Sells goods online and rents out computing power."),
    ("BA", "Boeing", 17_615, "Builds airliners, military aircraft and space systems."),
    ("COST", "Costco", 86_240, "Runs membership warehouses that sell groceries in bulk."),
    ("CRM", "Salesforce", 26_410, "Rents out software that keeps track of customers."),
    ("DIS", "Disney", 10_185, "Makes films and series and runs theme parks."),
    ("GOOGL", "Alphabet", 16_790, "Owns Google search, YouTube and the Android system."),
    ("IBM", "IBM", 19_155, "Sells enterprise software, mainframes and consulting."),
    ("INTC", "Intel", 3_064, "Designs and manufactures processors for computers and servers."),
    ("JNJ", "Johnson & Johnson", 15_720, "Develops medicines and medical devices."),
    ("JPM", "JPMorgan Chase", 20_475, "Serves households, companies and markets as a bank."),
    ("KO", "Coca-Cola", 6_342, "Makes soft drinks and sells them through bottlers worldwide."),
    ("MA", "Mastercard", 45_905, "Operates a network for card payments."),
    ("META", "Meta Platforms", 50_160, "Runs Facebook, Instagram and WhatsApp."),
    ("MSFT", "Microsoft", 42_075, "Makes Windows and Office and rents out the Azure cloud."),
    ("NFLX", "Netflix", 63_490, "Streams films and series to subscribers."),
    ("NKE", "Nike", 9_430, "Designs and sells sports shoes and clothing."),
    ("NVDA", "NVIDIA", 12_085, "Designs graphics chips and accelerators for machine learning."),
    ("PG", "Procter & Gamble", 16_525, "Makes household and personal-care goods."),
    ("TSLA", "Tesla", 24_830, "Builds electric cars, batteries and charging stations."),
    ("V", "Visa", 27_395, "Operates a network for card payments between banks."),
    ("WMT", "Walmart", 6_780, "Runs supermarkets and discount stores."),
  ]
}

// EX1: the one stock that the exchange lists.

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

/// An instrument without a book, from the venue's built-in list.
public struct OfferedInstrument: Hashable, Sendable {
  /// Its symbol at the venue: "US0378331005".
  public let symbol: Symbol
  /// Its display name: "Apple".
  public let name: String
  /// The kind of instrument.
  public let kind: InstrumentKind
  /// ISO 4217 code of its prices; empty where the venue does not state it.
  public let currency: String

  /// Creates an instrument.
  public init(_ symbol: Symbol, _ name: String, _ kind: InstrumentKind, in currency: String) {
    (self.symbol, self.name, self.kind, self.currency) = (symbol, name, kind, currency)
  }
}
