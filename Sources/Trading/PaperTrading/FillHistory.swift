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
  /// The trade that proves the fill of a resting order; nil if it took a level.
  public let proof: TradeProof?
  /// What the venue would have charged; nil where no fees are known.
  public internal(set) var fee: FillFee?

  /// Creates an execution record.
  public init(
    quantity: Quantity, price: Price, offered: Quantity, tickNumber: UInt64, venueTime: UInt64,
    fee: FillFee? = nil, proof: TradeProof? = nil
  ) {
    (self.proof, self.fee) = (proof, fee)
    self.quantity = quantity
    self.price = price
    self.offered = offered
    self.tickNumber = tickNumber
    self.venueTime = venueTime
  }
}

/// What a venue charges for a fill.
public struct FillFee: Hashable, Sendable {
  /// Whether the order rested and was met, instead of taking a level on arrival.
  public let isMaker: Bool
  /// The amount in price units × quantity units; negative for a rebate.
  public let amount: Int64

  /// Creates a fee.
  public init(isMaker: Bool, amount: Int64) { (self.isMaker, self.amount) = (isMaker, amount) }
}

extension FeeRates {
  /// The fee of a fill, rounded half to even to one unit; nil if it does not fit 63 bits.
  func fee(of fill: OrderFill, isMaker: Bool) -> FillFee? {
    let (value, overflow) = fill.price.units.multipliedReportingOverflow(by: fill.quantity.units)
    guard !overflow else { return nil }
    let exact = WideInteger(value, times: isMaker ? maker : taker)
    return exact.rounded(by: 1_000_000).map { FillFee(isMaker: isMaker, amount: $0) }
  }
}

extension Sequence<OrderFill> {
  /// The sum of the fees; nil if no fill has one.
  var fees: WideInteger? {
    reduce(nil) { sum, fill in
      fill.fee.map { (sum ?? .zero) + WideInteger($0.amount) } ?? sum
    }
  }
}

/// The venue's trade that filled a resting order, or may have.
public struct TradeProof: Hashable, Sendable {
  /// The venue's number of the trade; 0 without one.
  public let number: Int64
  /// The trade's price: the order's limit, or beyond it.
  public let price: Price
  /// The trade's quantity.
  public let quantity: Quantity
  /// The queue ahead of the order, which had traded before; nil if the trade was beyond the limit,
  /// or if the queue is unknown.
  public let ahead: Quantity?

  /// Creates a proof.
  public init(number: Int64, price: Price, quantity: Quantity, ahead: Quantity?) {
    (self.number, self.price, self.quantity, self.ahead) = (number, price, quantity, ahead)
  }
}

/// Fills of one order at one moment, taken together.
public struct Execution: Hashable, Sendable {
  /// The total quantity; positive.
  public let quantity: Quantity
  /// The exact average price.
  public let average: AveragePrice
  /// The price farthest from the best one.
  public let worst: Price

  /// Sums fills in the order of the book; nil without any.
  public init?(_ fills: [OrderFill]) {
    var sum: FillHistory?
    for fill in fills {
      guard
        FillHistory.add(
          TimedFill(fill: fill, time: Timestamp(nanoseconds: 0), sequence: 0), to: &sum)
      else { return nil }
    }
    guard let sum, let last = fills.last else { return nil }
    (quantity, average, worst) = (sum.quantity, sum.average, last.price)
  }

  package init(average: AveragePrice, worst: Price) {
    (quantity, self.average, self.worst) = (average.quantity, average, worst)
  }

  /// "45.10", or "an average of 45.12".
  func text(under rules: TradingRules) -> Sentence {
    let isOne = AveragePrice(notional: worst.units &* quantity.units, quantity: quantity) == average
    return isOne ? "\(rules.text(worst))" : "an average of \(rules.text(average))"
  }
}

/// A rise of the quantity that may have been filled.
public struct PossibleFill: Hashable, Sendable {
  /// The largest quantity that may be filled by now, including the fills.
  public let upTo: Quantity
  /// The trade at the order's price; nil if trades may have been missed.
  public let proof: TradeProof?
  /// When trades may have been missed that may have triggered the order; nil unless it waits.
  public let missed: MissedSpan?

  /// Creates a rise.
  public init(upTo: Quantity, proof: TradeProof?, missed: MissedSpan? = nil) {
    (self.upTo, self.proof, self.missed) = (upTo, proof, missed)
  }
}

/// A fill with its time.
public struct TimedFill: Hashable, Sendable {
  /// The execution.
  public let fill: OrderFill
  /// When it was executed, by the wall clock.
  public let time: Timestamp
  /// The number of its event, by which fills of one moment have an order.
  public let sequence: UInt64
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
