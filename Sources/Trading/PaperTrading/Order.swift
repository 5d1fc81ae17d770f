// One order: what was asked for, and where it stands. It changes by events alone.

public import MarketModel

/// An order with its number, its life so far and its times.
public struct Order: Hashable, Sendable {
  /// The app's number.
  public let identifier: OrderIdentifier
  /// What is asked for, as it was amended last.
  public private(set) var request: OrderRequest
  /// What was asked for when it was placed.
  public let original: OrderRequest
  /// How often it was amended.
  public private(set) var amendments = 0
  /// The market that the person saw; nil when it was not live.
  public let arrival: TopOfBook?
  /// When it was placed.
  public let placedAt: Timestamp
  /// When it last changed.
  public private(set) var changedAt: Timestamp
  /// Where it stands.
  public private(set) var life: OrderLife

  /// A new order: pending, or rejected when there is a reason.
  init(_ placement: Placement, rejection: RejectionReason?, at time: Timestamp) {
    identifier = placement.identifier
    request = placement.request
    original = placement.request
    arrival = placement.arrival
    placedAt = time
    changedAt = time
    life = rejection.map { .rejected($0) } ?? .pending
  }

  /// What has been bought or sold so far.
  public var filledQuantity: Quantity { life.fills?.quantity ?? .zero }

  /// Leaves quantity: what still rests.
  public var openQuantity: Quantity { life.isOpen ? unfilledQuantity : .zero }

  /// What was cancelled unfilled.
  public var cancelledQuantity: Quantity {
    guard case .cancelled = life else { return .zero }
    return unfilledQuantity
  }

  /// The exact average price of what was filled; nil before the first fill.
  public var averagePrice: AveragePrice? { life.fills?.average }

  /// Adds a fill: the remainder rests, or the order is filled.
  mutating func fill(_ fill: OrderFill, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    guard request.accepts(fill.price) else { throw .worseThanLimit(identifier, fill.price) }
    guard fill.quantity <= openQuantity else { throw .badFill(identifier, fill.quantity) }
    // The fills are taken out while they grow, so that they grow in place: orders are filled in
    // thousands of parts.
    var fills = life.fills
    life = .pending
    let isAdded = FillHistory.add(TimedFill(fill: fill, time: time), to: &fills)
    life =
      fills.map { $0.quantity == request.quantity ? .filled($0) : .partiallyFilled($0) }
      ?? .pending
    guard isAdded else { throw .badFill(identifier, fill.quantity) }
    changedAt = time
  }

  /// Holds for another quantity, at another limit, from now on; what is filled stays filled.
  mutating func amend(_ amendment: Amendment, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    guard request.kind.mayRest, amendment.quantity > filledQuantity, amendment.limit.units > 0
    else { throw .badAmendment(identifier) }
    request = request.amended(by: amendment)
    amendments += 1
    changedAt = time
  }

  /// Cancels what is open.
  mutating func cancel(_ cancellation: Cancellation, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    life = .cancelled(life.fills, cancellation)
    changedAt = time
  }

  private var unfilledQuantity: Quantity {
    Quantity(units: request.quantity.units - filledQuantity.units)
  }
}
