// Orders placed together: of two legs, one works at most, whatever comes in whatever order.

import MarketModel
@testable import OrderLedger
import PaperTrading
import TestSupport
import Testing

@Suite struct LinkedOrdersTests {
  @Test(arguments: [Exits.Kind.oco, .bracket], [false, true])
  func `all orders of up to eight events leave no two live legs`(
    kind: Exits.Kind, isDeclinedFirst: Bool
  ) throws {
    var begun = LinkedRun(isDeclinedFirst: isDeclinedFirst, latency: 50)
    begun.begin(kind)
    // Two runs in the same state go on alike; the thorough run takes every path of up to six.
    let thorough = repetitions(0, all: 6)
    var (seen, ends): (Set<String>, Set<String>) = ([], [])
    func visit(_ run: LinkedRun, _ path: [LinkedRun.Step]) throws {
      let problem = run.problem(kind)
      try #require(problem == nil, "\(problem ?? "") after \(path)")
      ends.insert(run.outcome)
      let isNew = seen.insert("\(path.count) \(run.state)").inserted
      guard path.count < 8, isNew || path.count < thorough else { return }
      // Once all have ended, nothing more can happen.
      guard run.trader.history.openCount > 0 else { return }
      for step in LinkedRun.Step.allCases {
        var next = run
        try next.take(step)
        try visit(next, path + [step])
      }
    }
    try visit(begun, [])
    #expect(seen.count > 20)
    #expect(ends.count > 4, "\(ends)")
    #expect(seen.contains { $0.contains("cancelling") })
  }

  @Test func `an exit is for what its order has filled, and ends the rest of it`() throws {
    var run = LinkedRun()
    run.begin(.bracket)
    try run.take(.down)
    #expect(run.outcome == "PENDING 0/4, PENDING 0/4, PENDING 0/4", "nothing to leave yet")
    try run.take(.fill)
    #expect(run.outcome == "PARTIALLY FILLED 1/4, PENDING 0/4, PENDING 0/4")
    try run.take(.up)
    #expect(run.outcome == "CANCELLED 1/4, CANCELLED 0/4, FILLED 1/1")
  }

  @Test func `the rest of an order that the trade of its exit may have filled is possible`() {
    var run = LinkedRun()
    run.begin(.bracket)
    run.trade(95, .sell)
    #expect(run.outcome == "CANCELLED 1/4, PENDING 0/1, CANCELLED 0/4")
    #expect(run.trader.history.orders.first?.possibleQuantity == Quantity(units: 4))
    // So is it if the book is invalid as well.
    var blind = LinkedRun()
    blind.begin(.bracket)
    blind.handle(.feed(.freshness(.resyncing), of: LinkedRun.symbol))
    blind.trade(95, .sell)
    #expect(blind.trader.history.orders.first?.possibleQuantity == Quantity(units: 4))
  }

  @Test func `a limit order that fills ends its alternative, and the other way round`() throws {
    var limit = LinkedRun()
    limit.begin(.oco)
    try limit.take(.fill)
    #expect(limit.outcome == "PARTIALLY FILLED 1/4, CANCELLED 0/4")
    var stop = LinkedRun()
    stop.begin(.oco)
    try stop.take(.up)
    #expect(stop.outcome == "CANCELLED 0/4, FILLED 4/4")
  }

  @Test func `cancelling the entry ends its exits while nothing is filled`() throws {
    var run = LinkedRun()
    run.begin(.bracket)
    run.handle(.cancel(OrderIdentifier(number: 1)))
    #expect(run.outcome == "CANCELLED 0/4, CANCELLED 0/4, CANCELLED 0/4")
    var filled = LinkedRun()
    filled.begin(.bracket)
    try filled.take(.fill)
    filled.handle(.cancel(OrderIdentifier(number: 1)))
    #expect(filled.outcome == "CANCELLED 1/4, PENDING 0/4, PENDING 0/4")
    try filled.take(.down)
    #expect(filled.outcome == "CANCELLED 1/4, FILLED 1/1, CANCELLED 0/4")
  }

  @Test func `the same order again, or one with the name of a leg, places nothing`() {
    var run = LinkedRun()
    run.begin(.bracket)
    run.begin(.bracket)
    #expect(run.trader.history.orders.count == 3)
    run.handle(.place(run.request(named: "a:stop", nil)))
    #expect(run.trader.history.orders.count == 3)
    run.handle(.place(run.request(named: "b:profit", nil)))
    run.handle(.place(run.request(named: "b", Exits(.bracket, stop: nil, takeProfit: run.high))))
    #expect(run.trader.history.orders.count == 4)
    let long = String(repeating: "x", count: 62)
    run.handle(.place(run.request(named: long, Exits(.bracket, stop: run.low))))
    #expect(run.trader.history.orders.last?.life.status == .rejected)
  }
}

/// A buy at 99 for 4 with a stop at 95 and a take-profit at 105; or with a stop at 105 instead.
private struct LinkedRun {
  enum Step: CaseIterable {
    /// A trade at 105.
    case up
    /// A trade at 95, of nothing that the order rests for.
    case down
    /// A trade that fills one more of the order.
    case fill
    /// The order is cancelled, which takes a while.
    case cancel
    /// So is the last one placed with it.
    case cancelLeg
    /// What is under way arrives.
    case arrive
    /// The program ends and reads its ledger.
    case restart
  }

  static let symbol = Symbol(known: "kraken:BTC/USD")
  let low = Price(units: 95)
  let high = Price(units: 105)
  let isDeclinedFirst: Bool
  /// How long changes are under way.
  let latency: Int64
  var trader = PaperTrader(rules: TradingRules(oneStock: Symbol(known: "TROAD")))
  private var events: [OrderEvent] = []
  private var clock: Int64 = 1000
  private var books: UInt64 = 0
  private var trades: Int64 = 0

  init(isDeclinedFirst: Bool = false, latency: Int64 = 0) {
    (self.isDeclinedFirst, self.latency) = (isDeclinedFirst, latency)
  }

  /// The orders as "STATUS filled/ordered".
  var outcome: String {
    trader.history.orders.map {
      "\($0.life.status.rawValue) \($0.filledQuantity.units)/\($0.request.quantity.units)"
    }.joined(separator: ", ")
  }

  /// All of the orders that decides what can happen to them.
  var state: String {
    trader.history.orders.map {
      "\($0.life.status.rawValue) \($0.filledQuantity.units) \($0.possibleQuantity.units) "
        + "\($0.request.quantity.units) \($0.isWaiting) \($0.missed != nil)"
        + ($0.isCancelling ? " cancelling" : "")
    }.joined(separator: ", ")
  }

  func request(named name: String, _ exits: Exits?) -> OrderRequest {
    OrderRequest(
      clientIdentifier: ClientOrderIdentifier(name) ?? unreachable(), symbol: Self.symbol,
      side: .buy, kind: .limit(Price(units: 99)), quantity: Quantity(units: 4), exits: exits)
  }

  mutating func begin(_ kind: Exits.Kind) {
    book()
    handle(
      .place(
        request(
          named: "a",
          kind == .oco
            ? Exits(.oco, stop: high) : Exits(.bracket, stop: low, takeProfit: high))))
    book()
  }

  mutating func handle(_ input: TradingInput) {
    clock += 1
    let now = ClockReading(milliseconds: clock)
    if isDeclinedFirst {
      trader.decline(trader.decide(input, at: now))
      // The book of a declined decision can't be taken from.
      if !trader.decide(input, at: now).events.isEmpty { book(isDirect: true) }
    }
    events += trader.handle(input, at: now).events
  }

  mutating func take(_ step: Step) throws {
    switch step {
    case .up: trade(105, .buy)
    // Its buyer came first, so it proves no fill at 99; the order may have filled.
    case .down: trade(95, .buy)
    case .fill: trade(99, .sell)
    case .cancel: handle(.cancel(OrderIdentifier(number: 1)))
    case .cancelLeg:
      handle(.cancel(OrderIdentifier(number: UInt64(trader.history.orders.count))))
    case .arrive:
      clock += 100
      handle(.feed(.time(afterStop: false), of: Self.symbol))
    case .restart:
      let texts = events.map { EventCodec.encode($0) }
      let read = try texts.map { (text) throws in try EventCodec.decode(text) }
      let history = try OrderHistory(replaying: read)
      #expect(history.stateHash == trader.history.stateHash)
      trader = PaperTrader(rules: trader.rules, history: history)
      handle(.feed(.missedTrades, of: Self.symbol))
    }
    book()
  }

  mutating func trade(_ price: Int64, _ side: Side) {
    trades += 1
    handle(
      .feed(
        .trade(
          Trade(
            price: Price(units: price), size: Quantity(units: 1), side: side,
            time: Timestamp(milliseconds: clock + 5), arrival: UInt64(trades),
            identifier: trades), priceScale: .whole, quantityScale: .whole),
        of: Self.symbol))
  }

  private mutating func book(isDirect: Bool = false) {
    books += 1
    func row(_ price: Int64) -> BookRow {
      BookRow(
        price: Price(units: price), size: Quantity(units: 50), accumulated: Quantity(units: 50))
    }
    let view = BookView(
      symbol: Self.symbol, status: .synced, freshness: .waiting(.venue), bids: [row(98)],
      asks: [row(101)], bidLevels: 1, askLevels: 1, priceScale: .whole, quantityScale: .whole,
      priceDecimals: .whole, sequence: books, resyncs: 0)
    let wait = trader.history.orders.isEmpty ? 0 : latency
    let input = TradingInput.feed(
      .book(view, currency: "USD", latencyMilliseconds: wait), of: Self.symbol)
    if isDirect {
      clock += 1
      events += trader.handle(input, at: ClockReading(milliseconds: clock)).events
    } else {
      handle(input)
    }
  }

  /// What must not be; nil if all is well.
  func problem(_ kind: Exits.Kind) -> String? {
    let orders = trader.history.orders
    guard let primary = orders.first else { return "no order" }
    let legs = orders.dropFirst()
    let worked = legs.filter { $0.activation != nil }
    if worked.count > 1 { return "two exits worked" }
    if let leg = worked.first {
      if primary.life.isOpen { return "the order is open beside its exit" }
      if legs.contains(where: { $0.isWaiting }) { return "an exit waits beside another" }
      if kind == .bracket, leg.filledQuantity > primary.filledQuantity {
        return "more was sold than bought"
      }
    }
    if kind == .oco, primary.filledQuantity > .zero, legs.contains(where: { $0.life.isOpen }) {
      return "both alternatives work"
    }
    if kind == .bracket, !primary.life.isOpen, primary.filledQuantity == .zero, worked.isEmpty,
      legs.contains(where: { $0.life.isOpen })
    {
      return "an exit of nothing"
    }
    return nil
  }
}
