public import MarketModel

/// The recorded form of a new order, accepted or rejected.
public struct Placement: Hashable, Sendable {
  /// The order's number.
  public let identifier: OrderIdentifier
  /// The order as requested.
  public let request: OrderRequest
  /// The market when it was placed; nil if it was not live.
  public let arrival: TopOfBook?
  /// How long it is on its way to the venue, in milliseconds; 0 if it acts at once.
  public let latencyMilliseconds: Int64

  /// Creates a placement record.
  public init(
    identifier: OrderIdentifier, request: OrderRequest, arrival: TopOfBook?,
    latencyMilliseconds: Int64 = 0
  ) {
    self.latencyMilliseconds = latencyMilliseconds
    self.identifier = identifier
    self.request = request
    self.arrival = arrival
  }
}

/// A change of one order, which can be stored and replayed.
///
/// Orders change only by events. A new order is one event with its verdict, so an order without a
/// verdict cannot be represented.
public struct OrderEvent: Hashable, Sendable {
  /// The kind of change.
  public enum Change: Hashable, Sendable {
    /// A new order that rests; an IOC order until the fill or cancel event right after.
    case accepted(Placement)
    case rejected(Placement, RejectionReason)
    /// An order reaches its venue, with the market then; nil if it was not live.
    case arrived(OrderIdentifier, TopOfBook?)
    /// A change of an open order is sent to its venue, or refused there.
    case requested(OrderIdentifier, ChangeRequest)
    /// A part or all of the open quantity was filled.
    case filled(OrderIdentifier, OrderFill)
    case amended(OrderIdentifier, Amendment)
    case cancelled(OrderIdentifier, Cancellation)
    /// An order's fills, and some more that are possible.
    case possible(OrderIdentifier, PossibleFill)
    /// A waiting order begins to work.
    case triggered(OrderIdentifier, Activation)
    /// A trailing stop follows the market.
    case trailed(OrderIdentifier, TrailMove)
    /// An instrument's rules from now on, before its first order and when they change.
    case listed(TradingRules)
  }

  /// The sequence number: counts up from 1 without gaps.
  public let sequence: UInt64
  /// The wall-clock time; may precede the previous event's if the clock was set back.
  ///
  /// Only ``sequence`` defines the order.
  public let time: Timestamp
  /// What changed.
  public let change: Change

  /// Creates an event.
  public init(sequence: UInt64, time: Timestamp, change: Change) {
    self.sequence = sequence
    self.time = time
    self.change = change
  }

  /// The order that changed; nil for ``Change/listed(_:)``.
  public var order: OrderIdentifier? {
    switch change {
    case .accepted(let placement), .rejected(let placement, _): placement.identifier
    case .filled(let order, _), .amended(let order, _), .cancelled(let order, _),
      .arrived(let order, _), .requested(let order, _), .possible(let order, _),
      .triggered(let order, _),
      .trailed(let order, _):
      order
    case .listed: nil
    }
  }
}

/// Why an event cannot follow the previous events; the state is unchanged.
public enum OrderEventProblem: Error, Hashable, Sendable {
  /// A gap or a repeated event.
  case sequence(expected: UInt64, found: UInt64)
  /// A new order whose number is not the next one.
  case identifier(expected: UInt64, found: UInt64)
  /// A second order or amendment with the same client identifier.
  case clientIdentifierTwice(ClientOrderIdentifier)
  /// An accepted order without a positive quantity.
  case badQuantity(OrderIdentifier, Quantity)
  case unknownOrder(OrderIdentifier)
  case orderEnded(OrderIdentifier)
  /// A fill without a positive quantity, of more than was open, or beyond 63 bits.
  case badFill(OrderIdentifier, Quantity)
  /// An amendment of an order that neither rests nor waits, to no price, or to no more than is
  /// filled.
  case badAmendment(OrderIdentifier)
  case positionTooLarge(OrderIdentifier)
  case worseThanLimit(OrderIdentifier, Price)
  /// A possible quantity that is not more than before, or more than ordered.
  case badPossibility(OrderIdentifier, Quantity)
  /// A trigger that no order waits for, or a trade that does not meet it.
  case badTrigger(OrderIdentifier, Price)
  /// An arrival of an order that is not on its way.
  case badArrival(OrderIdentifier)
  /// A change of an order that is on its way already, or that can't be sent.
  case badRequest(OrderIdentifier)
  /// A fill or an amendment of an order that is on its way, or a fill of one that waits.
  case notTriggered(OrderIdentifier)
  /// Rules in other units than the instrument's earlier ones.
  case otherUnits(Symbol)
}
