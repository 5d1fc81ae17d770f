// Trades: newest first on the wire, with the maker's side, numbered without gaps.

import MarketModel
import Testing

@testable import VenueProtocols

struct CoinbaseTapeTests {
  private let trades = Subscription(.trades, CoinbaseHarness.bitcoin)
  private let others = Subscription(.trades, CoinbaseHarness.ether)

  private func live() -> CoinbaseHarness {
    var harness = CoinbaseHarness(wanting: trades, others)
    harness.say(CoinbaseHarness.trades("snapshot", "7 SELL 100.6 0.3", "6 BUY 100.5 0.2"))
    return harness
  }

  private func numbers(_ harness: CoinbaseHarness, _ symbol: Symbol) -> [Int64] {
    harness.tape(symbol)?.trades.map(\.identifier) ?? []
  }

  private func happened(_ harness: CoinbaseHarness) -> [Int64] {
    harness.effects.compactMap { effect in
      if case .happened(_, .trade(let trade, _, _)) = effect { trade.identifier } else { nil }
    }
  }

  @Test func `rows are read from the newest to the oldest and reported in order`() {
    var harness = live()
    #expect(numbers(harness, CoinbaseHarness.bitcoin) == [7, 6])
    #expect(happened(harness).isEmpty, "the first snapshot is history")
    harness.say(CoinbaseHarness.trades("update", "10 BUY 99 1", "9 BUY 99.5 2", "8 SELL 100.7 3"))
    #expect(happened(harness) == [8, 9, 10])
    #expect(numbers(harness, CoinbaseHarness.bitcoin) == [10, 9, 8, 7, 6])
    #expect(harness.tape()?.trades.prefix(3).map(\.side) == [.sell, .sell, .buy])
  }

  @Test func `rows of several products in one message belong to their products`() {
    var harness = live()
    let ether = CoinbaseHarness.trades("snapshot", "3 BUY 10 1", of: "ETH-USD")
    harness.say(ether)
    let mixed = [
      CoinbaseHarness.trades("update", "9 BUY 99 1"),
      CoinbaseHarness.trades("update", "4 SELL 11 1", of: "ETH-USD"),
      CoinbaseHarness.trades("update", "8 BUY 99 1"),
    ].map { message in
      message.events.dropFirst(#"{"type":"update","trades":["#.count).dropLast(2)
    }
    harness.say(
      ("market_trades", #"{"type":"update","trades":[\#(mixed.joined(separator: ","))]}"#))
    #expect(numbers(harness, CoinbaseHarness.bitcoin) == [9, 8, 7, 6])
    #expect(numbers(harness, CoinbaseHarness.ether) == [4, 3])
    #expect(happened(harness).sorted() == [4, 8, 9])
  }

  @Test func `a gap in the numbers refetches the trades, and nothing is lost`() {
    var harness = live()
    harness.say(CoinbaseHarness.trades("update", "9 BUY 99 1"))
    #expect(
      harness.sent == ["unsubscribe market_trades BTC-USD", "subscribe market_trades BTC-USD"])
    #expect(harness.tape()?.freshness.state == .resyncing)
    harness.say(
      CoinbaseHarness.trades("snapshot", "9 BUY 99 1", "8 BUY 99.5 1", "7 SELL 100.6 0.3"))
    #expect(happened(harness) == [8, 9])
    #expect(numbers(harness, CoinbaseHarness.bitcoin) == [9, 8, 7, 6])
    #expect(harness.tape()?.freshness.state == .live)
  }

  @Test func `a product without trades has an empty tape, and its first trade is reported`() {
    var harness = CoinbaseHarness(wanting: trades)
    harness.say(CoinbaseHarness.trades("snapshot"))
    #expect(harness.tape()?.trades.isEmpty == true && harness.tape()?.freshness.state == .live)
    harness.say(CoinbaseHarness.trades("update", "1 SELL 100 1"))
    #expect(happened(harness) == [1])
  }

  @Test func `a trade of the future is refused`() {
    var harness = live()
    harness.wall = Timestamp(iso8601: "2026-11-27T00:00:00Z")
    let future = CoinbaseHarness.trades("update", "8 SELL 100.5 1")
    harness.say((future.channel, future.events.replacing("1970-01-01", with: "2026-11-28")))
    #expect(harness.problems == [.inconsistent])
    #expect(harness.tape()?.freshness.state == .stale)
    harness.say(CoinbaseHarness.trades("update", "9 SELL 100.5 1"))
    #expect(numbers(harness, CoinbaseHarness.bitcoin) == [9, 7, 6])
    #expect(harness.tape()?.freshness.state == .live)
  }

  @Test(arguments: [
    "0 BUY 100 1", "-1 BUY 100 1", "x BUY 100 1", "8 BUY 0 1", "8 BUY 100 0", "8 BUY -1 1",
    "8 BUY 100 x", "9223372036854775808 BUY 100 1",
  ])
  func `an invalid trade is rejected`(_ row: String) {
    var harness = live()
    harness.say(CoinbaseHarness.trades("update", row))
    #expect(harness.problems == [.malformed])
    #expect(numbers(harness, CoinbaseHarness.bitcoin) == [7, 6])
  }
}
