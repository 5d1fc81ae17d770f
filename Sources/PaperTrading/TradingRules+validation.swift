// The one place where an order's numbers are checked; the ticket's preview and the exchange both
// ask here, so they cannot disagree.

public import MarketModel

extension TradingRules {
  /// The first limit that a request breaks; nil when it breaks none.
  ///
  /// `market` is the live market, or nil when there is none; the bound relative to the market is
  /// not checked then.
  public func brokenLimit(of request: OrderRequest, market: TopOfBook?) -> RejectionReason? {
    guard request.symbol == symbol else { return .unknownSymbol }
    if let broken = brokenLimit(ofQuantity: request.quantity) { return broken }
    guard let bound = request.kind.bound else { return nil }
    return brokenLimit(ofPrice: bound, market: market)
  }

  /// The first limit that a quantity breaks; nil when it breaks none.
  public func brokenLimit(ofQuantity quantity: Quantity) -> RejectionReason? {
    guard quantity > .zero else { return .quantityNotPositive(quantity) }
    guard quantity <= maximumQuantity else {
      return .quantityTooLarge(quantity, maximum: maximumQuantity)
    }
    guard quantity.units % lot.units == 0 else { return .quantityOffLot(quantity, lot: lot) }
    return nil
  }

  /// The first limit that a limit or protection price breaks; nil when it breaks none.
  public func brokenLimit(ofPrice price: Price, market: TopOfBook?) -> RejectionReason? {
    guard price.units > 0 else { return .priceNotPositive(price) }
    guard price <= maximumPrice else { return .priceTooHigh(price, maximum: maximumPrice) }
    guard price.units % tick.units == 0 else { return .priceOffTick(price, tick: tick) }
    // The fat-finger limit is an upper bound: a low buy rests, a low sell takes the better bid.
    guard let best = market?.ask ?? market?.bid else { return nil }
    let highest = min(
      maximumPrice, Price(units: best.price.units * TradingRules.maximumPriceFactor))
    return price <= highest ? nil : .priceFarFromMarket(price, maximum: highest)
  }
}
