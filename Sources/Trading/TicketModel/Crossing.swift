public import MarketModel

/// What an open limit order trades at once when it is amended across the market.
///
/// The order service fills an amended order like a new one.
public struct Crossing: Sendable {
  /// Buy or sell.
  public let side: Side
  /// The maximum that trades now, at the best opposite price.
  public let taken: BestLevel
  /// What then rests at the limit; nil for nothing.
  public let rest: FixedDecimal?
  private let limit: FixedDecimal

  /// Compares an order with the best opposite level.
  ///
  /// nil if the order would rest, or if that level or a number is missing. `quantity` includes
  /// fills.
  public init?(
    _ side: Side, limit: FixedDecimal, quantity: FixedDecimal, filled: FixedDecimal,
    best: BestLevel?
  ) {
    guard let best, let leaves = quantity.minus(filled), leaves.units > 0 else { return nil }
    guard side == .buy ? best.price <= limit : limit <= best.price else { return nil }
    let offered = best.quantity ?? leaves
    guard offered.units > 0 else { return nil }
    let amount = min(leaves, offered)
    let left = leaves.minus(amount).flatMap { $0.units > 0 ? $0 : nil }
    (self.side, self.limit, rest) = (side, limit, left)
    taken = BestLevel(price: best.price, quantity: amount)
  }

  /// "Sells {20} TROAD at {$36.84} now", with figures marked for the reader's locale.
  public func words(_ symbol: String) -> Sentence {
    let amount = "\(taken.quantity.map(counted) ?? "") \(symbol)"
    return side == .buy
      ? "Buys \(amount) at \(priced(taken.price)) now"
      : "Sells \(amount) at \(priced(taken.price)) now"
  }

  /// "{5} rest at {$35.47}."; nil if nothing rests.
  public var restWords: Sentence? { rest.map { "\(counted($0)) rest at \(priced(limit))." } }
}
