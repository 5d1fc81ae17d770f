// The feeds on the main thread: never a queue of old values, and one timer.

import AppState
import Combine
import FeedConnections
import MarketModel
import MarketStreams
import PhoneStoresFixtures
import Testing

@testable import PhoneStores

@MainActor @Suite struct FeedTests {
  @Test func `a value that was never taken is replaced by the newest, not queued`() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    var seen: [Int] = []
    let observation = subject.newestOnMain { seen.append($0) }
    for value in 1...100 { subject.send(value) }
    for _ in 0..<100 where seen.last != 100 { await Task.yield() }
    #expect(seen == [0, 100])
    observation.cancel()
    subject.send(101)
    for _ in 0..<20 { await Task.yield() }
    #expect(seen == [0, 100])
  }

  @Test func `the last value before the end is delivered`() async {
    let subject = CurrentValueSubject<Int, Never>(7)
    var seen: [Int] = []
    let observation = subject.newestOnMain { seen.append($0) }
    subject.send(completion: .finished)
    for _ in 0..<100 where seen.isEmpty { await Task.yield() }
    #expect(seen == [7])
    observation.cancel()
  }

  private func trade(_ arrival: UInt64, price: Int64 = 1) -> MarketEvent {
    .trade(
      Trade(
        price: Price(units: price), size: Quantity(units: 1), side: .buy,
        time: Timestamp(milliseconds: Int64(arrival)), arrival: arrival),
      priceScale: .whole, quantityScale: .whole)
  }

  @Test func `events reach the main thread one by one and in order, within a bound`() async throws {
    let key = MarketKey(.bitmex, .trades, try symbol("XBTUSD"))
    var seen: [MarketEvent] = []
    let inbox = EventInbox { _, event in seen.append(event) }
    for arrival in 1...100 { inbox.take(key, trade(UInt64(arrival))) }
    for _ in 0..<10_000 where seen.count < 100 { await Task.yield() }
    #expect(seen == (1...100).map { trade($0) })
    seen = []
    for arrival in 0...EventInbox.limit { inbox.take(key, trade(UInt64(arrival))) }
    for _ in 0..<10_000 where seen.isEmpty { await Task.yield() }
    let kept = EventInbox.limit / 4 * 3 + 1
    #expect(seen.first == .missed, "the loss is reported in place of the lost events")
    #expect(seen.dropFirst() == (0...EventInbox.limit).suffix(kept).map { trade(UInt64($0)) }[...])
    #expect(seen.last == trade(UInt64(EventInbox.limit)), "the newest is kept")
  }

  @Test func `a chart's screen gets every price while it is open`() throws {
    let feeds = TestFeeds()
    let name = try symbol("XBTUSD")
    let key = MarketKey(.bitmex, .trades, name)
    let store = ScreenStore(
      try #require(ChartScreen(venue: .bitmex, symbol: name)), feeds: feeds.client)
    store.open()
    for arrival in 1...3 { feeds.happen(key, trade(UInt64(arrival), price: Int64(arrival))) }
    #expect(store.state.candles.ticks.count == 3)
    store.close()
    feeds.happen(key, trade(4))
    #expect(store.state.candles.ticks.count == 3)
  }

  @Test func `a store that is let go observes nothing any more`() throws {
    let feeds = TestFeeds()
    let key = MarketKey(.echo, .quote, try symbol("AAPL"))
    var store: ScreenStore<SymbolScreen>? = ScreenStore(
      SymbolScreen(symbol: try symbol("AAPL")), feeds: feeds.client)
    store?.open()
    store?.open()
    #expect(feeds.observers[key] == 1)
    store = nil
    #expect(feeds.observers[key] == 0)
  }

  @Test func `all screens share one timer, which stops with the last of them`() {
    var (started, stopped, tick): (Int, Int, (@MainActor () -> Void)?) = (0, 0, nil)
    let clock = MainClock { handler in
      (started, tick) = (started + 1, handler)
      return AnyCancellable { MainActor.assumeIsolated { stopped += 1 } }
    }
    var calls = 0
    var observations = (0..<3).map { _ in clock.observe { calls += 1 } }
    tick?()
    #expect(calls == 3)
    observations.removeLast()
    tick?()
    #expect((calls, started, stopped) == (5, 1, 0))
    observations = []
    #expect((started, stopped) == (1, 1))
    observations = [clock.observe {}]
    #expect(started == 2)
  }

  @Test func `charts that links lead to are bounded, and those of the catalogue stay`() throws {
    let feeds = TestFeeds()
    let cache = ChartCache(feeds: feeds.client)
    let known = try #require(cache.chart(.kraken, try symbol("BTC/USD")))
    func open(_ name: String) throws {
      try #require(cache.chart(.kraken, try symbol(name))).open()
    }
    func isRecorded(_ name: String) throws -> Bool {
      feeds.observers[MarketKey(.kraken, .trades, try symbol(name)), default: 0] > 0
    }
    known.open()
    try open("OLD/USD")
    try open("LOOKED/USD")
    for number in 2..<CandleStreams.maximumKept { try open("P\(number)/USD") }
    #expect(try isRecorded("OLD/USD"))
    try open("LOOKED/USD")
    try open("OLD/USD")
    try open("LOOKED/USD")
    try open("NEW/USD")
    try open("NEWER/USD")
    #expect(try !isRecorded("P2/USD"), "not looked at for longest")
    #expect(try !isRecorded("P3/USD"))
    #expect(try isRecorded("OLD/USD"))
    #expect(try isRecorded("LOOKED/USD"))
    #expect(try isRecorded("P4/USD"))
    #expect(try isRecorded("BTC/USD"))
    #expect(cache.chart(.kraken, try symbol("BTC/USD")) === known)
  }
}
