public import MarketModel

/// A position in one instrument, its cost by two methods, and cash.
///
/// It is a fold of the fills, so it is equal after a restart. Amounts are exact, in price units ×
/// quantity units. Buying costs cash and selling brings it; capital is infinite.
///
/// When part of a position is closed, its cost is split between the closed and the open part:
/// exactly by FIFO, and by the average method rounded half to even to one unit (a millionth of a
/// dollar per share on the exchange), with the difference staying in the open part. Nothing is
/// lost: realised + unrealised - fees = cash + value of the position.
public struct PositionAccount: Hashable, Sendable {
  /// How cost is assigned to the closed part.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// Every unit costs the average of all open units.
    case average
    case fifo
  }

  /// Bought less sold; negative for a short position.
  public private(set) var quantity = Quantity.zero
  /// Proceeds of sales less cost of purchases and fees, in price units × quantity units.
  public private(set) var cash = WideInteger.zero
  /// The fees of all fills; negative if rebates exceed them.
  public private(set) var fees = WideInteger.zero
  /// The equity after each fill, at the fill's price.
  public private(set) var line = EquityLine()

  private var averageCost = WideInteger.zero
  private var averageRealised = WideInteger.zero
  private var fifoCost = WideInteger.zero
  private var fifoRealised = WideInteger.zero
  private var lots = OpenLots()

  /// Creates an empty position.
  public init() {}

  /// Whether the instrument was ever traded.
  public var hasTraded: Bool { line.latest != nil }

  /// The cost of the open position by a method; negative for the proceeds of a short one.
  public func cost(by method: Method) -> WideInteger { method == .average ? averageCost : fifoCost }

  /// The realised P&L by a method, before fees.
  public func realised(by method: Method) -> WideInteger {
    method == .average ? averageRealised : fifoRealised
  }

  /// The exact cost of a unit by a method; nil without a position.
  public func unitCost(by method: Method) -> AveragePrice? {
    let cost = cost(by: method)
    guard let size = Int64(exactly: quantity.units.magnitude) else { return nil }
    return (quantity.units < 0 ? -cost : cost).narrow.flatMap {
      AveragePrice(notional: $0, quantity: Quantity(units: size))
    }
  }

  /// The value of the position at a price.
  public func value(at price: Price) -> WideInteger {
    WideInteger(quantity.units, times: price.units)
  }

  /// Cash plus the value of the position at a price.
  public func equity(at price: Price) -> WideInteger { cash + value(at: price) }

  /// Applies a fill; returns false and changes nothing if the position would not fit 63 bits.
  mutating func take(_ fill: OrderFill, side: Side, at time: Timestamp) -> Bool {
    // `Order.fill` rejects these itself.
    guard fill.quantity > .zero, fill.price.units > 0 else { return true }
    let signed = side == .buy ? fill.quantity.units : -fill.quantity.units
    let (sum, overflow) = quantity.units.addingReportingOverflow(signed)
    guard !overflow, sum != .min else { return false }
    let isClosing = (quantity.units < 0) != (signed < 0) && quantity.units != 0
    let closed = isClosing ? min(fill.quantity.units, Int64(quantity.units.magnitude)) : 0
    if closed > 0 { close(closed, at: fill.price, by: side) }
    let opened = fill.quantity.units - closed
    if opened > 0 { open(opened, at: fill.price, by: side) }
    quantity = Quantity(units: sum)
    if let fee = fill.fee {
      fees = fees + WideInteger(fee.amount)
      cash = cash - WideInteger(fee.amount)
    }
    line.add(EquityPoint(time: time, equity: equity(at: fill.price), kind: .fill))
    return true
  }

  private mutating func open(_ units: Int64, at price: Price, by side: Side) {
    let paid = WideInteger(side == .buy ? units : -units, times: price.units)
    cash = cash - paid
    averageCost = averageCost + paid
    fifoCost = fifoCost + paid
    lots.add(units, at: price)
  }

  private mutating func close(_ units: Int64, at price: Price, by side: Side) {
    let brought = WideInteger(side == .sell ? units : -units, times: price.units)
    cash = cash + brought
    let size = Int64(quantity.units.magnitude)
    let average = averageCost.share(units, of: size) ?? averageCost
    averageCost = averageCost - average
    averageRealised = averageRealised + brought - average
    let first = lots.remove(units)
    let cost = side == .sell ? first : -first
    fifoCost = fifoCost - cost
    fifoRealised = fifoRealised + brought - cost
  }
}

/// Open lots in order of opening.
private struct OpenLots: Hashable, Sendable {
  private var prices: [Price] = []
  private var sizes: [Int64] = []
  /// Index of the first open lot; earlier ones are removed in batches.
  private var start = 0

  mutating func add(_ units: Int64, at price: Price) {
    if start < prices.count, prices.last == price, let last = sizes.last {
      sizes[sizes.count - 1] = last + units
    } else {
      prices.append(price)
      sizes.append(units)
    }
  }

  /// Removes the first units; returns their opening cost.
  mutating func remove(_ units: Int64) -> WideInteger {
    var left = units
    var cost = WideInteger.zero
    while left > 0, start < prices.count {
      let taken = min(left, sizes[start])
      cost = cost + WideInteger(taken, times: prices[start].units)
      sizes[start] -= taken
      left -= taken
      if sizes[start] == 0 { start += 1 }
    }
    if start > 32, start * 2 > prices.count {
      prices.removeFirst(start)
      sizes.removeFirst(start)
      start = 0
    }
    return cost
  }
}
