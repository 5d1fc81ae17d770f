// Truncated, altered or absurd messages: rejected whole, without a trap or a wrong valid book.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct OKXHostileTests {
  private let book = Subscription(.book, OKXHarness.bitcoin)
  private let trades = Subscription(.trades, OKXHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"

  private func live() -> OKXHarness {
    var harness = OKXHarness(wanting: book, trades)
    harness.receive(OKXHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10))
    harness.receive(OKXHarness.trade("7 buy 100.5 0.3"))
    return harness
  }

  @Test(arguments: [
    (#""tradeId":"-9223372036854775808","ts":"1787612486100""#), (#""tradeId":"-1","ts":"1""#),
    (#""tradeId":"8","ts":"-1""#), (#""tradeId":"8","ts":"9223372036855""#),
    (#""tradeId":"8","ts":"1","count":"0""#),
  ])
  func `an impossible number or time of a trade rejects its message`(_ members: String) {
    var harness = live()
    harness.receive(
      #"{"arg":{"channel":"trades","instId":"BTC-USDT"},"data":[{"px":"100.5","sz":"1","#
        + #""side":"buy",\#(members)}]}"#)
    #expect(harness.problems.first == .malformed, "\(members)")
    let request = CheckpointRequest(streams: [book, trades], isWhole: true)
    #expect(harness.session.checkpoint(request) != nil)
  }

  @Test func `more trades or figures than a message can have are rejected`() {
    for (channel, row) in [
      ("trades", #"{"tradeId":"8","px":"100.5","sz":"1","side":"buy","ts":"1787612486100"}"#),
      ("tickers", #"{"last":"100.5"}"#),
    ] {
      var harness = OKXHarness(wanting: book, trades, Subscription(.figures, OKXHarness.bitcoin))
      let rows = Array(repeating: row, count: 10_001).joined(separator: ",")
      harness.receive(#"{"arg":{"channel":"\#(channel)","instId":"BTC-USDT"},"data":[\#(rows)]}"#)
      #expect(harness.problems.first == .malformed, "\(channel)")
    }
  }

  @Test func `unknown messages are ignored`() {
    var harness = live()
    for text in [
      #"{"arg":{"channel":"candle1m","instId":"BTC-USDT"},"data":[["1"]]}"#,
      OKXHarness.book("update", bids: "1×1", 3, after: 2, symbol: "ETH-USDT"),
      #"{"event":"login","code":"0"}"#, #"{"event":"channel-conn-count","connCount":"1"}"#, "{}",
    ] {
      #expect(harness.receive(text).isEmpty, "\(text)")
    }
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
  }

  @Test func `more levels than twice the depth are no book of the venue`() {
    var harness = live()
    let many = (1...OKXBookSync.maximumLevels + 1).map { "\($0)×1" }.joined(separator: " ")
    harness.receive(OKXHarness.book("update", bids: many, asks: "101×0 5000×1", 11, after: 10))
    #expect(harness.book()?.status == .resyncing)
    let more = (1...OKXDecoder.maximumLevels + 1).map { "\($0)×1" }.joined(separator: " ")
    var other = live()
    other.receive(OKXHarness.book("update", bids: more, 11, after: 10))
    #expect(other.problems.first == .malformed)
  }

  @Test(arguments: HostileCase.okx.levels.indices)
  func `after an invalid level the book is valid again with the snapshot of a new subscription`(
    index: Int
  ) {
    var harness = live()
    harness.receive(HostileCase.okx.update(HostileCase.okx.levels[index].text))
    #expect(harness.sent == ["unsubscribe books BTC-USDT"])
    #expect(harness.book()?.status == .resyncing)
    harness.receive(OKXHarness.book("update", bids: "100×1", 12, after: 11))
    #expect(harness.book()?.status == .resyncing && harness.sent.isEmpty, "the chain is lost")
    harness.receive(OKXHarness.event("unsubscribe", "books"))
    #expect(harness.sent == ["subscribe books BTC-USDT"])
    harness.receive(OKXHarness.event("subscribe", "books"))
    harness.receive(OKXHarness.book("snapshot", bids: "100×3", asks: "102×1", 20))
    #expect(harness.book()?.status == .synced && harness.book()?.freshness.state == .live)
    harness.receive(OKXHarness.book("update", bids: "100×4", 23, after: 20))
    #expect(harness.table() == "100×4 | 102×1" && harness.book()?.resyncs == 1)
    harness.wait(6000)
    #expect(harness.sent.isEmpty && harness.problems.isEmpty)
  }

  @Test func `a wall clock that jumps changes no book, and a trade of the future is refused`() {
    var harness = live()
    harness.wall = Timestamp(milliseconds: 1_787_612_486_000)
    harness.receive(OKXHarness.book("update", bids: "100×1", 11, after: 10))
    #expect(harness.book()?.status == .synced && harness.book()?.freshness.state == .live)
    harness.wall = Timestamp(milliseconds: 1_787_612_000_000)
    harness.receive(OKXHarness.trade("8 buy 100.5 1"))
    #expect(harness.problems == [.inconsistent] && harness.tape()?.freshness.state == .stale)
    #expect(harness.book()?.freshness.state == .live)
  }
}
