import MarketModel

struct BuxListing: Sendable {
  /// The groups that share opening hours and tags.
  enum Category: String, Sendable {
    case stocks = "STOCKS"
    case forex = "FOREX"
    case indices = "INDICES"
    case commodities = "COMMODITIES"

    /// The standard deviation of a second's change, in 10^-9 of the price.
    var volatility: Int64 {
      switch self {
      case .stocks: 100_000
      case .forex: 15_000
      case .indices: 45_000
      case .commodities: 60_000
      }
    }
  }

  /// "sb26493".
  let identifier: String
  /// "GERMANY30".
  let symbol: String
  /// "Germany 30".
  let name: String
  /// ISO 4217.
  let currency: String
  /// Digits after the point of every amount, 0 to 5.
  let decimals: UInt8
  /// The start price in units of `decimals`; a stock's price at other venues takes precedence.
  let start: Int64
  let category: Category
  /// Whether its market is open; a closed one never quotes.
  let isOpen: Bool
  /// The stock's ISIN, if other venues also show it.
  let isin: String?

  init(
    _ identifier: String, _ symbol: String, _ name: String, _ currency: String, _ decimals: UInt8,
    _ start: Int64, _ category: Category, isOpen: Bool = true, isin: String? = nil
  ) {
    self.identifier = identifier
    self.symbol = symbol
    self.name = name
    self.currency = currency
    self.decimals = decimals
    self.start = start
    self.category = category
    self.isOpen = isOpen
    self.isin = isin
  }

  var scale: Scale { Scale(clamping: decimals) }

  /// Its market: the stock's own if other venues also show it.
  func listing(_ stocks: [String: SharedStock]) -> MarketListing {
    if let stock = isin.flatMap({ stocks[$0] }) { return stock.listing }
    let underlying =
      symbol == Underlying.euro.name
      ? Underlying.euro : Underlying(name: identifier, volatility: category.volatility)
    return .quoted(identifier, underlying, startTicks: start)
  }
}

/// All products in list order: the six of the assignment with their real identifiers, and
/// fictitious ones so that lists and search have contents.
enum BuxCatalogue {
  static let listings: [BuxListing] = assignment + indicesAndRates + stocks

  private static let assignment = [
    BuxListing("sb26493", "GERMANY30", "Germany 30", "EUR", 1, 123_528, .indices),
    BuxListing("sb26496", "US500", "US 500", "USD", 2, 207_788, .indices),
    BuxListing("sb26502", "EUR/USD", "EUR/USD", "USD", 5, Underlying.euroRate, .forex),
    BuxListing("sb26500", "GOLD", "Gold", "USD", 1, 12_591, .commodities),
    BuxListing(
      "sb26513", "AAPL", "Apple", "USD", 2, 18_920, .stocks, isin: SharedStock.apple),
    BuxListing(
      "sb28248", "Deutsche Bank", "Deutsche Bank", "EUR", 2, 1_500, .stocks,
      isin: SharedStock.deutscheBank),
  ]

  private static let indicesAndRates = [
    BuxListing("sb90001", "NORDIC20", "Nordic 20", "EUR", 0, 4_812, .indices),
    BuxListing("sb90002", "ALPINE30", "Alpine 30", "CHF", 1, 98_764, .indices),
    BuxListing("sb90003", "PACIFIC50", "Pacific 50", "JPY", 0, 27_431, .indices),
    BuxListing("sb90004", "BENELUX25", "Benelux 25", "EUR", 2, 52_315, .indices),
    BuxListing("sb90005", "GBP/USD", "GBP/USD", "USD", 5, 126_418, .forex),
    BuxListing("sb90006", "USD/JPY", "USD/JPY", "JPY", 3, 149_227, .forex),
    BuxListing("sb90007", "EUR/CHF", "EUR/CHF", "CHF", 5, 95_213, .forex),
    BuxListing("sb90008", "EUR/GBP", "EUR/GBP", "GBP", 5, 85_977, .forex),
    BuxListing("sb90009", "SILVER", "Silver", "USD", 3, 23_415, .commodities),
    BuxListing("sb90010", "OIL", "Crude oil", "USD", 2, 7_864, .commodities),
    BuxListing("sb90011", "GAS", "Natural gas", "USD", 3, 2_871, .commodities),
    BuxListing("sb90012", "COPPER", "Copper", "USD", 4, 38_215, .commodities),
  ]

  private static let stocks = [
    BuxListing("sb90101", "AMBER", "Amber Airlines", "EUR", 2, 2_418, .stocks),
    BuxListing("sb90102", "BIRCH", "Birch Bank", "EUR", 3, 11_827, .stocks),
    BuxListing("sb90103", "CEDAR", "Cedar Chemicals", "EUR", 2, 6_704, .stocks),
    BuxListing("sb90104", "DELTA", "Delta Dredging", "EUR", 2, 3_155, .stocks),
    BuxListing("sb90105", "EMBER", "Ember Energy", "EUR", 4, 48_760, .stocks),
    BuxListing("sb90106", "FJORD", "Fjord Foods", "EUR", 2, 8_931, .stocks),
    BuxListing("sb90107", "GRAPH", "Graphite Games", "USD", 2, 14_207, .stocks),
    BuxListing("sb90108", "HARBR", "Harbour Logistics", "USD", 2, 5_588, .stocks),
    BuxListing("sb90109", "IRIS", "Iris Imaging", "USD", 3, 36_425, .stocks),
    BuxListing("sb90110", "JUNCO", "Junco Retail", "USD", 2, 21_950, .stocks),
    BuxListing("sb90111", "KELVIN", "Kelvin Cooling", "GBP", 2, 1_264, .stocks),
    BuxListing("sb90112", "LUMEN", "Lumen Lighting", "EUR", 2, 4_377, .stocks),
    BuxListing("sb90113", "MAPLE", "Maple Media", "USD", 2, 7_702, .stocks, isOpen: false),
    BuxListing("sb90114", "NIMBUS", "Nimbus Networks", "EUR", 2, 9_416, .stocks, isOpen: false),
  ]
}
