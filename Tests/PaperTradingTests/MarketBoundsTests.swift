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
  /// The price of the last trade.
  private var last: Price?
  /// Whether books arrive after each command; otherwise some are missing, and nothing is cancelled.
  private let isComplete: Bool

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    isComplete = seed.isMultiple(of: 2)
  }

  private var now: ClockReading { ClockReading(milliseconds: steps) }
  private var order: Order? { trader.history.orders.last }

  /// From its first partial fill on, the order leaves other orders in the engine than in the market
  /// without it, so the two can be compared no more.
  var isComparable: Bool { (filled == 0 && order?.filledQuantity == .zero) || quantity == 1 }

  mutating func step() {
    steps += 1
    if let end = order?.request.terms.expiry, end <= now.wall {
      var none: [Fill] = []
      _ = actual.submit(.cancel(Self.ours), fills: &none)
    }
    let command = command()
    var (fills, own) = ([Fill](), [Fill]())
    _ = market.submit(command, fills: &fills)
    _ = actual.submit(command, fills: &own)
    for fill in own where fill.maker == Self.ours { filled += fill.quantity.units }
    guard case .enter(let taker) = command else { return feedBook() }
    // The order reaches the engine after the command whose trade triggers it.
    defer {
      if fills.map(\.price).contains(where: { isTriggered(by: $0) }), let dormant {
        self.dormant = nil
        #expect(order?.activation != nil, "seed \(seed)")
        enterEngine(dormant.kind)
      }
    }
    for fill in fills {
      trades += 1
      feed(
        .trade(
          Trade(
            price: fill.price, size: fill.quantity, side: taker.side, time: now.wall,
            arrival: UInt64(trades), identifier: trades),
          priceScale: .whole, quantityScale: .whole))
    }
    if isComplete || random.below(2) == 0 { feedBook() }
  }

  mutating func place() {
    feedBook()
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

  mutating func wait() {
    feedBook()
    let best = market.best(.buy)?.price.units ?? 100
    side = random.below(2) == 0 ? .buy : .sell
    quantity = random.below(2) == 0 ? 1 : 1 + random.below(30)
    let isRising = random.below(2) == 0
    let trigger = Trigger(
      isRising == (side == .buy) ? .stop : .takeProfit,
      at: Price(units: best + (isRising ? 1 : -1) * random.below(3)))
    let limit = Price(units: best + random.below(7) - 3)
    let kind: OrderType = random.below(2) == 0 ? .market : .limit(limit)
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
    last = price
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
    guard let order else {
      Issue.record("no order, seed \(seed)")
      return
    }
    let (certain, possible) = (order.filledQuantity.units, order.possibleQuantity.units)
    guard isComplete || filled == 0 || certain > 0 || possible > 0 else { return }
    #expect(certain <= filled, "seed \(seed), step \(steps)")
    if isComplete { #expect(filled <= possible, "seed \(seed), step \(steps)") }
  }

  func checkTaken() {
    #expect(order?.filledQuantity.units == filled, "seed \(seed)")
    #expect(
      order?.life.isOpen == (actual.restingOrders > market.restingOrders && quantity > filled)
        || filled > 0, "seed \(seed)")
  }

  private mutating func enter(
    _ kind: OrderType, _ trigger: Trigger? = nil, terms: OrderTerms = OrderTerms()
  ) {
    let name = ClientOrderIdentifier("ours") ?? unreachable()
    _ = trader.handle(
      .place(
        OrderRequest(
          clientIdentifier: name, symbol: Self.symbol, side: side, kind: kind,
          quantity: Quantity(units: quantity), trigger: trigger, terms: terms)), at: now)
    if trigger == nil { enterEngine(kind) }
  }

  private mutating func enterEngine(_ kind: OrderType) {
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
        id: Self.ours, trader: .anonymous, side: side, kind: engine,
        quantity: Quantity(units: quantity)), fills: &fills)
    filled = fills.reduce(0) { $0 + $1.quantity.units }
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
    _ = trader.handle(.feed(input, of: Self.symbol), at: now)
  }

  private mutating func feedBook() {
    func rows(_ side: Side) -> [BookRow] {
      market.levels(side, limit: BookView.depth).map {
        BookRow(price: $0.price, size: $0.quantity, accumulated: $0.quantity)
      }
    }
    feed(
      .book(
        BookView(
          symbol: Self.symbol, status: .synced, freshness: .waiting(.venue), bids: rows(.buy),
          asks: rows(.sell), bidLevels: 0, askLevels: 0, priceScale: .whole,
          quantityScale: .whole, priceDecimals: .whole, sequence: UInt64(steps) * 2 + 1,
          resyncs: 0), currency: "USD"))
  }
}
