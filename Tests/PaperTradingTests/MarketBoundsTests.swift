// The two bounds of orders in a venue's market, against a matching engine with queues: the same
// commands are executed with and without the order, and the trader sees the market without it.

import MarketModel
import OrderMatching
import PaperTrading
import TestSupport
import Testing

@Suite struct MarketBoundsTests {
  @Test(arguments: 1...UInt64(repetitions(200, all: 10_000)))
  func `what an engine fills of an order is between certain and possible`(seed: UInt64) {
    var run = EngineRun(seed: seed)
    for _ in 0..<40 { run.step() }
    run.place()
    for _ in 0..<150 where run.isComparable {
      run.step()
      run.check()
    }
  }

  @Test(arguments: 1...UInt64(repetitions(200, all: 10_000)))
  func `once triggered, what an engine fills of an order is between certain and possible`(
    seed: UInt64
  ) {
    var run = EngineRun(seed: seed * 2)
    for _ in 0..<40 { run.step() }
    run.wait()
    for _ in 0..<200 where run.isComparable {
      run.step()
      run.check()
    }
  }

  @Test(arguments: 1...UInt64(repetitions(200, all: 10_000)))
  func `an order that is being cancelled fills within its bounds until that reaches the engine`(
    seed: UInt64
  ) {
    var run = EngineRun(seed: seed * 2)
    for _ in 0..<40 { run.step() }
    run.place()
    for _ in 0..<(seed % 40) where run.isComparable {
      run.step()
      run.check()
    }
    run.cancel()
    for _ in 0..<80 where run.isComparable {
      run.step()
      run.check()
    }
  }

  @Test(arguments: 1...UInt64(repetitions(200, all: 10_000)))
  func `lost and swapped messages leave what an engine fills between certain and possible`(
    seed: UInt64
  ) {
    var run = EngineRun(seed: seed * 2, link: FaultyLink(seed: seed))
    for _ in 0..<40 { run.step() }
    if seed.isMultiple(of: 2) { run.place() } else { run.wait() }
    for _ in 0..<200 where run.isComparable {
      run.step()
      run.check()
    }
  }

  @Test(arguments: 1...UInt64(repetitions(200, all: 10_000)))
  func `two reduce-only orders never close more than the position, nor more than an engine`(
    seed: UInt64
  ) {
    let link = seed.isMultiple(of: 2) ? FaultyLink(seed: seed) : nil
    var run = EngineRun(seed: seed * 2, link: link)
    for _ in 0..<40 { run.step() }
    run.reduce()
    for _ in 0..<150 {
      run.step()
      run.check()
    }
  }

  @Test(arguments: 1...UInt64(repetitions(200, all: 10_000)))
  func `an order takes of the visible levels exactly what an engine gives it`(seed: UInt64) {
    var run = EngineRun(seed: seed)
    for _ in 0..<60 { run.step() }
    run.placeAggressive()
    run.checkTaken()
  }
}

/// One engine with our order, one without, and the trader that sees the latter.
private struct EngineRun {
  static let symbol = Symbol(known: "kraken:BTC/USD")
  static let ours = OrderID(1_000_000)
  static let second = OrderID(1_000_001)

  private let seed: UInt64
  private var random: SplitMix64
  private var market = FastMatchingEngine()
  private var actual = FastMatchingEngine()
  private var trader = PaperTrader(rules: TradingRules(oneStock: Desk.stock))
  private var steps: Int64 = 0
  private var trades: Int64 = 0
  private var entered: UInt64 = 0
  private var side = Side.buy
  private var quantity: Int64 = 1
  private var filled: Int64 = 0
  /// What our order does once a trade is at its trigger or beyond.
  private var dormant: (trigger: Trigger, kind: OrderType)?
  /// Whether our orders only close a position of 1.
  private var isReducing = false
  /// Whether books arrive after each command; otherwise some are missing, and nothing is cancelled.
  private let isComplete: Bool
  /// What messages go through; nil if all arrive in order.
  var link: FaultyLink?
  /// Whether the trader acted when the engine did; if not, only what is possible is a bound.
  private var hasActed = true
  /// How long changes of our order are on their way.
  private var latency: Int64 = 0
  /// When the cancellation of our order reaches the engine.
  private var cancelledAt: Int64?
  /// Whether our order was triggered and acts with the next book, which the engine had already.
  private var awaitsBook = false

  init(seed: UInt64, link: FaultyLink? = nil) {
    (self.seed, self.link) = (seed, link)
    random = SplitMix64(seed: seed)
    isComplete = seed.isMultiple(of: 2)
  }

  private var now: ClockReading { ClockReading(milliseconds: steps) }
  private var orders: [Order] {
    trader.history.orders.filter { $0.request.clientIdentifier.text.hasPrefix("ours") }
  }
  private var order: Order? { orders.last }

  /// From its first partial fill on, the order leaves other orders in the engine than in the market
  /// without it, so the two can be compared no more.
  ///
  /// Nor if it ended after a loss that no later message showed yet.
  var isComparable: Bool {
    if order?.life.isOpen == false, link?.hasUnseenLoss == true { return false }
    return (filled == 0 && order?.filledQuantity == .zero) || quantity == 1
  }

  mutating func step() {
    steps += 1
    let isHolding = link?.isHolding == true
    if let end = order?.request.terms.expiry, end <= now.wall {
      var none: [Fill] = []
      _ = actual.submit(.cancel(Self.ours), fills: &none)
    }
    if let cancelledAt, cancelledAt <= steps {
      var none: [Fill] = []
      _ = actual.submit(.cancel(Self.ours), fills: &none)
    }
    let command = command()
    var (fills, own) = ([Fill](), [Fill]())
    _ = market.submit(command, fills: &fills)
    _ = actual.submit(command, fills: &own)
    for fill in own where [Self.ours, Self.second].contains(fill.maker) {
      // One command that meets both fills one: the other is reduce-only, too.
      filled = isReducing ? 1 : filled + fill.quantity.units
      if isReducing { cancelReducing() }
    }
    defer {
      if link?.step() == true { feed(.book(book, currency: "USD")) }
    }
    guard case .enter(let taker) = command else { return feedBook() }
    // The order reaches the engine after the command whose trade triggers it.
    defer {
      if fills.map(\.price).contains(where: { isTriggered(by: $0) }), let dormant {
        self.dormant = nil
        // A book that was sent before the trade and comes after it can't be told from a later one.
        hasActed =
          link?.hasUnseenLoss != true && !isHolding && order?.activation?.isLate == false
        if link == nil { #expect(hasActed, "seed \(seed)") }
        enterEngine(dormant.kind)
      }
    }
    for fill in fills {
      trades += 1
      let trade = Trade(
        price: fill.price, size: fill.quantity, side: taker.side, time: now.wall,
        arrival: UInt64(trades), identifier: trades)
      let input = MarketInput.trade(trade, priceScale: .whole, quantityScale: .whole)
      for input in link?.send(input, number: trades) ?? [input] { feed(input) }
    }
    if isComplete || random.below(2) == 0 { feedBook() }
  }

  mutating func place() {
    feedSnapshot()
    let best = market.best(.buy)?.price.units ?? 100
    side = random.below(2) == 0 ? .buy : .sell
    quantity = random.below(2) == 0 ? 1 : 1 + random.below(60)
    let away = random.below(4)
    let limit = Price(units: side == .buy ? best - away : best + 1 + away)
    // It may be for a while only, or only rest.
    let ends = seed.isMultiple(of: 3)
    let takes = market.best(side == .buy ? .sell : .buy).map {
      side == .buy ? $0.price <= limit : $0.price >= limit
    }
    enter(
      .limit(limit),
      terms: OrderTerms(
        isPostOnly: seed.isMultiple(of: 5) && takes == false,
        expiry: ends ? Timestamp(milliseconds: steps + 20 + Int64(seed % 60)) : nil))
  }

  /// Cancels our order, with latency from now on.
  mutating func cancel() {
    guard let order, order.life.isOpen else { return }
    latency = 1 + random.below(30)
    feedBook()
    cancelledAt = steps + latency
    _ = trader.handle(.cancel(order.identifier), at: now)
  }

  mutating func wait() {
    feedSnapshot()
    let best = market.best(.buy)?.price.units ?? 100
    side = random.below(2) == 0 ? .buy : .sell
    quantity = random.below(2) == 0 ? 1 : 1 + random.below(30)
    let isRising = random.below(2) == 0
    let trigger = Trigger(
      isRising == (side == .buy) ? .stop : .takeProfit,
      at: Price(units: best + (isRising ? 1 : -1) * random.below(3)))
    let limit = Price(units: best + random.below(7) - 3)
    let kind: OrderType = random.below(2) == 0 ? .market : .limit(limit)
    let last = trader.market(of: Self.symbol)?.lastTrade
    guard seed.isMultiple(of: 3), let last else {
      dormant = (trigger, kind)
      return enter(kind, trigger)
    }
    let distance = 1 + random.below(3)
    let trail = Trail.distance(Price(units: distance))
    let start = Price(units: last.units + (side == .buy ? distance : -distance))
    dormant = (Trigger(.stop, at: start, trail: trail), kind)
    enter(kind, Trigger(.stop, at: Price(units: 0), trail: trail))
  }

  /// Whether a trade triggers our order; a trailing stop follows it otherwise.
  private mutating func isTriggered(by price: Price) -> Bool {
    guard let (trigger, kind) = dormant else { return false }
    let isRising = trigger.isRising(for: side)
    if isRising ? price >= trigger.price : price <= trigger.price { return true }
    if case .distance(let distance) = trigger.trail {
      let next = price.units + (isRising ? distance.units : -distance.units)
      let nearer = isRising ? min(next, trigger.price.units) : max(next, trigger.price.units)
      dormant = (Trigger(.stop, at: Price(units: nearer), trail: trigger.trail), kind)
    }
    return false
  }

  /// Two orders that would close the same position.
  mutating func reduce() {
    feedSnapshot()
    side = random.below(2) == 0 ? .buy : .sell
    isReducing = true
    hold()
    feedSnapshot()
    let best = market.best(.buy)?.price.units ?? 100
    for id in [Self.ours, Self.second] {
      let away = random.below(4)
      enter(
        .limit(Price(units: side == .buy ? best - away : best + 1 + away)),
        terms: OrderTerms(isReduceOnly: true), as: id)
    }
    if filled > 0 { cancelReducing() }
  }

  private mutating func cancelReducing() {
    var none: [Fill] = []
    for id in [Self.ours, Self.second] { _ = actual.submit(.cancel(id), fills: &none) }
  }

  /// Begins with a position that an order on our side closes.
  private mutating func hold() {
    guard let rules = trader.rules(of: Self.symbol) else { return }
    let identifier = OrderIdentifier(number: 1)
    let request = OrderRequest(
      clientIdentifier: ClientOrderIdentifier("held") ?? unreachable(), symbol: Self.symbol,
      side: side == .buy ? .sell : .buy, kind: .market, quantity: Quantity(units: 1))
    let fill = OrderFill(
      quantity: Quantity(units: 1), price: Price(units: 100), offered: Quantity(units: 1),
      tickNumber: 0, venueTime: 0)
    let changes: [OrderEvent.Change] = [
      .listed(rules),
      .accepted(Placement(identifier: identifier, request: request, arrival: nil)),
      .filled(identifier, fill),
    ]
    let events = changes.enumerated().map {
      OrderEvent(sequence: UInt64($0.offset) + 1, time: now.wall, change: $0.element)
    }
    let history = try? OrderHistory(replaying: events)
    trader = PaperTrader(rules: trader.rules, history: history ?? unreachable())
  }

  mutating func placeAggressive() {
    feedBook()
    side = random.below(2) == 0 ? .buy : .sell
    quantity = 1 + random.below(400)
    let best = market.best(side == .buy ? .sell : .buy)?.price.units ?? 100
    let limit = Price(units: side == .buy ? best + random.below(6) : best - random.below(6))
    switch random.below(4) {
    case 0: enter(.market)
    case 1: enter(.immediateOrCancel(limit))
    case 2: enter(.fillOrKill(limit))
    default: enter(.limit(limit))
    }
  }

  func check() {
    guard order != nil else {
      Issue.record("no order, seed \(seed)")
      return
    }
    let certain = orders.reduce(0) { $0 + $1.filledQuantity.units }
    let possible = orders.reduce(0) { $0 + $1.possibleQuantity.units }
    guard isComplete || filled == 0 || certain > 0 || possible > 0 else { return }
    if hasActed { #expect(certain <= filled, "seed \(seed), step \(steps)") }
    if isReducing { #expect(certain <= 1, "seed \(seed), step \(steps)") }
    guard isComplete, !awaitsBook, link?.hasUnseenLoss != true else { return }
    #expect(filled <= possible, "seed \(seed), step \(steps)")
  }

  func checkTaken() {
    #expect(order?.filledQuantity.units == filled, "seed \(seed)")
    #expect(
      order?.life.isOpen == (actual.restingOrders > market.restingOrders && quantity > filled)
        || filled > 0, "seed \(seed)")
  }

  private mutating func enter(
    _ kind: OrderType, _ trigger: Trigger? = nil, terms: OrderTerms = OrderTerms(),
    as id: OrderID = Self.ours
  ) {
    let name = ClientOrderIdentifier(id == Self.second ? "ours-2" : "ours-1") ?? unreachable()
    _ = trader.handle(
      .place(
        OrderRequest(
          clientIdentifier: name, symbol: Self.symbol, side: side, kind: kind,
          quantity: Quantity(units: quantity), trigger: trigger, terms: terms)), at: now)
    if trigger == nil, order?.life.status != .rejected { enterEngine(kind, as: id) }
  }

  private mutating func enterEngine(_ kind: OrderType, as id: OrderID = Self.ours) {
    var fills: [Fill] = []
    let engine: OrderKind =
      switch kind {
      case .limit(let price): .limit(price)
      case .immediateOrCancel(let price): .immediateOrCancel(price)
      case .fillOrKill(let price): .fillOrKill(price)
      case .market, .protectedMarket: .market
      }
    _ = actual.enter(
      NewOrder(
        id: id, trader: .anonymous, side: side, kind: engine,
        quantity: Quantity(units: quantity)), fills: &fills)
    filled += fills.reduce(0) { $0 + $1.quantity.units }
  }

  /// An immediate-or-cancel order that meets nothing but ours would leave no trace in the market.
  private mutating func command() -> OrderCommand {
    if isComplete, random.below(4) == 0, entered > 0 {
      return .cancel(OrderID(1 + UInt64(random.below(Int64(entered)))))
    }
    entered += 1
    let side: Side = random.below(2) == 0 ? .buy : .sell
    let price = Price(units: 100 + random.below(12) - (side == .buy ? 8 : 3))
    return .enter(
      NewOrder(
        id: OrderID(entered), trader: .anonymous, side: side,
        kind: order == nil && random.below(5) == 0 ? .immediateOrCancel(price) : .limit(price),
        quantity: Quantity(units: 1 + random.below(20))))
  }

  private mutating func feed(_ input: MarketInput) {
    let isWaiting = order?.activation == nil
    defer {
      if case .book = input { awaitsBook = false }
      if isWaiting, order?.activation != nil { awaitsBook = true }
    }
    _ = trader.handle(.feed(input, of: Self.symbol), at: now)
  }

  private mutating func feedBook() {
    let input = MarketInput.book(book, currency: "USD", latencyMilliseconds: latency)
    for input in link?.send(input, number: nil) ?? [input] { feed(input) }
  }

  private mutating func feedSnapshot() {
    link?.recover()
    feed(.book(book, currency: "USD"))
  }

  private var book: BookView {
    func rows(_ side: Side) -> [BookRow] {
      market.levels(side, limit: BookView.depth).map {
        BookRow(price: $0.price, size: $0.quantity, accumulated: $0.quantity)
      }
    }
    return BookView(
      symbol: Self.symbol, status: .synced, freshness: .waiting(.venue), bids: rows(.buy),
      asks: rows(.sell), bidLevels: 0, askLevels: 0, priceScale: .whole,
      quantityScale: .whole, priceDecimals: .whole, sequence: UInt64(steps) * 2 + 1, resyncs: 0)
  }
}

/// A link that loses, swaps and repeats messages or is cut, with the recovery of a session: a book
/// whose number does not follow is invalid until a snapshot, and trades before one whose number
/// does not follow were missed.
private struct FaultyLink {
  private struct Message {
    let input: MarketInput
    let number: Int64
    let isTrade: Bool
  }

  private var random: SplitMix64
  private var held: Message?
  private var sent: (books: Int64, trades: Int64) = (0, 0)
  private var received: (books: Int64, trades: Int64) = (0, 0)
  /// The steps until a new snapshot; 0 while the book is valid.
  private var resyncsIn = 0
  private var isCut = false

  init(seed: UInt64) { random = SplitMix64(seed: seed &+ 77) }

  /// Whether the next message comes before one that was sent earlier.
  var isHolding: Bool { held != nil }

  /// Whether something sent has not arrived, which no later message has shown yet.
  var hasUnseenLoss: Bool { isHolding || received != sent || resyncsIn > 0 }

  /// `number` is that of a trade; nil for a book.
  mutating func send(_ input: MarketInput, number: Int64?) -> [MarketInput] {
    if let number { sent.trades = number } else { sent.books += 1 }
    let message = Message(
      input: input, number: number ?? sent.books, isTrade: number != nil)
    if isCut { return [] }
    switch random.below(30) {
    case 0: return []
    case 1 where held == nil:
      held = message
      return []
    case 2:
      (isCut, held, resyncsIn) = (true, nil, 1 + Int(random.below(6)))
      return [.freshness(.disconnected)]
    default:
      let messages = [message] + (held.map { [$0] } ?? [])
      held = nil
      return messages.flatMap { receive($0) }
    }
  }

  private mutating func receive(_ message: Message) -> [MarketInput] {
    let number = message.number
    if message.isTrade {
      let isNext = number <= received.trades + 1
      received.trades = max(received.trades, number)
      return (isNext ? [] : [.missedTrades]) + [message.input]
    }
    guard resyncsIn == 0, number > received.books else { return [] }
    guard number == received.books + 1 else {
      resyncsIn = 1 + Int(random.below(6))
      return [.freshness(.resyncing)]
    }
    received.books = number
    return [message.input]
  }

  /// Ends a step; returns whether a new snapshot comes.
  mutating func step() -> Bool {
    guard resyncsIn > 0 else { return false }
    resyncsIn -= 1
    guard resyncsIn == 0 else { return false }
    (isCut, received.books) = (false, sent.books)
    return true
  }

  /// Nothing is missing from now on.
  mutating func recover() { (held, received, resyncsIn, isCut) = (nil, sent, 0, false) }
}
