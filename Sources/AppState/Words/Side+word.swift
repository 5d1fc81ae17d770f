// What the sides of an order are called.

public import MarketModel

extension Side {
  /// The word on buttons and in titles.
  public var word: String {
    switch self {
    case .buy: "Buy"
    case .sell: "Sell"
    }
  }
}
