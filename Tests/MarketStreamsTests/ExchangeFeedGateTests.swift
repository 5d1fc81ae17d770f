// EX5: the exchange data that the order service receives, on server and phone alike.

import MarketModel
import Testing

@testable import MarketStreams

@Suite struct ExchangeFeedGateTests {
  private let now = ClockReading(milliseconds: 5000)

  private func key() throws -> MarketKey { MarketKey(.exchange, .quote, try symbol("TROAD")) }

  private func quote(_ state: FreshnessState, at milliseconds: Int64? = nil) throws -> StreamInput {
    .value(
      try key(),
      .quote(
        QuoteView(
          symbol: try symbol("TROAD"), price: try decimal("101"),
          freshness: Freshness(
            state: state, origin: .simulated,
            confirmedAt: milliseconds.map(ClockReading.init(milliseconds:)) ?? now,
            lateAfterMilliseconds: milliseconds.map { _ in 3000 }))))
  }

  private func tick(_ number: UInt64) throws -> (StreamInput, MarketTick) {
    let tick = MarketTick(
      time: number, last: try decimal("101"), bid: try decimal("100"),
      bidQuantity: Quantity(units: 1), ask: try decimal("102"), askQuantity: Quantity(units: 2))
    return (.event(try key(), .tick(tick, number: number)), tick)
  }

  @Test func `every tick is delivered, even equal ones, and each makes the market live`() throws {
    var feed = ExchangeFeedGate(symbol: try symbol("TROAD"))
    let (first, tick) = try tick(1)
    let late = now.monotonic.adding(milliseconds: 3000)
    #expect(feed.receive(first, at: now) == .tick(tick, number: 1, lateAt: late))
    #expect(feed.receive(first, at: now) == .tick(tick, number: 1, lateAt: late))
    #expect(feed.receive(try quote(.live), at: now) == nil, "the tick has said so")
  }

  @Test func `a change of freshness is delivered once, and again after the next tick`() throws {
    var feed = ExchangeFeedGate(symbol: try symbol("TROAD"))
    let waiting = feed.receive(try quote(.waiting), at: now)
    #expect(waiting == nil, "before the first tick nothing is taken back")
    _ = feed.receive(try tick(1).0, at: now)
    #expect(feed.receive(try quote(.stale), at: now) == .freshness(.stale, lateAt: nil))
    #expect(feed.receive(try quote(.stale), at: now) == nil)
    _ = feed.receive(try tick(2).0, at: now)
    #expect(feed.receive(try quote(.stale), at: now) == .freshness(.stale, lateAt: nil))
  }

  @Test
  func `an unreadable tick is passed on at once, and the feed is late until it is live again`()
    throws
  {
    var feed = ExchangeFeedGate(symbol: try symbol("TROAD"))
    _ = feed.receive(try tick(1).0, at: now)
    #expect(feed.receive(.event(try key(), .unreadable), at: now) == .unreadable)
    #expect(feed.receive(try quote(.late, at: 5000), at: now) == nil, "the event has said so")
    #expect(
      feed.receive(try quote(.live, at: 6000), at: now)
        == .freshness(.live, lateAt: MonotonicTime(milliseconds: 9000)))
  }

  @Test func `a tick that comes again is no event and still moves the time at which it is late`()
    throws
  {
    var feed = ExchangeFeedGate(symbol: try symbol("TROAD"))
    _ = feed.receive(try tick(1).0, at: now)
    #expect(feed.receive(try quote(.live, at: 5000), at: now) == nil, "the tick said so")
    let again = ClockReading(milliseconds: 7000)
    #expect(
      feed.receive(try quote(.live, at: 7000), at: again)
        == .freshness(.live, lateAt: MonotonicTime(milliseconds: 10_000)))
  }
}
