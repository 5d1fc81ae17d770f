public import MarketModel

/// Why a command was rejected; it then has no effect on the book.
public enum Rejection: UInt8, Error, Hashable, Sendable, CaseIterable {
  case quantityNotPositive
  /// Above ``MatchingLimits/maximumQuantity``.
  case quantityTooLarge
  case priceNotPositive
  /// Above ``MatchingLimits/maximumPrice``.
  case priceTooLarge
  /// An order with this ID rests in the book.
  case duplicateOrder
  /// No order with this ID rests in the book.
  case unknownOrder
  /// The book has ``MatchingLimits/maximumRestingOrders``.
  case bookFull
}

/// Why the rest of an order was cancelled.
public enum CancelReason: UInt8, Hashable, Sendable, CaseIterable {
  case requested
  /// A market order found no more offers.
  case noMoreOffers
  case immediateOrCancel
  case fillOrKill
  /// The next offer was from the same trader; see ``MatchingEngine``.
  case selfMatch
}

/// The state of an order after a command.
public enum OrderStanding: Hashable, Sendable {
  case filled
  case resting
  case cancelled(CancelReason)
  case rejected(Rejection)
}

/// The result of a command; a rejection is normal, so it is not an error.
///
/// `filled + resting + cancelled` is the command's quantity or, for a cancel, the open quantity
/// before it; all are zero for a rejection.
public struct ExecutionReport: Hashable, Sendable {
  /// The quantity traded by this command.
  public let filled: Quantity
  /// The quantity in the book now.
  public let resting: Quantity
  /// The quantity cancelled.
  public let cancelled: Quantity
  /// The order's state.
  public let standing: OrderStanding

  @inline(__always)
  init(filled: Int64 = 0, resting: Int64 = 0, cancelled: Int64 = 0, standing: OrderStanding) {
    self.filled = Quantity(units: filled)
    self.resting = Quantity(units: resting)
    self.cancelled = Quantity(units: cancelled)
    self.standing = standing
  }

  @inline(__always)
  static func rejected(_ reason: Rejection) -> ExecutionReport {
    ExecutionReport(standing: .rejected(reason))
  }
}

/// One trade between a taker and one resting order, at the resting order's price.
public struct Fill: Hashable, Sendable {
  /// The incoming order.
  public let taker: OrderID
  /// The resting order.
  public let maker: OrderID
  /// The maker's price, in ticks.
  public let price: Price
  /// The quantity, in lots; positive.
  public let quantity: Quantity

  /// Creates a fill.
  @inlinable
  public init(taker: OrderID, maker: OrderID, price: Price, quantity: Quantity) {
    self.taker = taker
    self.maker = maker
    self.price = price
    self.quantity = quantity
  }
}
