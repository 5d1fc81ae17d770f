public import MarketModel

/// One execution: a quantity taken from one level of one tick.
public struct OrderFill: Hashable, Sendable {
  /// The quantity bought or sold; positive.
  public let quantity: Quantity
  /// The level's price: the order's limit or better.
  public let price: Price
  /// The level's size in the tick, before our orders took from it.
  public let offered: Quantity
  /// The number of the tick.
  public let tickNumber: UInt64
  /// The venue's time of the tick, in the venue's unit.
  public let venueTime: UInt64

  /// Creates an execution record.
  public init(
    quantity: Quantity, price: Price, offered: Quantity, tickNumber: UInt64, venueTime: UInt64
  ) {
    self.quantity = quantity
    self.price = price
    self.offered = offered
    self.tickNumber = tickNumber
    self.venueTime = venueTime
  }
}

/// A fill with its time.
public struct TimedFill: Hashable, Sendable {
  /// The execution.
  public let fill: OrderFill
  /// When it was executed, by the wall clock.
  public let time: Timestamp
}

/// One or more fills in order of execution, with their sums; never empty.
public struct FillHistory: Hashable, Sendable {
  /// The fills, oldest first; never empty.
  public private(set) var fills: [TimedFill]
  /// The sum of the quantities; positive.
  public private(set) var quantity: Quantity
  /// Sum of price units × quantity units.
  private(set) var notional: Int64

  /// The exact average price.
  public var average: AveragePrice {
    guard let average = AveragePrice(notional: notional, quantity: quantity) else {
      preconditionFailure("a fill history holds a positive quantity")
    }
    return average
  }

  /// Adds a fill to a history or begins one.
  ///
  /// Returns false and changes nothing if the quantity or price is not positive or a sum does not
  /// fit 63 bits.
  static func add(_ fill: TimedFill, to history: inout FillHistory?) -> Bool {
    guard fill.fill.quantity > .zero, fill.fill.price.units > 0 else { return false }
    let units = fill.fill.quantity.units
    let (value, first) = fill.fill.price.units.multipliedReportingOverflow(by: units)
    let (notional, second) = (history?.notional ?? 0).addingReportingOverflow(value)
    let (sum, third) = (history?.quantity.units ?? 0).addingReportingOverflow(units)
    guard !first, !second, !third else { return false }
    if history == nil {
      history = FillHistory(fills: [], quantity: .zero, notional: 0)
    }
    history?.fills.append(fill)
    history?.quantity = Quantity(units: sum)
    history?.notional = notional
    return true
  }
}
