// Truncated, altered or absurd messages: rejected whole, without a trap or a wrong valid book.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BybitHostileTests {
  private let book = Subscription(.book, BybitHarness.bitcoin)
  private let trades = Subscription(.trades, BybitHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private func live() -> BybitHarness {
    var harness = BybitHarness(wanting: book, trades)
    harness.receive(BybitHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10))
    harness.receive(BybitHarness.trades("7 Buy 100.5 0.3"))
    return harness
  }

  @Test(arguments: ["-1", "9223372036855", "1e20"])
  func `an impossible time of a trade rejects its message`(_ time: String) {
    var harness = live()
    harness.receive(
      #"{"topic":"publicTrade.BTCUSDT","type":"snapshot","data":[{"i":"8","T":\#(time),"#
        + #""p":"100.5","v":"1","S":"Buy"}]}"#)
    #expect(harness.problems.first == .malformed)
  }

  @Test func `more trades than a message can have are rejected`() {
    var harness = live()
    let row = #"{"i":"8","T":1787612486100,"p":"100.5","v":"1","S":"Buy"}"#
    let rows = Array(repeating: row, count: 10_001).joined(separator: ",")
    harness.receive(#"{"topic":"publicTrade.BTCUSDT","type":"snapshot","data":[\#(rows)]}"#)
    #expect(harness.problems.first == .malformed)
  }

  @Test func `unknown messages are ignored`() {
    var harness = live()
    for text in [
      #"{"topic":"kline.1.BTCUSDT","type":"snapshot","data":[{}]}"#,
      BybitHarness.book("delta", bids: "1×1", 3, symbol: "ETHUSDT"),
      #"{"topic":"tickers.BTCUSDT","type":"delta","data":{"markPrice":"1"}}"#,
      #"{"topic":"nothing","type":"snapshot","data":7}"#, #"{"op":"auth"}"#, "{}",
    ] {
      #expect(harness.receive(text).isEmpty, "\(text)")
    }
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
  }

  @Test func `more levels than the deepest book has are rejected`() {
    var harness = live()
    let many = (1...BybitDecoder.maximumLevels + 1).map { "\($0)×1" }.joined(separator: " ")
    harness.receive(BybitHarness.book("delta", bids: many, 11))
    #expect(harness.problems.first == .malformed && harness.book()?.status == .resyncing)
  }

  @Test func `a wall clock that jumps changes no book, and a trade of the future is refused`() {
    var harness = live()
    harness.wall = Timestamp(milliseconds: 1_787_612_486_000)
    harness.receive(BybitHarness.book("delta", bids: "100×1", 11))
    #expect(harness.book()?.status == .synced && harness.book()?.freshness.state == .live)
    harness.wall = Timestamp(milliseconds: 1_787_612_000_000)
    harness.receive(BybitHarness.trades("8 Buy 100.5 1"))
    #expect(harness.problems == [.inconsistent] && harness.tape()?.freshness.state == .stale)
    #expect(harness.book()?.freshness.state == .live)
  }
}
