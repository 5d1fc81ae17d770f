// What an observer of the simulated market sees: the content of one tick, and the tape.

public import MarketModel

/// The market at one moment.
public struct MarketSnapshot: Hashable, Sendable {
  /// Virtual time since the market began, in milliseconds.
  public let elapsedMilliseconds: Int64
  /// The price of the latest trade, in ticks; before the first trade the start price.
  public let last: Price
  /// The best level to sell to; nil when nobody bids.
  public let bestBid: BookLevel?
  /// The best level to buy from; nil when nobody offers.
  public let bestAsk: BookLevel?
  /// All that has traded since the market began, in lots.
  public let tradedQuantity: Quantity
}

/// One trade of the simulated market.
public struct MarketTrade: Hashable, Sendable {
  /// Virtual time since the market began, in milliseconds.
  public let elapsedMilliseconds: Int64
  /// The price, in ticks.
  public let price: Price
  /// How much traded, in lots.
  public let quantity: Quantity
  /// The taker's side.
  public let side: Side
}
