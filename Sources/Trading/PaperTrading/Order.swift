public import MarketModel

/// An order with its current life and times; only events change it.
public struct Order: Hashable, Sendable {
  /// The order's number.
  public let identifier: OrderIdentifier
  /// The order as last amended.
  public private(set) var request: OrderRequest
  /// The order as placed.
  public let original: OrderRequest
  /// The number of amendments.
  public private(set) var amendments = 0
  /// The market when it was placed; nil if it was not live.
  public let arrival: TopOfBook?
  /// How long it is on its way to the venue, in milliseconds; 0 if it acts at once.
  public let latencyMilliseconds: Int64
  /// When it reached the venue; nil before, and without latency.
  public private(set) var arrivedAt: Timestamp?
  /// The market then; nil if it was not live.
  public private(set) var arrivedMarket: TopOfBook?
  /// When it was placed.
  public let placedAt: Timestamp
  /// When it last changed.
  public private(set) var changedAt: Timestamp
  /// The order's current state.
  public private(set) var life: OrderLife
  /// How it began to work; nil while it waits, and for an order without a trigger.
  public private(set) var activation: Activation?
  /// When it began to work.
  public private(set) var activatedAt: Timestamp?
  /// When trades may be missing that may have triggered it; nil for never.
  public private(set) var missed: MissedSpan?
  /// The changes on their way, the first to arrive first: at most an amendment, then a
  /// cancellation; none once it has ended.
  public private(set) var pending: [PendingChange] = []
  private var possible = Quantity.zero
  /// The largest quantity that it was to be amended from or to; zero for none.
  private var largest = Quantity.zero
  /// Whether ``possibleQuantity`` is due to trades that may have been missed.
  public private(set) var hasMissedTrades = false

  init(_ placement: Placement, rejection: RejectionReason?, at time: Timestamp) {
    identifier = placement.identifier
    request = placement.request
    original = placement.request
    arrival = placement.arrival
    latencyMilliseconds = placement.latencyMilliseconds
    placedAt = time
    changedAt = time
    life = rejection.map { .rejected($0) } ?? .pending
  }

  /// The quantity filled so far.
  public var filledQuantity: Quantity { life.fills?.quantity ?? .zero }

  /// The largest quantity that may have been filled; at least ``filledQuantity``, which is certain.
  public var possibleQuantity: Quantity { max(possible, filledQuantity) }

  /// The leaves quantity, which still rests.
  public var openQuantity: Quantity { life.isOpen ? unfilledQuantity : .zero }

  /// The quantity cancelled unfilled.
  public var cancelledQuantity: Quantity {
    guard case .cancelled = life else { return .zero }
    return unfilledQuantity
  }

  /// The exact average fill price; nil before the first fill.
  public var averagePrice: AveragePrice? { life.fills?.average }

  mutating func arrive(_ market: TopOfBook?, at time: Timestamp) throws(OrderEventProblem) {
    guard isTravelling else { throw .badArrival(identifier) }
    (arrivedAt, arrivedMarket, changedAt) = (time, market, time)
  }

  mutating func request(
    _ change: ChangeRequest, at time: Timestamp
  ) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    switch change {
    case .cancel(let milliseconds): try send(nil, milliseconds, at: time)
    case .amend(let amendment, let milliseconds): try send(amendment, milliseconds, at: time)
    case .refused:
      guard pending.first?.amendment != nil else { throw .badRequest(identifier) }
      pending.removeFirst()
    }
    changedAt = time
  }

  private mutating func send(
    _ amendment: AmendRequest?, _ milliseconds: Int64, at time: Timestamp
  ) throws(OrderEventProblem) {
    guard (1...OrderLatency.maximumMilliseconds).contains(milliseconds), !isCancelling,
      amendment == nil || pending.isEmpty && !isTravelling && amendment?.order == identifier
    else { throw .badRequest(identifier) }
    let earliest = max(pending.last?.arrival ?? time, isTravelling ? arrivesAt : time)
    pending.append(
      PendingChange(
        amendment: amendment, sentAt: time,
        arrival: max(time.later(byMilliseconds: milliseconds), earliest)))
  }

  /// An order that has ended changes no more.
  mutating func forgetPending() { pending = [] }

  mutating func fill(
    _ fill: OrderFill, at time: Timestamp, sequence: UInt64
  ) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    guard !isWaiting, !isTravelling else { throw .notTriggered(identifier) }
    guard request.accepts(fill.price) else { throw .worseThanLimit(identifier, fill.price) }
    guard fill.quantity <= openQuantity else { throw .badFill(identifier, fill.quantity) }
    // Moves the fills out so they grow in place: an order can have thousands.
    var fills = life.fills
    life = .pending
    let isAdded = FillHistory.add(TimedFill(fill: fill, time: time, sequence: sequence), to: &fills)
    life =
      fills.map { $0.quantity == request.quantity ? .filled($0) : .partiallyFilled($0) }
      ?? .pending
    guard isAdded else { throw .badFill(identifier, fill.quantity) }
    // What a level fills comes on top of what trades made possible before.
    if fill.proof == nil, possible > .zero {
      let sum = Quantity(units: saturatingSum(possible.units, fill.quantity.units))
      possible = max(possible, min(request.quantity, sum))
    }
    changedAt = time
  }

  mutating func amend(_ amendment: Amendment, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    guard !isTravelling else { throw .notTriggered(identifier) }
    let hasLimit = amendment.limit != nil
    guard hasLimit == (request.kind.limit != nil), isWaiting || request.kind.mayRest,
      isWaiting || amendment.trigger == nil, amendment.quantity > filledQuantity,
      amendment.limit.map({ $0.units > 0 }) ?? true,
      amendment.trigger.map({ $0.kind == request.trigger?.kind }) ?? true
    else { throw .badAmendment(identifier) }
    if let sent = pending.first?.amendment, sent.clientIdentifier == amendment.clientIdentifier {
      largest = max(largest, sent.quantity ?? .zero)
      pending.removeFirst()
    }
    possible = possible(after: amendment)
    largest = max(largest, request.quantity, amendment.quantity)
    request = request.amended(by: amendment)
    amendments += 1
    changedAt = time
  }

  /// What may be filled once it is amended; more than its quantity if the amendment may have come
  /// too late.
  func possible(after amendment: Amendment) -> Quantity {
    possible > request.quantity ? possible : min(possible, amendment.quantity)
  }

  /// The smaller and the larger of the quantities before and after an amendment.
  func quantities(around amendment: Amendment) -> (less: Quantity, more: Quantity) {
    let (before, after) = (request.quantity, amendment.quantity)
    return (min(before, after), max(before, after))
  }

  /// Whether it may have filled as much as it is for before or after an amendment, so that the
  /// venue may refuse that.
  func mayEnd(before amendment: Amendment) -> Bool {
    amendment.quantity != request.quantity
      && possibleQuantity >= quantities(around: amendment).less
  }

  mutating func cancel(_ cancellation: Cancellation, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    life = .cancelled(life.fills, cancellation)
    changedAt = time
  }

  mutating func raise(_ rise: PossibleFill, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    guard rise.upTo <= max(request.quantity, largest),
      isWaiting ? rise.missed != nil && rise.proof == nil : rise.upTo > possibleQuantity,
      isWaiting || rise.missed == nil
    else {
      throw .badPossibility(identifier, rise.upTo)
    }
    possible = max(possible, rise.upTo)
    if let span = rise.missed { missed = MissedSpan(from: missed?.from ?? span.from, to: span.to) }
    hasMissedTrades = hasMissedTrades || rise.proof == nil && rise.upTo <= request.quantity
    changedAt = time
  }

  mutating func trigger(_ activation: Activation, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    guard isWaiting, !isTravelling, let trigger = request.trigger,
      trigger.isMet(by: activation.proof.price, for: request.side)
    else { throw .badTrigger(identifier, activation.proof.price) }
    if let quantity = activation.quantity {
      guard quantity > .zero else { throw .badQuantity(identifier, quantity) }
      request = request.resized(quantity)
      possible = min(possible, quantity)
    }
    (self.activation, activatedAt, changedAt) = (activation, time, time)
  }

  mutating func trail(_ move: TrailMove, at time: Timestamp) throws(OrderEventProblem) {
    guard life.isOpen else { throw .orderEnded(identifier) }
    let isBehind = request.side == .sell ? move.trigger < move.best : move.trigger > move.best
    guard isWaiting, !isTravelling, let trigger = request.trigger, trigger.trail != nil, isBehind,
      move.isNearer(than: trigger.price, for: request.side)
    else { throw .badTrigger(identifier, move.trigger) }
    (request, changedAt) = (request.trailed(to: move.trigger), time)
  }

  private var unfilledQuantity: Quantity {
    Quantity(units: request.quantity.units - filledQuantity.units)
  }
}
