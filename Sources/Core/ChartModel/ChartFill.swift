// The person's own fills, as a chart marks them.

public import MarketModel

/// One of the person's own fills.
public struct ChartFill: Hashable, Sendable {
  /// Milliseconds since 1970.
  public let time: Int64
  /// The price paid.
  public let price: Price
  /// Bought or sold.
  public let side: Side

  /// Makes a fill.
  public init(time: Int64, price: Price, side: Side) {
    self.time = time
    self.price = price
    self.side = side
  }
}
