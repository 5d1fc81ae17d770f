public import MarketModel

/// All orders ever placed, and which of them rest: a fold of their events.
///
/// Every event is checked, because events are read from a file.
public struct OrderHistory: Sendable, Equatable {
  /// Every order, oldest first; order n is at index n - 1.
  public private(set) var orders: OrderList = []
  /// The sequence number of the latest event; 0 before the first.
  public private(set) var lastSequence: UInt64 = 0
  /// The time of the latest event; nil before the first.
  public private(set) var lastTime: Timestamp?
  /// The number of open orders.
  public private(set) var openCount = 0
  /// Orders by status; a status without orders is absent.
  public private(set) var counts: [OrderStatus: Int] = [:]
  /// The number of orders with at least one fill.
  public private(set) var filledCount = 0
  /// The number of fills of all orders.
  public private(set) var fillCount = 0

  /// The rules of each venue's market that has had an order.
  public private(set) var listings: [Symbol: TradingRules] = [:]
  private(set) var accounts: [Symbol: PositionAccount] = [:]
  /// The quantities of the last ten orders accepted in each instrument, as placed, oldest first.
  private(set) var latestQuantities: [Symbol: [Quantity]] = [:]

  /// The open orders with a time of expiry, the earliest first.
  private(set) var dated: [DatedOrder] = []
  /// The open orders on their way to a venue, the first to arrive first.
  private(set) var travelling: [DatedOrder] = []
  /// The open orders with a change on its way, by its time.
  private(set) var changing: [DatedOrder] = []
  /// The open reduce-only orders.
  private(set) var reducing: Set<OrderIdentifier> = []

  /// The orders of which more may be filled than is certain.
  private var doubtfulBySymbol: [Symbol: Set<OrderIdentifier>] = [:]
  private var byClientIdentifier: [ClientOrderIdentifier: OrderIdentifier] = [:]
  private var amendments: [ClientOrderIdentifier: NamedAmendment] = [:]
  /// The amendments on their way, by name.
  private var requested: [ClientOrderIdentifier: AmendRequest] = [:]
  private var restingBySymbol: [Symbol: RestingOrders] = [:]
  private var lastUses: [LevelUse] = []

  /// Creates an empty history.
  public init() {}

  /// Replays events; throws at the first event that cannot follow the previous ones.
  public init(replaying events: some Sequence<OrderEvent>) throws(OrderEventProblem) {
    for event in events { try apply(event) }
  }

  /// The order with a number; nil if unknown.
  public func order(_ identifier: OrderIdentifier) -> Order? {
    index(of: identifier).map { orders[$0] }
  }

  /// The order with a client identifier; nil if unknown.
  public func order(named name: ClientOrderIdentifier) -> Order? {
    byClientIdentifier[name].flatMap { order($0) }
  }

  func amendment(named name: ClientOrderIdentifier) -> (OrderIdentifier, Amendment)? {
    amendments[name].map { ($0.order, $0.amendment) }
  }

  /// Whether an amendment has this client identifier.
  public func knowsAmendment(named name: ClientOrderIdentifier) -> Bool {
    amendments[name] != nil || requested[name] != nil
  }

  /// The amendment on its way with a client identifier.
  func requestedAmendment(named name: ClientOrderIdentifier) -> AmendRequest? { requested[name] }

  /// The position in an instrument; empty before its first fill.
  public func account(of symbol: Symbol) -> PositionAccount {
    accounts[symbol] ?? PositionAccount()
  }

  /// The orders of an instrument of which more may be filled than is certain, oldest first.
  func doubtful(in symbol: Symbol) -> [Order] {
    (doubtfulBySymbol[symbol] ?? []).sorted().compactMap { order($0) }
  }

  /// The instruments with an open order.
  public var openSymbols: Set<Symbol> {
    Set(restingBySymbol.lazy.filter { !$0.value.isEmpty }.map(\.key))
  }

  /// The instruments that have had a fill, or may have had one.
  public var tradedSymbols: Set<Symbol> { Set(accounts.keys).union(doubtfulBySymbol.keys) }

  /// Every open order, newest first.
  ///
  /// O(n log n) in the open orders.
  public var openOrders: [Order] { openOrders(atMost: .max) }

  func openOrders(atMost count: Int) -> [Order] {
    let resting = restingBySymbol.values.flatMap(\.all)
    return resting.sorted { $0.number > $1.number }.prefix(count).compactMap { order($0) }
  }

  /// A number that is equal for equal histories on every platform.
  ///
  /// O(orders).
  public var stateHash: UInt64 {
    var hasher = StateHasher()
    hasher.add(lastSequence)
    hasher.add(lastTime?.nanoseconds ?? 0)
    for order in orders { hasher.add(order) }
    return hasher.value
  }

  /// The open orders of an instrument in price-time priority.
  func resting(for symbol: Symbol) -> RestingOrders { restingBySymbol[symbol] ?? RestingOrders() }

  /// The quantity our orders have taken from exactly this level; 0 if the last use was of another.
  func used(of level: PriceLevel, venueTime: UInt64, side: Side, symbol: Symbol) -> Quantity {
    let use = lastUses.first { $0.symbol == symbol && $0.side == side }
    guard let use, use.venueTime == venueTime, use.level == level else { return .zero }
    return use.used
  }

  /// Applies an event; throws and changes nothing if it cannot follow the previous ones.
  public mutating func apply(_ event: OrderEvent) throws(OrderEventProblem) {
    guard event.sequence == lastSequence &+ 1 else {
      throw .sequence(expected: lastSequence &+ 1, found: event.sequence)
    }
    switch event.change {
    case .accepted(let placement): try add(placement, rejection: nil, at: event.time)
    case .rejected(let placement, let reason): try add(placement, rejection: reason, at: event.time)
    case .arrived(let identifier, let market):
      try change(identifier) { order throws(OrderEventProblem) in
        try order.arrive(market, at: event.time)
      }
      travelling.removeAll { $0.order == identifier }
      sort(identifier)
    case .requested(let identifier, let change):
      try request(change, of: identifier, at: event.time)
    case .filled(let identifier, let fill):
      let account = try account(after: fill, of: identifier, at: event.time)
      try change(identifier) { order throws(OrderEventProblem) in
        try order.fill(fill, at: event.time, sequence: event.sequence)
      }
      fillCount += 1
      noteUse(of: fill, by: identifier)
      if let order = order(identifier) { accounts[order.request.symbol] = account }
    case .amended(let identifier, let amendment): try amend(identifier, amendment, at: event.time)
    case .cancelled(let identifier, let cancellation):
      try change(identifier) { order throws(OrderEventProblem) in
        try order.cancel(cancellation, at: event.time)
      }
    case .possible(let identifier, let rise):
      try change(identifier) { order throws(OrderEventProblem) in
        try order.raise(rise, at: event.time)
      }
    case .triggered(let identifier, let activation):
      try change(identifier) { order throws(OrderEventProblem) in
        try order.trigger(activation, at: event.time)
      }
      sort(identifier)
    case .trailed(let identifier, let move):
      try change(identifier) { order throws(OrderEventProblem) in
        try order.trail(move, at: event.time)
      }
      sort(identifier)
    case .listed(let rules):
      if let before = listings[rules.symbol], !before.hasUnits(of: rules) {
        throw .otherUnits(rules.symbol)
      }
      listings[rules.symbol] = rules
    }
    lastSequence = event.sequence
    lastTime = event.time
  }
}

extension OrderHistory {
  private func index(of identifier: OrderIdentifier) -> Int? {
    guard identifier.number >= 1, identifier.number <= UInt64(orders.count) else { return nil }
    return Int(identifier.number - 1)
  }

  private mutating func add(
    _ placement: Placement, rejection: RejectionReason?, at time: Timestamp
  ) throws(OrderEventProblem) {
    let (expected, found) = (UInt64(orders.count) + 1, placement.identifier.number)
    guard expected == found else { throw .identifier(expected: expected, found: found) }
    let request = placement.request
    guard byClientIdentifier[request.clientIdentifier] == nil,
      !knowsAmendment(named: request.clientIdentifier)
    else {
      throw .clientIdentifierTwice(request.clientIdentifier)
    }
    guard rejection != nil || request.quantity > .zero else {
      throw .badQuantity(placement.identifier, request.quantity)
    }
    let order = Order(placement, rejection: rejection, at: time)
    orders.append(order)
    counts[order.life.status, default: 0] += 1
    byClientIdentifier[request.clientIdentifier] = placement.identifier
    if rejection == nil {
      let latest = (latestQuantities[request.symbol] ?? []) + [request.quantity]
      latestQuantities[request.symbol] = latest.suffix(10)
    }
    guard order.life.isOpen else { return }
    openCount += 1
    if request.terms.isReduceOnly { reducing.insert(order.identifier) }
    if let expiry = request.terms.expiry {
      dated.insert(DatedOrder(order: order.identifier, from: time, time: expiry))
    }
    if order.isTravelling {
      travelling.insert(
        DatedOrder(order: order.identifier, from: time, time: order.arrivesAt))
    }
    guard request.kind.mayRest || request.trigger != nil || order.isTravelling else { return }
    restingBySymbol[request.symbol, default: RestingOrders()].insert(order)
  }

  private mutating func change(
    _ identifier: OrderIdentifier, by body: (inout Order) throws(OrderEventProblem) -> Void
  ) throws(OrderEventProblem) {
    guard let index = index(of: identifier) else { throw .unknownOrder(identifier) }
    let (before, pending) = (orders[index].life.status, orders[index].pending)
    try body(&orders[index])
    if !orders[index].life.isOpen { orders[index].forgetPending() }
    if orders[index].pending != pending { sortChange(of: identifier, before: pending) }
    let order = orders[index]
    let (symbol, isDoubtful) = (order.request.symbol, order.possibleQuantity > order.filledQuantity)
    if isDoubtful {
      doubtfulBySymbol[symbol, default: []].insert(identifier)
    } else if doubtfulBySymbol[symbol]?.remove(identifier) != nil,
      doubtfulBySymbol[symbol]?.isEmpty == true
    {
      doubtfulBySymbol[symbol] = nil
    }
    recount(from: before, to: order.life.status)
    guard !order.life.isOpen else { return }
    openCount -= 1
    reducing.remove(identifier)
    if order.request.terms.expiry != nil { dated.removeAll { $0.order == identifier } }
    travelling.removeAll { $0.order == identifier }
    restingBySymbol[order.request.symbol]?.remove(identifier, side: order.request.side)
  }

  /// Moves an order to the queue that it belongs to now.
  private mutating func sort(_ identifier: OrderIdentifier) {
    guard let order = order(identifier) else { return }
    restingBySymbol[order.request.symbol]?.remove(identifier, side: order.request.side)
    restingBySymbol[order.request.symbol]?.insert(order)
  }

  private mutating func request(
    _ change: ChangeRequest, of identifier: OrderIdentifier, at time: Timestamp
  ) throws(OrderEventProblem) {
    if case .amend(let request, _) = change {
      let name = request.clientIdentifier
      guard byClientIdentifier[name] == nil, !knowsAmendment(named: name) else {
        throw .clientIdentifierTwice(name)
      }
    }
    try self.change(identifier) { order throws(OrderEventProblem) in
      try order.request(change, at: time)
    }
  }

  /// Notes the next change of an order, and the names of its amendments on their way.
  private mutating func sortChange(of identifier: OrderIdentifier, before: [PendingChange]) {
    let pending = order(identifier)?.pending ?? []
    for change in before { change.amendment.map { requested[$0.clientIdentifier] = nil } }
    for case let request? in pending.map(\.amendment) {
      requested[request.clientIdentifier] = request
    }
    changing.removeAll { $0.order == identifier }
    if let next = pending.first {
      changing.insert(DatedOrder(order: identifier, from: next.sentAt, time: next.arrival))
    }
  }

  private mutating func amend(
    _ identifier: OrderIdentifier, _ amendment: Amendment, at time: Timestamp
  ) throws(OrderEventProblem) {
    let name = amendment.clientIdentifier
    let sent = requested[name]
    let isAwaited = sent.map { $0.order == identifier } ?? true
    guard byClientIdentifier[name] == nil, amendments[name] == nil, isAwaited else {
      throw .clientIdentifierTwice(name)
    }
    guard let before = order(identifier)?.request else { throw .unknownOrder(identifier) }
    try change(identifier) { order throws(OrderEventProblem) in
      try order.amend(amendment, at: time)
    }
    amendments[name] = NamedAmendment(
      order: identifier, amendment: amendment.resized(sent?.quantity ?? amendment.quantity))
    if !amendment.keepsPlace(of: before) { sort(identifier) }
  }

  private func account(
    after fill: OrderFill, of identifier: OrderIdentifier, at time: Timestamp
  ) throws(OrderEventProblem) -> PositionAccount {
    guard let order = order(identifier) else { throw .unknownOrder(identifier) }
    var account = account(of: order.request.symbol)
    guard account.take(fill, side: order.request.side, at: time) else {
      throw .positionTooLarge(identifier)
    }
    return account
  }

  private mutating func recount(from before: OrderStatus, to after: OrderStatus) {
    guard before != after else { return }
    if before == .pending, after != .cancelled { filledCount += 1 }
    let remaining = counts[before, default: 0] - 1
    counts[before] = remaining > 0 ? remaining : nil
    counts[after, default: 0] += 1
  }

  private mutating func noteUse(of fill: OrderFill, by identifier: OrderIdentifier) {
    guard let index = index(of: identifier) else { return }
    let request = orders[index].request
    let found = LevelUse(
      symbol: request.symbol, side: request.side, tickNumber: fill.tickNumber,
      venueTime: fill.venueTime, level: PriceLevel(price: fill.price, quantity: fill.offered),
      used: fill.quantity)
    let place = lastUses.firstIndex { $0.symbol == found.symbol && $0.side == found.side }
    guard let place else { return lastUses.append(found) }
    lastUses[place] = lastUses[place].followed(by: found)
  }
}

/// An open order and when it ends or arrives.
struct DatedOrder: Hashable, Sendable {
  let order: OrderIdentifier
  /// When it was placed.
  let from: Timestamp
  let time: Timestamp

  /// Whether its time has come, or the clock was set back.
  func isDue(at now: Timestamp) -> Bool { now >= time || now < from }
}

extension [DatedOrder] {
  fileprivate mutating func insert(_ order: DatedOrder) {
    insert(order, at: firstIndex { $0.time > order.time } ?? endIndex)
  }
}

private struct NamedAmendment: Hashable, Sendable {
  let order: OrderIdentifier
  let amendment: Amendment
}

/// What was last taken from a level, so the same level is not taken twice after a restart.
private struct LevelUse: Hashable, Sendable {
  let symbol: Symbol
  let side: Side
  let tickNumber: UInt64
  let venueTime: UInt64
  let level: PriceLevel
  var used: Quantity

  func followed(by next: LevelUse) -> LevelUse {
    guard next.tickNumber == tickNumber, next.venueTime == venueTime, next.level == level else {
      return next
    }
    var sum = next
    sum.used.units = used.units.addingReportingOverflow(next.used.units).partialValue
    return sum
  }
}
