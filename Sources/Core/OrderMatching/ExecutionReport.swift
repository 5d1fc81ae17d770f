// What an engine answers to a command. A refusal is a value and not a thrown error: an exchange
// refuses orders every day, and each answer goes to a trader.

public import MarketModel

/// Why a command was refused.
///
/// The book is then as if the command had never come.
public enum Rejection: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The quantity was zero or negative.
  case quantityNotPositive
  /// The quantity was above ``MatchingLimits/maximumQuantity``.
  case quantityTooLarge
  /// The price was zero or negative.
  case priceNotPositive
  /// The price was above ``MatchingLimits/maximumPrice``.
  case priceTooLarge
  /// An order with this number rests in the book.
  case duplicateOrder
  /// No order with this number rests in the book.
  case unknownOrder
  /// The book holds ``MatchingLimits/maximumRestingOrders`` and takes no further limit order.
  case bookFull
}

/// Why what was left of an order was given up.
public enum CancelReason: UInt8, Hashable, Sendable, CaseIterable {
  /// A cancel command.
  case requested
  /// A market order found no more offers.
  case noMoreOffers
  /// An immediate-or-cancel order found no more offers within its limit.
  case immediateOrCancel
  /// A fill-or-kill order could not be filled whole.
  case fillOrKill
  /// The next offer was its own trader's; see ``MatchingEngine`` for the rule.
  case selfMatch
}

/// Where an order stands after a command.
public enum OrderStanding: Hashable, Sendable {
  /// All of it has traded.
  case filled
  /// What is left waits in the book.
  case resting
  /// What was left has been given up.
  case cancelled(CancelReason)
  /// The command was refused.
  case rejected(Rejection)
}

/// The answer to one command.
///
/// `filled + resting + cancelled` is the quantity of the command, or for a cancel what was open
/// before it; all three are zero in a refusal.
public struct ExecutionReport: Hashable, Sendable {
  /// What this command traded.
  public let filled: Quantity
  /// What waits in the book now.
  public let resting: Quantity
  /// What was given up.
  public let cancelled: Quantity
  /// Where the order stands.
  public let standing: OrderStanding

  @inline(__always)
  init(
    filled: Int64 = 0, resting: Int64 = 0, cancelled: Int64 = 0, standing: OrderStanding
  ) {
    self.filled = Quantity(units: filled)
    self.resting = Quantity(units: resting)
    self.cancelled = Quantity(units: cancelled)
    self.standing = standing
  }

  /// A refusal.
  @inline(__always)
  static func rejected(_ reason: Rejection) -> ExecutionReport {
    ExecutionReport(standing: .rejected(reason))
  }
}

/// One trade between a taker and one resting order, at the resting order's price.
public struct Fill: Hashable, Sendable {
  /// The order that came in.
  public let taker: OrderID
  /// The order that was waiting.
  public let maker: OrderID
  /// The maker's price, in ticks.
  public let price: Price
  /// How much traded, in lots; positive.
  public let quantity: Quantity

  /// Puts a fill together.
  @inlinable
  public init(taker: OrderID, maker: OrderID, price: Price, quantity: Quantity) {
    self.taker = taker
    self.maker = maker
    self.price = price
    self.quantity = quantity
  }
}
