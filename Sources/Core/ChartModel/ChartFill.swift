public import MarketModel

/// One of the user's fills.
public struct ChartFill: Hashable, Sendable {
  /// Milliseconds since 1970.
  public let time: Int64
  /// The fill price.
  public let price: Price
  /// Bought or sold.
  public let side: Side

  /// Creates a fill.
  public init(time: Int64, price: Price, side: Side) {
    self.time = time
    self.price = price
    self.side = side
  }
}
