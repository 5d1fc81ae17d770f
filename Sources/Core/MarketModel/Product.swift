// A tradable product of the product-detail screens: what a venue's product answer says about it.

/// A product with its prices as the venue's REST answer gave them.
public struct Product: Equatable, Sendable {
  /// The identifier that feeds and links use: "sb26493".
  public let identifier: Symbol
  /// The short name: "GERMANY30".
  public let symbol: String
  /// The name for people: "Germany 30".
  public let displayName: String
  /// ISO 4217 code of both prices: "EUR".
  public let currency: String
  /// Decimals to show.
  public let decimals: Scale
  /// The price when the answer was made; quotes replace it.
  public let currentPrice: FixedDecimal
  /// The previous close; nil where the venue names none.
  public let closingPrice: FixedDecimal?
  /// Whether the market is open; nil where the venue does not say.
  public let isMarketOpen: Bool?

  /// Puts a product together.
  public init(
    identifier: Symbol, symbol: String, displayName: String, currency: String, decimals: Scale,
    currentPrice: FixedDecimal, closingPrice: FixedDecimal?, isMarketOpen: Bool?
  ) {
    self.identifier = identifier
    self.symbol = symbol
    self.displayName = displayName
    self.currency = currency
    self.decimals = decimals
    self.currentPrice = currentPrice
    self.closingPrice = closingPrice
    self.isMarketOpen = isMarketOpen
  }
}

/// Why a product could not be loaded, in words for people.
public struct ProductFailure: Error, Hashable, Sendable {
  /// The venue's own code ("AUTH_008"), or one of ours ("NETWORK", "NOT_FOUND", "BAD_ANSWER").
  public let code: String
  /// What stopped and what to do.
  public let userMessage: String
  /// Whether trying again can help without changing anything else.
  public let canRetry: Bool

  /// Makes a failure.
  public init(code: String, userMessage: String, canRetry: Bool) {
    self.code = code
    self.userMessage = userMessage
    self.canRetry = canRetry
  }
}
