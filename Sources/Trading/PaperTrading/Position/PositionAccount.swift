// What is owned of one instrument and what came of it: nothing but the fold of the fills, so that
// it is equal after a restart.
//
// Amounts are exact, in price units × quantity units. Buying costs cash and selling brings it;
// capital is infinite. Whatever a position cost is split, when a part of it is closed, into what
// was closed and what is left: by FIFO exactly, by the average method rounded half to even to one
// such unit (a millionth of a dollar per share on the exchange), and the rest stays with what is
// left. So nothing is ever lost: realised + unrealised = cash + what the position is worth.

public import MarketModel

/// A position, its cost by two methods, and cash.
public struct PositionAccount: Hashable, Sendable {
  /// How what was closed is told from what is left.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// Every unit cost the average of all that are open.
    case average
    /// What was opened first is closed first.
    case fifo
  }

  /// Bought less sold; negative when more was sold.
  public private(set) var quantity = Quantity.zero
  /// What sales brought less what purchases cost.
  public private(set) var cash = WideInteger.zero
  /// What it was worth after each fill, at the price of the fill.
  public private(set) var line = EquityLine()

  private var averageCost = WideInteger.zero
  private var averageRealised = WideInteger.zero
  private var fifoCost = WideInteger.zero
  private var fifoRealised = WideInteger.zero
  private var lots = OpenLots()

  /// Owns nothing and owes nothing.
  public init() {}

  /// Whether anything was ever bought or sold.
  public var hasTraded: Bool { line.latest != nil }

  /// What the open position cost by a method; negative for what a short one brought.
  public func cost(by method: Method) -> WideInteger {
    method == .average ? averageCost : fifoCost
  }

  /// What closed positions brought by a method, less what they had cost.
  public func realised(by method: Method) -> WideInteger {
    method == .average ? averageRealised : fifoRealised
  }

  /// The cost of one unit by a method in price units, rounded half to even; nil without a position.
  public func unitCost(by method: Method) -> Price? {
    let cost = cost(by: method)
    let size = quantity.units.magnitude
    guard size > 0, let divisor = Int64(exactly: size) else { return nil }
    return (quantity.units < 0 ? -cost : cost).rounded(by: divisor).map { Price(units: $0) }
  }

  /// What the position is worth at a price.
  public func value(at price: Price) -> WideInteger {
    WideInteger(quantity.units, times: price.units)
  }

  /// What closing all of it at a price would bring by a method, less what it cost.
  public func unrealised(at price: Price, by method: Method) -> WideInteger {
    value(at: price) - cost(by: method)
  }

  /// Cash and what the position is worth at a price.
  public func equity(at price: Price) -> WideInteger { cash + value(at: price) }

  /// Takes a fill; false, with nothing changed, when the position would not fit 63 bits.
  mutating func take(_ fill: OrderFill, side: Side, at time: Timestamp) -> Bool {
    // An order refuses these for a reason of its own.
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

/// What is open, in the order in which it was opened.
private struct OpenLots: Hashable, Sendable {
  private var prices: [Price] = []
  private var sizes: [Int64] = []
  /// The first that is open; those before are taken away in one go.
  private var start = 0

  mutating func add(_ units: Int64, at price: Price) {
    if start < prices.count, prices.last == price, let last = sizes.last {
      sizes[sizes.count - 1] = last + units
    } else {
      prices.append(price)
      sizes.append(units)
    }
  }

  /// Takes the first units away; gives what they were opened for.
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
