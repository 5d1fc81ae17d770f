// Orders while the feed is late, stale or down; invalid ticks; clocks that go back; restarts.

import MarketModel
import PaperTrading
import Testing

@Suite struct `The feed and the clock` {
  static let notLive: [FreshnessState] = [
    .waiting, .queued, .late, .stale, .resyncing, .disconnected, .closed,
  ]

  @Test(arguments: notLive)
  func `a market order without live prices is rejected with the reason`(state: FreshnessState) {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.feed(.freshness(state))
    let order = desk.place(.buy, 10)
    #expect(desk.line(order) == "REJECTED 0/10")
    #expect(desk.reply == .rejected(order, .marketNotLive(NotLiveReason(state))))
    #expect(desk.told.first?.contains("needs live prices") == true)
  }

  @Test(arguments: notLive)
  func `a limit order without live prices waits and fills on the next tick`(state: FreshnessState) {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.feed(.freshness(state))
    let order = desk.place(.buy, 10, at: "45.20")
    #expect(desk.line(order) == "PENDING 0/10")
    #expect(desk.told.first?.contains("no live price") == true)
    desk.tick(bid: "45.01 x 17", ask: "45.15 x 36")
    #expect(desk.line(order) == "FILLED 10/10 at 45.15")
  }

  @Test func `before the first tick there is nothing to trade on`() {
    var desk = Desk()
    let order = desk.place(.sell, 10)
    #expect(desk.reply == .rejected(order, .marketNotLive(.waiting)))
  }

  @Test func `a tick that turns out to be live after all serves the orders that wait`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    desk.feed(.freshness(.late))
    let waiting = desk.place(.buy, 30, at: "45.10")
    desk.feed(.freshness(.live))
    let new = desk.place(.buy, 30, at: "45.10")
    #expect(desk.line(waiting) == "FILLED 30/30 at 45.10")
    #expect(desk.line(new) == "PARTIALLY FILLED 6/30 at 45.10")
  }

  @Test(arguments: [
    ("-45.01 x 17", "45.10 x 36"), ("0 x 17", "45.10 x 36"), ("45.01 x -1", "45.10 x 36"),
    ("45.10 x 17", "45.10 x 36"), ("45.20 x 17", "45.10 x 36"), ("45.01 x 17", "1000000.01 x 36"),
  ])
  func `a tick that cannot be right is rejected whole and leaves no market`(
    bid: String, ask: String
  ) {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.tick(bid: bid, ask: ask)
    guard case .tickRejected = desk.reply else {
      Issue.record("accepted \(bid) \(ask)")
      return
    }
    #expect(desk.trader.liveMarket == nil)
    desk.expect(.buy, 10, becomes: "REJECTED 0/10")
    desk.tick(bid: "45.01 x 17", ask: "45.20 x 36")
    desk.expect(.buy, 10, becomes: "FILLED 10/10 at 45.20")
  }

  @Test func `after an unreadable tick nothing fills until the next one, with the reason`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.feed(.unreadable)
    let market = desk.place(.buy, 10)
    #expect(desk.reply == .rejected(market, .marketNotLive(.unreadable)))
    #expect(desk.told.first?.contains("the last tick was unreadable") == true)
    let limit = desk.place(.buy, 10, at: "45.20")
    #expect(desk.line(limit) == "PENDING 0/10")
    desk.feed(.freshness(.late))
    let second = desk.place(.buy, 10)
    #expect(desk.reply == .rejected(second, .marketNotLive(.unreadable)), "not merely late")
    desk.feed(.freshness(.stale))
    let third = desk.place(.buy, 10)
    #expect(desk.reply == .rejected(third, .marketNotLive(.stale)))
    desk.tick(bid: "45.01 x 17", ask: "45.15 x 36")
    #expect(desk.line(limit) == "FILLED 10/10 at 45.15")
  }

  @Test func `a feed that repeats its tick after an unreadable one is a market with what is left`()
  {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    desk.expect(.buy, 30, becomes: "FILLED 30/30 at 45.10")
    desk.feed(.unreadable)
    desk.feed(.freshness(.live))
    desk.expect(.buy, 6, becomes: "FILLED 6/6 at 45.10")
    desk.expect(.buy, 1, becomes: "CANCELLED 0/1")
  }

  @Test func `a tick that can't be used is named as the reason`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.tick(bid: "45.20 x 17", ask: "45.10 x 36")
    let order = desk.place(.buy, 10)
    #expect(desk.reply == .rejected(order, .marketNotLive(.unusable)))
    desk.tick(ask: "45.10 x 36")
    desk.tick(ask: "999999.99 x 36")
    let second = desk.place(.buy, 10)
    #expect(desk.reply == .rejected(second, .marketNotLive(.unconfirmed)))
  }

  @Test(arguments: NotLiveReason.allCases)
  func `every reason survives the ledger`(reason: NotLiveReason) {
    for rejection in [RejectionReason.marketNotLive(reason), .cannotWait(reason)] {
      let stored = rejection.stored
      #expect(RejectionReason(code: stored.code, values: stored.values) == rejection)
    }
  }

  @Test(arguments: ["451.01", "4.50", "999999.99", "0.01"])
  func `a price out of all proportion is no market until another tick agrees with it`(ask: String) {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let waiting = desk.place(.buy, 10, at: "45.00")
    desk.tick(ask: "\(ask) x 36")
    guard case .tickRejected(.jumped) = desk.reply else {
      Issue.record("accepted \(ask)")
      return
    }
    desk.expect(.buy, 10, becomes: "REJECTED 0/10")
    desk.feed(.tick(TopOfBook(number: 2, venueTime: 2, bid: nil, ask: desk.level("\(ask) x 36"))))
    desk.expect(.buy, 10, becomes: "REJECTED 0/10")
    #expect(desk.line(waiting) == "PENDING 0/10", "the same tick again agrees with nothing")
    desk.tick(ask: "\(ask) x 36")
    #expect(desk.trader.liveMarket != nil)
  }

  @Test func `one absurd tick fills nothing and costs the next one nothing`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 5", ask: "45.10 x 5")
    for _ in 0..<5 {
      desk.tick(bid: "0.01 x 5", ask: "0.02 x 5")
      desk.expect(.buy, 1, becomes: "REJECTED 0/1")
      desk.tick(bid: "45.01 x 5", ask: "45.10 x 5")
      desk.expect(.buy, 1, becomes: "FILLED 1/1 at 45.10")
    }
  }

  @Test func `ten times the price is a market, and so is a feed that starts over`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    desk.tick(ask: "451.00 x 36")
    desk.expect(.buy, 1, becomes: "FILLED 1/1 at 451.00")
    desk.feed(.freshness(.waiting))
    desk.tick(ask: "0.50 x 36")
    desk.expect(.buy, 1, becomes: "FILLED 1/1 at 0.50")
  }

  @Test func `a tick that comes again offers nothing new, and an older one is rejected`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    desk.place(.buy, 30)
    let latest = TopOfBook(number: 1, venueTime: 1, bid: nil, ask: desk.level("45.10 x 36"))
    desk.feed(.tick(latest))
    desk.expect(.buy, 10, becomes: "CANCELLED 6/10 at 45.10")
    desk.feed(.tick(TopOfBook(number: 0, venueTime: 0, bid: nil, ask: desk.level("45.10 x 36"))))
    #expect(desk.reply == .tickRejected(.outOfOrder(latest: 1, found: 0)))
    desk.feed(.tick(TopOfBook(number: 1, venueTime: 1, bid: nil, ask: desk.level("45.20 x 36"))))
    #expect(desk.reply == .tickRejected(.outOfOrder(latest: 1, found: 1)))
  }

  @Test func `a feed that starts over may count from the beginning`() {
    var desk = Desk()
    for _ in 0..<5 { desk.tick(ask: "45.10 x 36") }
    desk.feed(.freshness(.waiting))
    desk.feed(.tick(TopOfBook(number: 1, venueTime: 9, bid: nil, ask: desk.level("45.20 x 36"))))
    desk.expect(.buy, 10, becomes: "FILLED 10/10 at 45.20")
  }

  @Test func `a wall clock that steps back neither reorders nor stops anything`() throws {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let first = desk.place(.buy, 10, at: "45.00")
    desk.milliseconds = 5
    let second = desk.place(.buy, 10, at: "45.00")
    desk.tick(ask: "45.00 x 12")
    #expect(desk.line(first) == "FILLED 10/10 at 45.00")
    #expect(desk.line(second) == "PARTIALLY FILLED 2/10 at 45.00")
    let times = desk.events.map(\.time)
    #expect(
      times.contains(Timestamp(milliseconds: 5)) && times != times.sorted(),
      "each event keeps its clock's own time")
    #expect(try OrderHistory(replaying: desk.events) == desk.trader.history)
  }

  @Test func `an offer used before a restart is not used again after it`() throws {
    var desk = Desk()
    let snapshot = TopOfBook(number: 8, venueTime: 77, bid: nil, ask: desk.level("45.1 x 36"))
    desk.feed(.tick(snapshot))
    desk.place(.buy, 20)
    desk.place(.buy, 10)
    desk.trader = PaperTrader(rules: desk.rules, history: try OrderHistory(replaying: desk.events))
    desk.feed(.tick(TopOfBook(number: 1, venueTime: 77, bid: nil, ask: desk.level("45.1 x 36"))))
    desk.expect(.buy, 10, becomes: "CANCELLED 6/10 at 45.10")
    desk.feed(.tick(TopOfBook(number: 2, venueTime: 78, bid: nil, ask: desk.level("45.1 x 36"))))
    desk.expect(.buy, 10, becomes: "FILLED 10/10 at 45.10")
  }

  @Test func `a declined order never was, and a declined tick can't be taken from`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    desk.place(.buy, 10, at: "45.00")
    let before = desk.trader.stateHash
    let snapshot = TopOfBook(number: 5, venueTime: 5, bid: nil, ask: desk.level("44.90 x 36"))
    let tick = desk.trader.decide(
      .feed(.tick(snapshot), of: Desk.stock), at: ClockReading(milliseconds: 2_000_000))
    #expect(tick.events.count == 1)
    desk.trader.decline(tick)
    #expect(desk.trader.stateHash == before)
    #expect(desk.trader.liveMarket == snapshot)
    #expect(desk.trader.available(for: .buy) == .zero)
    desk.tick(ask: "44.90 x 36")  // number 2: older
    #expect(desk.reply == .tickRejected(.outOfOrder(latest: 5, found: 2)))
    desk.feed(.tick(TopOfBook(number: 6, venueTime: 6, bid: nil, ask: desk.level("44.80 x 36"))))
    #expect(desk.line(OrderIdentifier(number: 1)) == "FILLED 10/10 at 44.80")
  }

  @Test func `a feed's decimals become units, or are refused when they are too fine`() throws {
    let rules = Desk().rules
    let bid = try #require(FixedDecimal("45.01"))
    let ask = try #require(FixedDecimal("45.1000001"))
    let fine = try rules.snapshot(
      number: 1, venueTime: 1, bid: bid, bidQuantity: Quantity(units: 1),
      ask: try #require(FixedDecimal("45.123456")), askQuantity: Quantity(units: 2))
    #expect(fine.ask?.price.units == 45_123_456)
    #expect(throws: SnapshotProblem.priceTooFine(ask)) {
      try rules.snapshot(
        number: 1, venueTime: 1, bid: bid, bidQuantity: Quantity(units: 1), ask: ask,
        askQuantity: Quantity(units: 2))
    }
  }

  @Test func `a live market ends when its tick is late, whatever its last state`() {
    var desk = Desk()
    let snapshot = TopOfBook(number: 1, venueTime: 1, bid: nil, ask: desk.level("45.10 x 36"))
    let late = MonotonicTime(milliseconds: 5000)
    let before = ClockReading(milliseconds: 5000)
    let after = ClockReading(milliseconds: 5001)
    _ = desk.trader.handle(
      .feed(.tick(snapshot, lateAt: late), of: Desk.stock), at: ClockReading(milliseconds: 2000))
    _ = desk.trader.handle(.feed(.freshness(.live), of: Desk.stock), at: before)
    #expect(desk.trader.liveMarket == snapshot)
    _ = desk.trader.handle(.feed(.freshness(.live), of: Desk.stock), at: after)
    #expect(desk.trader.liveMarket == nil)
    let confirmed = MonotonicTime(milliseconds: 9000)
    _ = desk.trader.handle(.feed(.freshness(.live, lateAt: confirmed), of: Desk.stock), at: after)
    #expect(desk.trader.liveMarket == snapshot)
  }

  @Test func `a tick that waited too long for its turn is no market`() {
    var desk = Desk()
    let snapshot = TopOfBook(number: 1, venueTime: 1, bid: nil, ask: desk.level("45.10 x 36"))
    _ = desk.trader.handle(
      .feed(.tick(snapshot, lateAt: MonotonicTime(milliseconds: 5000)), of: Desk.stock),
      at: ClockReading(milliseconds: 6000))
    #expect(desk.trader.liveMarket == nil && desk.trader.freshness == .late)
  }
}
