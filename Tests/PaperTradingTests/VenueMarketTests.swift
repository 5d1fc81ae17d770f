import MarketModel
@testable import PaperTrading
import Testing

@Suite struct VenueMarketTests {
  @Test func `a market order takes the visible levels, best first, and each level once`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2), (101, 3), (103, 9)])
    let first = desk.place(.buy, 4)
    #expect(desk.fills(first) == ["2 at 100", "2 at 101"])
    #expect(desk.reports == ["Bought 4 kraken:BTC/USD at an average of 100.5."])
    // What is left: 1 at 101 and 9 at 103.
    let second = desk.place(.buy, 3)
    #expect(desk.fills(second) == ["1 at 101", "2 at 103"])
    // The same levels with 2 more at 101: only what is new can be taken there.
    desk.book(bids: [(99, 5)], asks: [(101, 5), (103, 9)])
    let third = desk.place(.buy, 4)
    #expect(desk.fills(third) == ["2 at 101", "2 at 103"])
    // A level that left the book comes back new.
    desk.book(bids: [(99, 5)], asks: [(103, 9)])
    desk.book(bids: [(99, 5)], asks: [(101, 5), (103, 9)])
    let fourth = desk.place(.buy, 6)
    #expect(desk.fills(fourth) == ["5 at 101", "1 at 103"])
  }

  @Test func `a marked sentence marks the market's name, and not the stock's`() throws {
    let market = try #require(
      TradingRules(
        symbol: MarketDesk.symbol, priceScale: .whole, tick: Price(units: 1),
        maximumPrice: Price(units: 9), quantityScale: .whole, lot: Quantity(units: 1),
        maximumQuantity: Quantity(units: 9), currency: "USD"))
    let stock = TradingRules(oneStock: Desk.stock)
    for (rules, name) in [
      (market.marked, "{kraken:BTC/USD}"), (market, "kraken:BTC/USD"), (stock.marked, "AAPL"),
    ] {
      let request = OrderRequest(
        clientIdentifier: try #require(ClientOrderIdentifier("a")), symbol: rules.symbol,
        side: .buy, kind: .market, quantity: Quantity(units: 1))
      let notice = OrderNotice(
        OrderIdentifier(number: 1), request, .rejected(.cannotWait(.stale)), under: rules,
        at: Timestamp(milliseconds: 0))
      #expect(notice.text.description.hasPrefix("\(name) order rejected."))
    }
  }

  @Test func `what the visible levels do not hold is cancelled with their sum`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2), (101, 3)])
    let order = desk.place(.buy, 9, .protectedMarket(Price(units: 101)))
    #expect(desk.fills(order) == ["2 at 100", "3 at 101"])
    #expect(
      desk.reports == [
        "Bought 5 of 9 kraken:BTC/USD at an average of 100.6; 4 cancelled: "
          + "only 5 offered within 101."
      ])
    let whole = desk.place(.buy, 6, .fillOrKill(Price(units: 101)))
    #expect(desk.fills(whole) == [])
  }

  @Test func `a resting order is certain to fill once more than the queue ahead has traded`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5), (98, 4)], asks: [(100, 2)])
    let order = desk.place(.buy, 6, .limit(Price(units: 99)))
    #expect(desk.bounds(order) == "0...0")
    desk.trade(99, 3, .sell)
    #expect(desk.bounds(order) == "0...3")
    // The level shrank by more than traded: what was cancelled counts as behind the order.
    desk.book(bids: [(99, 1), (98, 4)], asks: [(100, 2)])
    desk.trade(99, 2, .sell)
    #expect(desk.bounds(order) == "0...5")
    desk.trade(99, 4, .sell)
    #expect(desk.bounds(order) == "4...6")
    #expect(desk.fills(order) == ["4 at 99, trade 3 after 5"])
    // A trade below the limit would have met the order first.
    desk.trade(98, 1, .sell)
    #expect(desk.bounds(order) == "5...6")
    // A seller that crosses the limit would have, too; the order trades at its own price.
    desk.book(bids: [(97, 4)], asks: [(98, 8)])
    #expect(desk.bounds(order) == "6...6")
    #expect(desk.fills(order).last == "1 at 99")
  }

  @Test func `a trade before the order, or of unknown aggressor, makes no fill certain`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 0)], asks: [(100, 2)])
    let order = desk.place(.buy, 6, .limit(Price(units: 99)))
    desk.trade(99, 2, .sell, at: desk.milliseconds - 5)
    desk.trade(98, 2, nil)
    // Its seller would have met the order when it arrived.
    desk.trade(99, 1, .buy)
    #expect(desk.bounds(order) == "0...5")
    // Fills of our sells have no part in it.
    desk.trade(100, 5, .sell)
    #expect(desk.bounds(order) == "0...5")
  }

  @Test func `each fill names the trade or level that proves it`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    let order = desk.place(.buy, 4, .limit(Price(units: 99)))
    desk.trade(99, 6, .sell)
    desk.book(bids: [(98, 1)], asks: [(99, 9)])
    let rules = try #require(desk.trader.rules(of: MarketDesk.symbol))
    let fills = desk.trader.history.order(order)?.life.fills?.fills ?? []
    #expect(
      fills.map { $0.fill.evidence(under: rules).description }
        == ["trade 1 of 6 at 99, with 5 ahead", "a level of 9"])
  }

  @Test func `own earlier orders are ahead in the queue`() {
    var desk = MarketDesk()
    desk.book(bids: [(98, 1)], asks: [(100, 2)])
    let first = desk.place(.buy, 3, .limit(Price(units: 99)))
    let second = desk.place(.buy, 3, .limit(Price(units: 99)))
    desk.trade(99, 4, .sell)
    #expect([desk.bounds(first), desk.bounds(second)] == ["3...3", "1...3"])
  }

  @Test func `an order amended during an outage takes the levels of the first book`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    let sell = desk.place(.sell, 1, .limit(Price(units: 150)))
    let order = desk.place(.buy, 3, .limit(Price(units: 50)))
    desk.feed(.freshness(.late))
    desk.amend(sell, quantity: 1, to: 20)
    desk.amend(order, quantity: 3, to: 900)
    // Nothing shows that it met this trade.
    desk.trade(98, 1, .sell)
    #expect(desk.bounds(order) == "0...1")
    desk.book(bids: [(99, 5)], asks: [(100, 2), (101, 4)])
    #expect(desk.fills(order) == ["2 at 100", "1 at 101"])
    #expect(desk.fills(sell) == ["1 at 99"])
  }

  @Test(arguments: [FreshnessState.late, .stale, .resyncing, .disconnected, .closed])
  func `a market without a live book accepts no order of any kind`(state: FreshnessState) throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    desk.feed(.freshness(state))
    let limit = OrderType.limit(Price(units: 90))
    for (kind, trigger) in [
      (limit, nil), (.market, nil), (.market, Trigger(.stop, at: Price(units: 120))),
    ] {
      let order = desk.place(.buy, 1, kind, trigger: trigger)
      let why = desk.trader.market(of: MarketDesk.symbol)?.notLiveReason ?? .live
      let reason = RejectionReason.bookNotLive(why)
      #expect(desk.reply == .rejected(order, reason))
      let request = try #require(desk.trader.history.order(order)?.original)
      #expect(desk.trader.preview(request) == .refused(reason))
      #expect(RejectionReason(code: reason.stored.code, values: []) == reason)
    }
    #expect(desk.trader.history.openCount == 0)
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    desk.place(.buy, 1, limit)
    #expect(desk.trader.history.openCount == 1)
  }

  @Test func `own orders share one trade, and the better priced come first`() {
    var desk = MarketDesk()
    desk.book(bids: [(98, 1)], asks: [(110, 2)])
    let better = desk.place(.buy, 3, .limit(Price(units: 101)))
    let worse = desk.place(.buy, 3, .limit(Price(units: 99)))
    desk.trade(99, 4, .sell)
    #expect([desk.bounds(better), desk.bounds(worse)] == ["3...3", "1...3"])
  }

  @Test func `a trade beyond the limit from before the order makes its fill possible only`() {
    var desk = MarketDesk()
    desk.book(bids: [(98, 1)], asks: [(110, 2)])
    let order = desk.place(.buy, 3, .limit(Price(units: 101)))
    desk.trade(97, 2, .sell, at: desk.milliseconds - 5)
    #expect(desk.bounds(order) == "0...2")
  }

  @Test func `an order that loses its place is behind later ones, which keep theirs`() {
    var desk = MarketDesk()
    desk.book(bids: [(98, 1)], asks: [(100, 2)])
    let first = desk.place(.buy, 2, .limit(Price(units: 99)))
    let second = desk.place(.buy, 3, .limit(Price(units: 99)))
    desk.amend(first, quantity: 4, to: 99)
    desk.trade(99, 4, .sell)
    #expect([desk.bounds(first), desk.bounds(second)] == ["1...4", "2...3"])
  }

  @Test func `after missed trades all of a resting order is possible`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    let order = desk.place(.buy, 6, .limit(Price(units: 50)))
    desk.feed(.missedTrades)
    #expect(desk.bounds(order) == "0...6")
    #expect(desk.trader.history.order(order)?.hasMissedTrades == true)
    desk.feed(.missedTrades)
    #expect(desk.events.filter { $0.isPossible }.count == 1)
  }

  @Test(arguments: [true, false])
  func `after an outage an order that ends before the next trade may have filled whole`(
    hasTrade: Bool
  ) {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    let order = desk.place(.buy, 6, .limit(Price(units: 50)))
    let stop = desk.place(.sell, 2, trigger: Trigger(.stop, at: Price(units: 90)))
    desk.milliseconds += 10
    desk.feed(.freshness(.disconnected))
    desk.book(bids: [(99, 4)], asks: [(100, 2)])
    desk.milliseconds += 10
    let later = desk.place(.buy, 1, .limit(Price(units: 50)))
    if hasTrade { desk.trade(99, 1, .sell) }
    for order in [order, stop, later] { desk.handle(.cancel(order)) }
    #expect(desk.bounds(order) == (hasTrade ? "0...0" : "0...6"))
    #expect(desk.bounds(stop) == (hasTrade ? "0...0" : "0...2"))
    #expect(desk.bounds(later) == "0...0", "it was placed after the outage")
  }

  @Test func `the queue of a price beyond the visible levels counts from when it comes into view`()
  {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    let order = desk.place(.buy, 2, .limit(Price(units: 90)))
    desk.book(bids: [(91, 5)], asks: [(92, 2)])
    desk.trade(90, 3, .sell)
    #expect(desk.bounds(order) == "0...2")
    desk.book(bids: [(91, 5), (90, 7), (89, 1)], asks: [(92, 2)])
    desk.trade(90, 7, .sell)
    #expect(desk.bounds(order) == "0...2")
    desk.trade(90, 1, .sell)
    #expect(desk.bounds(order) == "1...2")
  }

  @Test func `an amendment that loses its place queues again`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let order = desk.place(.buy, 4, .limit(Price(units: 99)))
    desk.trade(99, 2, .sell)
    desk.amend(order, quantity: 3, to: 99)
    desk.trade(99, 3, .sell)
    #expect(desk.bounds(order) == "0...3", "a smaller quantity keeps its place")
    desk.trade(99, 1, .sell)
    #expect(desk.bounds(order) == "1...3")
    desk.amend(order, quantity: 3, to: 98)
    desk.book(bids: [(98, 5)], asks: [(101, 2)])
    desk.trade(98, 5, .sell)
    #expect(desk.bounds(order) == "1...3", "at another price it is last")
  }

  @Test func `instruments have their own markets, rules and positions in one history`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    let other = Symbol(known: "okx:ETH-USDT")
    desk.book(bids: [(9, 5)], asks: [(10, 2)], of: other, quantityScale: Scale(clamping: 2))
    let first = desk.place(.buy, 2)
    let second = desk.place(.buy, 2, of: other)
    #expect(desk.fills(first) == ["2 at 100"] && desk.fills(second) == ["2 at 10"])
    let (trader, line) = (desk.trader, EquityLine())
    #expect(trader.position(of: MarketDesk.symbol, minutes: line).account.quantity.units == 2)
    #expect(trader.position(of: other, minutes: line).rules.quantityScale == Scale(clamping: 2))
    #expect(trader.position(minutes: line).account.quantity == .zero)
    let resting = [
      desk.place(.buy, 1, .limit(Price(units: 98))),
      desk.place(.buy, 1, .limit(Price(units: 8)), of: other),
    ]
    #expect(desk.trader.history.openSymbols == [MarketDesk.symbol, other])
    desk.handle(.cancelAll(through: resting[1]))
    #expect(desk.trader.history.openCount == 0)
    let replayed = try? OrderHistory(replaying: desk.events)
    #expect(replayed == desk.trader.history)
  }

  @Test func `a market is listed before its first order, and again when its rules change`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    #expect(desk.events.isEmpty)
    desk.place(.buy, 1)
    desk.place(.buy, 1)
    #expect(desk.events.filter { $0.order == nil }.count == 1)
    // After a restart the ledger's rules stay, although the price has moved.
    var later = MarketDesk(history: desk.trader.history)
    later.book(bids: [(9_900, 5)], asks: [(10_000, 2)])
    #expect(later.trader.rules(of: MarketDesk.symbol) == desk.trader.rules(of: MarketDesk.symbol))
  }

  @Test func `rules in other units can't follow, nor a possible quantity beyond the order`() throws
  {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    let order = desk.place(.buy, 3, .limit(Price(units: 90)))
    var history = desk.trader.history
    let next = history.lastSequence + 1
    func event(_ change: OrderEvent.Change) -> OrderEvent {
      OrderEvent(sequence: next, time: Timestamp(milliseconds: 1), change: change)
    }
    let other = try #require(
      TradingRules(
        symbol: MarketDesk.symbol, priceScale: Scale(clamping: 3), tick: Price(units: 1),
        maximumPrice: Price(units: 10), quantityScale: .whole, lot: Quantity(units: 1),
        maximumQuantity: Quantity(units: 10), currency: "USD"))
    #expect(throws: OrderEventProblem.otherUnits(MarketDesk.symbol)) {
      try history.apply(event(.listed(other)))
    }
    for upTo in [0, -1, 4, .max] as [Int64] {
      #expect(throws: OrderEventProblem.badPossibility(order, Quantity(units: upTo))) {
        try history.apply(
          event(.possible(order, PossibleFill(upTo: Quantity(units: upTo), proof: nil))))
      }
    }
    #expect(history == desk.trader.history)
  }

  @Test(arguments: [
    ("0.1", 1, 8, "64235.2", "1"), ("0.00000001", 8, 5, "0.00012406", "0.01"),
    ("0.00001", 5, 8, "0.02875", "0.00001"), ("0.01", 2, 8, "1846.93", "0.00000001"),
    ("1", 0, 0, "5", "1"), ("0.01", 8, 8, "64219.1", "0.00000001"),
    ("0.01", 8, 8, "64219.105", "0.0000001"),
  ])
  func `rules leave room for large orders and keep the venue's ticks`(
    tick: String, priceDigits: UInt8, quantityDigits: UInt8, price: String, coarsest: String
  ) throws {
    func units(_ text: String) throws -> Price {
      let scale = Scale(clamping: priceDigits)
      return Price(units: try #require(FixedDecimal(text)?.exactly(at: scale)?.units))
    }
    let row = BookRow(
      price: try units(price), size: Quantity(units: 1), accumulated: Quantity(units: 1))
    let view = BookView(
      symbol: MarketDesk.symbol, status: .synced, freshness: .waiting(.venue), bids: [],
      asks: [row], bidLevels: 0, askLevels: 1, priceScale: Scale(clamping: priceDigits),
      quantityScale: Scale(clamping: quantityDigits), priceDecimals: .whole, sequence: 1,
      resyncs: 0, tick: try units(tick))
    let rules = try #require(
      TradingRules(market: MarketDesk.symbol, currency: "USD", book: view))
    #expect(rules.decimal(rules.tick) == FixedDecimal(tick)?.trimmed)
    #expect(rules.decimal(rules.lot) <= (try #require(FixedDecimal(coarsest))))
    let highest = FixedDecimal(rules.maximumPrice, scale: rules.priceScale)
    #expect(try #require(highest.exactly(at: view.priceScale)).units >= 100 * row.price.units)
    let best = FixedDecimal(row.price, scale: view.priceScale).exactly(at: rules.priceScale)
    #expect(try rules.book(view).asks.map(\.price.units) == [best?.units])
    #expect(TradingRules(market: MarketDesk.symbol, currency: "USD", book: empty(view)) == nil)
  }

  private func empty(_ view: BookView) -> BookView {
    BookView(
      symbol: view.symbol, status: .synced, freshness: view.freshness, bids: [], asks: [],
      bidLevels: 0, askLevels: 0, priceScale: view.priceScale, quantityScale: view.quantityScale,
      priceDecimals: .whole, sequence: 1, resyncs: 0)
  }

  @Test func `a book that can't be right is no market`() {
    for (bids, asks) in [
      ([(99, 5), (99, 1)], [(100, 2)]), ([(98, 5), (99, 1)], [(100, 2)]),
      ([(99, 5)], [(101, 2), (100, 2)]), ([(101, 5)], [(100, 2)]), ([(99, -5)], [(100, 2)]),
    ] as [([(Int64, Int64)], [(Int64, Int64)])] {
      var desk = MarketDesk()
      desk.book(bids: [(99, 5)], asks: [(100, 2)])
      desk.book(bids: bids, asks: asks)
      let isSizeOnly = bids.contains { $0.1 < 0 }
      let order = desk.place(.sell, 1)
      #expect(
        desk.trader.history.order(order)?.life.isOpen == false
          && desk.fills(order).isEmpty, "\(bids) \(asks) \(isSizeOnly)")
    }
  }
}

/// Drives a ``PaperTrader`` with the book and trades of venues' markets.
struct MarketDesk {
  static let symbol = Symbol(known: "kraken:BTC/USD")

  var trader: PaperTrader
  var milliseconds: Int64 = 1_000_000
  var events: [OrderEvent] = []
  var reports: [String] = []
  var reply = TradingReply.none
  var fees: FeeRates?
  var latency: Int64 = 0
  private var changes: UInt64 = 0
  private var trades: Int64 = 0
  private var names = 0

  init(history: OrderHistory = OrderHistory()) {
    trader = PaperTrader(rules: TradingRules(oneStock: Desk.stock), history: history)
  }

  mutating func handle(_ input: TradingInput) {
    milliseconds += 1
    let decision = trader.handle(input, at: ClockReading(milliseconds: milliseconds))
    events += decision.events
    (reports, reply) = (decision.notices.map(\.text.description), decision.reply)
  }

  mutating func feed(_ input: MarketInput, of symbol: Symbol = symbol) {
    handle(.feed(input, of: symbol))
  }

  mutating func book(
    bids: [(Int64, Int64)], asks: [(Int64, Int64)], of symbol: Symbol = symbol,
    quantityScale: Scale = .whole
  ) {
    changes += 1
    func rows(_ levels: [(Int64, Int64)]) -> [BookRow] {
      levels.map {
        BookRow(
          price: Price(units: $0.0), size: Quantity(units: $0.1),
          accumulated: Quantity(units: $0.1))
      }
    }
    feed(
      .book(
        BookView(
          symbol: symbol, status: .synced, freshness: .waiting(.venue), bids: rows(bids),
          asks: rows(asks), bidLevels: 0, askLevels: 0, priceScale: .whole,
          quantityScale: quantityScale, priceDecimals: .whole, sequence: changes, resyncs: 0),
        currency: "USD", fees: fees, latencyMilliseconds: latency), of: symbol)
  }

  mutating func trade(_ price: Int64, _ size: Int64, _ side: Side?, at time: Int64? = nil) {
    trades += 1
    feed(
      .trade(
        Trade(
          price: Price(units: price), size: Quantity(units: size), side: side,
          time: Timestamp(milliseconds: time ?? milliseconds + 1), arrival: UInt64(trades),
          identifier: trades), priceScale: .whole, quantityScale: .whole))
  }

  func request(
    _ side: Side, _ quantity: Int64, _ kind: OrderType = .market, of symbol: Symbol = symbol,
    trigger: Trigger? = nil, exits: Exits? = nil, terms: OrderTerms = OrderTerms()
  ) -> OrderRequest {
    OrderRequest(
      clientIdentifier: ClientOrderIdentifier("order-\(trader.history.orders.count)-\(names)")
        ?? unreachable(),
      symbol: symbol, side: side, kind: kind, quantity: Quantity(units: quantity),
      trigger: trigger, exits: exits, terms: terms)
  }

  @discardableResult
  mutating func place(
    _ side: Side, _ quantity: Int64, _ kind: OrderType = .market, of symbol: Symbol = symbol,
    trigger: Trigger? = nil, exits: Exits? = nil, terms: OrderTerms = OrderTerms()
  ) -> OrderIdentifier {
    names += 1
    let order = OrderIdentifier(number: UInt64(trader.history.orders.count) + 1)
    handle(
      .place(
        request(side, quantity, kind, of: symbol, trigger: trigger, exits: exits, terms: terms)))
    return order
  }

  mutating func amend(_ order: OrderIdentifier, quantity: Int64, to price: Int64) {
    names += 1
    handle(
      .amend(
        AmendRequest(
          clientIdentifier: ClientOrderIdentifier("amend-\(names)") ?? unreachable(),
          order: order, quantity: Quantity(units: quantity), price: Price(units: price))))
  }

  var now: Timestamp { ClockReading(milliseconds: milliseconds).wall }

  func status(_ order: OrderIdentifier) -> OrderStatus? {
    trader.history.order(order)?.life.status
  }

  /// The order's certain and possible quantity: "3...5".
  func bounds(_ order: OrderIdentifier) -> String {
    guard let order = trader.history.order(order) else { return "no order" }
    return "\(order.filledQuantity.units)...\(order.possibleQuantity.units)"
  }

  /// The order's fills: "2 at 100", with the trade that proves it and the queue before it.
  func fills(_ order: OrderIdentifier) -> [String] {
    (trader.history.order(order)?.life.fills?.fills ?? []).map { timed in
      let fill = timed.fill
      let proof = fill.proof.map { proof in
        ", trade \(proof.number)" + (proof.ahead.map { " after \($0.units)" } ?? "")
      }
      return "\(fill.quantity.units) at \(fill.price.units)\(proof ?? "")"
    }
  }
}

extension OrderEvent {
  fileprivate var isPossible: Bool { if case .possible = change { true } else { false } }
}
