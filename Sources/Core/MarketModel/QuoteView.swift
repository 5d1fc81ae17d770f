// The latest price of an instrument that has no book here: watch list, products, price tracker,
// exchange ticks.

/// The latest price of one instrument.
public struct QuoteView: Equatable, Sendable {
  /// The instrument.
  public let symbol: Symbol
  /// Last price; nil before the first quote.
  public let price: FixedDecimal?
  /// Best price that buyers offer, where the venue says it.
  public let bid: FixedDecimal?
  /// Best price that sellers ask, where the venue says it.
  public let ask: FixedDecimal?
  /// Size at the best bid, where the venue says it.
  public let bidSize: Quantity?
  /// Size at the best ask, where the venue says it.
  public let askSize: Quantity?
  /// Where the price went at its last change.
  public let direction: Direction
  /// Counts changes of `price` (not messages): what a flash follows.
  public let changes: UInt64
  /// Whether the price can be believed now.
  public internal(set) var freshness: Freshness

  /// Puts a view together.
  public init(
    symbol: Symbol, price: FixedDecimal?, bid: FixedDecimal? = nil, ask: FixedDecimal? = nil,
    bidSize: Quantity? = nil, askSize: Quantity? = nil, direction: Direction = .unchanged,
    changes: UInt64 = 0, freshness: Freshness
  ) {
    self.symbol = symbol
    self.price = price
    self.bid = bid
    self.ask = ask
    self.bidSize = bidSize
    self.askSize = askSize
    self.direction = direction
    self.changes = changes
    self.freshness = freshness
  }
}
