import MarketModel

struct PlacedOrder: Sendable {
  let id: OrderID
  let side: Side
  let price: Price
}

/// The agents' access to the engine: assigns order IDs and records effects on the book.
struct AgentGateway<Engine: MatchingEngine>: Sendable {
  private(set) var engine: Engine
  /// The latest trade's price, or the start price before the first.
  private(set) var last: Price
  var microseconds: Int64
  /// Levels a side, only if events are kept.
  private(set) var levelCounts = (buy: 0, sell: 0)

  private let keepsEvents: Bool
  /// Opening the book causes thousands of changes, which are not events.
  private var isOpen = false
  private var events: [AgentEvent] = []
  private var pending: [LevelChange] = []
  private var entered: UInt64 = 0
  private var fills: [Fill] = []

  init(start: Price, maximumPrice: Price, microseconds: Int64, keepsEvents: Bool) {
    last = start
    self.microseconds = microseconds
    self.keepsEvents = keepsEvents
    engine = Engine(limits: MatchingLimits(maximumPrice: maximumPrice))
  }

  func best(_ side: Side) -> Int64? { engine.best(side)?.price.units }

  func levelCount(_ side: Side) -> Int { side == .buy ? levelCounts.buy : levelCounts.sell }

  /// Whether this step has already changed a level.
  func isChanged(_ side: Side, _ price: Price) -> Bool {
    pending.contains { $0.side == side && $0.price == price }
  }

  /// Enters an order; nil when nothing of it rests.
  @discardableResult
  mutating func enter(
    _ trader: TraderID, _ side: Side, _ kind: OrderKind, _ lots: Int64
  ) -> PlacedOrder? {
    entered += 1
    let order = NewOrder(
      id: OrderID(entered), trader: trader, side: side, kind: kind,
      quantity: Quantity(units: lots))
    fills.removeAll(keepingCapacity: true)
    let report = engine.enter(order, fills: &fills)
    if let fill = fills.last { last = fill.price }
    if !fills.isEmpty { endEvent() }
    let trades = noteFills(side)
    var placed: PlacedOrder?
    if report.standing == .resting, case .limit(let price) = kind {
      placed = PlacedOrder(id: order.id, side: side, price: price)
      note(side, price, change: report.resting.units)
    }
    if !trades.isEmpty { endEvent(trades) }
    return placed
  }

  mutating func cancel(_ order: PlacedOrder) {
    let report = engine.cancel(order.id)
    note(order.side, order.price, change: -report.cancelled.units)
  }

  /// Resizes a level with a new order, or by reducing the oldest orders.
  mutating func resize(_ side: Side, _ price: Price, to lots: Int64) {
    var excess = engine.quantity(side, at: price).units - lots
    if excess < 0 {
      enter(.anonymous, side, .limit(price), min(-excess, engine.limits.maximumQuantity.units))
    }
    while excess > 0, let order = engine.firstOrder(side, at: price) {
      let open = order.quantity.units
      if open <= excess {
        _ = engine.cancel(order.id)
      } else {
        let left = Quantity(units: open - excess)
        fills.removeAll(keepingCapacity: true)
        _ = engine.modify(order.id, price: price, quantity: left, fills: &fills)
      }
      note(side, price, change: -min(open, excess))
      excess -= open
    }
  }

  mutating func open() { isOpen = true }

  mutating func takeEvents() -> [AgentEvent] {
    endEvent()
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Records the levels that fills took from and returns the trades.
  private mutating func noteFills(_ taker: Side) -> [MarketTrade] {
    guard keepsEvents, !fills.isEmpty else { return [] }
    var eaten: Int64 = 0
    for (index, fill) in fills.enumerated() {
      eaten += fill.quantity.units
      // The fills of a level are adjacent: a sweep goes from price to price.
      if index + 1 < fills.count, fills[index + 1].price == fill.price { continue }
      note(taker.opposite, fill.price, change: -eaten)
      eaten = 0
    }
    return fills.map { MarketTrade(price: $0.price, quantity: $0.quantity, side: taker) }
  }

  /// Records that a command has changed a level by `change`; merges changes of one level.
  private mutating func note(_ side: Side, _ price: Price, change: Int64) {
    guard keepsEvents, change != 0 else { return }
    let now = engine.quantity(side, at: price)
    let before = Quantity(units: now.units - change)
    if before == .zero { count(side, 1) }
    if now == .zero { count(side, -1) }
    guard isOpen else { return }
    if let index = pending.firstIndex(where: { $0.price == price && $0.side == side }) {
      pending[index].after = now
    } else {
      pending.append(LevelChange(side: side, price: price, before: before, after: now))
    }
  }

  private mutating func count(_ side: Side, _ change: Int) {
    if side == .buy { levelCounts.buy += change } else { levelCounts.sell += change }
  }

  private mutating func endEvent(_ trades: [MarketTrade] = []) {
    let changes = pending.filter { $0.before != $0.after }
    pending.removeAll(keepingCapacity: true)
    if !isOpen || (trades.isEmpty && changes.isEmpty) { return }
    events.append(AgentEvent(microseconds: microseconds, trades: trades, changes: changes))
  }
}
