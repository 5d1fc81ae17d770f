/// A tradable product with the prices of the venue's REST response.
public struct Product: Equatable, Sendable {
  /// The identifier that feeds and links use: "sb26493".
  public let identifier: Symbol
  /// The short name: "GERMANY30".
  public let symbol: String
  /// The display name: "Germany 30".
  public let displayName: String
  /// ISO 4217 code of both prices: "EUR".
  public let currency: String
  /// Decimals to show.
  public let decimals: Scale
  /// The price at the time of the response; quotes replace it.
  public let currentPrice: FixedDecimal
  /// The previous close; nil if the venue omits it.
  public let closingPrice: FixedDecimal?
  /// Whether the market is open; nil if the venue omits it.
  public let isMarketOpen: Bool?

  /// Creates a product.
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

/// Why a product could not be loaded.
public struct ProductFailure: Error, Hashable, Sendable {
  /// The venue's own code ("AUTH_008"), or one of ours ("NETWORK", "NOT_FOUND", "BAD_ANSWER").
  public let code: String
  /// Text for the user: what happened and what to do.
  public let userMessage: Sentence
  /// Whether retrying without any other change can help.
  public let canRetry: Bool

  /// Creates a failure.
  public init(code: String, userMessage: Sentence, canRetry: Bool) {
    self.code = code
    self.userMessage = userMessage
    self.canRetry = canRetry
  }
}
