public import MarketModel

/// What a position and its equity may be if orders were filled as far as is possible.
public struct PositionRange: Hashable, Sendable {
  /// The lowest quantity, if what is only possible was sold.
  public let low: Quantity
  /// The highest quantity, if what is only possible was bought.
  public let high: Quantity
  /// The lowest and highest equity, each possible fill at its order's price and valued as the
  /// position is; nil while a price is unknown.
  public let equity: EquityRange?

  /// Two amounts in price units × quantity units.
  public struct EquityRange: Hashable, Sendable {
    /// The lower one.
    public let low: WideInteger
    /// The higher one.
    public let high: WideInteger
  }
}

extension PaperTrader {
  /// The range of a position; nil if all fills in the instrument are certain.
  ///
  /// O(orders of which more may be filled than is certain).
  func range(of account: PositionAccount, in symbol: Symbol) -> PositionRange? {
    let doubtful = history.doubtful(in: symbol)
    guard !doubtful.isEmpty else { return nil }
    let market = market(of: symbol)
    var (low, high) = (account.quantity, account.quantity)
    var (loss, gain): (WideInteger?, WideInteger?) = (.zero, .zero)
    for order in doubtful {
      let side = order.request.side
      let extra = Quantity(units: order.possibleQuantity.units - order.filledQuantity.units)
      if side == .buy {
        high.units = saturatingSum(high.units, extra.units)
      } else {
        low.units = saturatingSum(low.units, -extra.units)
      }
      let isLong = account.quantity == .zero ? side == .buy : account.quantity > .zero
      guard let price = order.request.kind.bound ?? order.request.trigger?.price,
        let exit = market?.latest?.opposite(of: isLong ? .sell : .buy)?.price
      else {
        (loss, gain) = (nil, nil)
        continue
      }
      let fill = OrderFill(
        quantity: extra, price: price, offered: extra, tickNumber: 0, venueTime: 0)
      let fee = WideInteger(market?.charged(fill, isMaker: true).fee?.amount ?? 0)
      let difference = side == .buy ? exit.units - price.units : price.units - exit.units
      let change = WideInteger(extra.units, times: difference) - fee
      if change < .zero { loss = loss.map { $0 + change } } else { gain = gain.map { $0 + change } }
    }
    let value = account.quantity == .zero ? .zero : market?.exit(from: account.quantity)?.value
    let equity = value.map { account.cash + $0 }
    var range: PositionRange.EquityRange?
    if let equity, let loss, let gain {
      range = PositionRange.EquityRange(low: equity + loss, high: equity + gain)
    }
    return PositionRange(low: low, high: high, equity: range)
  }
}
