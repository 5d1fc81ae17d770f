// Everything that ever changes an order, as facts that can be stored and replayed. A new order is
// one event with its verdict, accepted or rejected: an order that is neither cannot be written.

public import MarketModel

/// What is recorded of a new order, whatever became of it.
public struct Placement: Hashable, Sendable {
  /// The number it got.
  public let identifier: OrderIdentifier
  /// What was asked for.
  public let request: OrderRequest
  /// The market at that moment; nil when it was not live.
  public let arrival: TopOfBook?

  /// Records a new order.
  public init(identifier: OrderIdentifier, request: OrderRequest, arrival: TopOfBook?) {
    self.identifier = identifier
    self.request = request
    self.arrival = arrival
  }
}

/// One change of one order.
public struct OrderEvent: Hashable, Sendable {
  /// The kinds of change.
  public enum Change: Hashable, Sendable {
    /// A new order, which rests (an IOC order until the fill or cancel event right after).
    case accepted(Placement)
    /// A new order that broke a rule.
    case rejected(Placement, RejectionReason)
    /// A part, or the remainder, was bought or sold.
    case filled(OrderIdentifier, OrderFill)
    /// It rests for another quantity, or at another price, from now on.
    case amended(OrderIdentifier, Amendment)
    /// The unfilled remainder was cancelled.
    case cancelled(OrderIdentifier, Cancellation)
  }

  /// Counts up from 1 without gaps.
  public let sequence: UInt64
  /// When, by the wall clock; before the event before when that clock was set back.
  ///
  /// Order is the business of ``sequence``.
  public let time: Timestamp
  /// What changed.
  public let change: Change

  /// Records a change.
  public init(sequence: UInt64, time: Timestamp, change: Change) {
    self.sequence = sequence
    self.time = time
    self.change = change
  }

  /// The order that changed.
  public var order: OrderIdentifier {
    switch change {
    case .accepted(let placement), .rejected(let placement, _): placement.identifier
    case .filled(let order, _), .amended(let order, _), .cancelled(let order, _): order
    }
  }
}

/// Why an event cannot follow the events before it; the state is unchanged.
public enum OrderEventProblem: Error, Hashable, Sendable {
  /// A gap, or an event twice.
  case sequence(expected: UInt64, found: UInt64)
  /// A new order without the next number.
  case identifier(expected: UInt64, found: UInt64)
  /// A second order with the same device's name.
  case clientIdentifierTwice(ClientOrderIdentifier)
  /// An accepted order for nothing or less.
  case badQuantity(OrderIdentifier, Quantity)
  /// A change of an order that does not exist.
  case unknownOrder(OrderIdentifier)
  /// A change of an order that was filled, cancelled or rejected.
  case orderEnded(OrderIdentifier)
  /// A fill of nothing, of more than was open, or beyond 63 bits.
  case badFill(OrderIdentifier, Quantity)
  /// An amendment of an order that can't rest, to no price, or to less than is filled.
  case badAmendment(OrderIdentifier)
  /// A position beyond 63 bits.
  case positionTooLarge(OrderIdentifier)
  /// A fill at a price worse than the order's limit.
  case worseThanLimit(OrderIdentifier, Price)
}
