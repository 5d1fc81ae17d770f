/// The latest price of an instrument without a book.
public struct QuoteView: Equatable, Sendable {
  /// The instrument.
  public let symbol: Symbol
  /// Last price; nil before the first quote.
  public let price: FixedDecimal?
  /// Best bid, where the venue sends it.
  public let bid: FixedDecimal?
  /// Best ask, where the venue sends it.
  public let ask: FixedDecimal?
  /// Size at the best bid, where the venue sends it.
  public let bidSize: Quantity?
  /// Size at the best ask, where the venue sends it.
  public let askSize: Quantity?
  /// The direction of the latest price change.
  public let direction: Direction
  /// Counts changes of `price`, not messages; drives the flash.
  public let changes: UInt64
  /// Whether the price is valid now.
  public internal(set) var freshness: Freshness

  /// Creates a view.
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
