public import MarketModel

/// What closing a position at once would meet in the latest visible book, whatever its age.
public struct PositionExit: Hashable, Sendable {
  /// The levels that the position would take, best first, each with the quantity taken of it; at
  /// least one.
  public let levels: [PriceLevel]
  /// The quantity that no visible level takes.
  public let uncovered: Quantity
  /// The value of the whole position, negative if short: what no level takes counts at the last
  /// one's price.
  public let value: WideInteger
  /// The exact average price of the whole position.
  public let average: AveragePrice
  /// The taker's fee for the levels; nil if unknown.
  public let fee: WideInteger?
  /// The value of the whole position in the middle of bid and ask, rounded half to even; nil
  /// without both.
  public let middle: WideInteger?

  /// The worst price.
  public var worst: Price { levels[levels.endIndex - 1].price }

  /// The quantity that the levels take.
  public var covered: Quantity {
    Quantity(units: levels.reduce(0) { $0 + $1.quantity.units })
  }
}

extension TradedMarket {
  /// What closing a position of this quantity would meet; nil without a position or a level.
  ///
  /// O(levels).
  func exit(from quantity: Quantity) -> PositionExit? {
    guard let book = liquidity.latest, let size = Int64(exactly: quantity.units.magnitude) else {
      return nil
    }
    let side = quantity > .zero ? Side.sell : .buy
    var (left, worth, fee): (Int64, WideInteger, WideInteger?) = (size, .zero, .zero)
    var levels: [PriceLevel] = []
    for level in book.opposite(of: side) where left > 0 && level.quantity > .zero {
      let taken = Quantity(units: min(left, level.quantity.units))
      left -= taken.units
      worth = worth + WideInteger(taken.units, times: level.price.units)
      levels.append(PriceLevel(price: level.price, quantity: taken))
      let fill = OrderFill(
        quantity: taken, price: level.price, offered: level.quantity, tickNumber: 0, venueTime: 0)
      let charged = charged(fill, isMaker: false).fee.map { WideInteger($0.amount) }
      fee = fee.flatMap { sum in charged.map { sum + $0 } }
    }
    guard let worst = levels.last?.price else { return nil }
    worth = worth + WideInteger(left, times: worst.units)
    let average = worth.narrow.flatMap {
      AveragePrice(notional: $0, quantity: Quantity(units: size))
    }
    guard let average else { return nil }
    var middle: WideInteger?
    if let bid = book.top.bid?.price.units, let ask = book.top.ask?.price.units,
      case let (sum, overflow) = bid.addingReportingOverflow(ask), !overflow
    {
      middle = WideInteger(quantity.units, times: sum).share(1, of: 2)
    }
    return PositionExit(
      levels: levels, uncovered: Quantity(units: left), value: side == .sell ? worth : -worth,
      average: average, fee: fee, middle: middle)
  }
}
