// Truncated, altered or absurd messages: rejected whole, without a trap or a wrong valid book.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BinanceHostileTests {
  private let book = Subscription(.book, BinanceHarness.bitcoin)
  private let trades = Subscription(.trades, BinanceHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private func live() -> BinanceHarness {
    var harness = BinanceHarness(wanting: book, trades)
    harness.receive(BinanceHarness.snapshot(10, bids: "100.5×0.1 99×2", asks: "101×1.5"))
    harness.receive(BinanceHarness.trade("7 buy 100.5 0.3"))
    return harness
  }

  @Test(arguments: [
    #"{"lastUpdateId":20,"bids":[["1","0"]],"asks":[]}"#, #"{"lastUpdateId":20,"bids":[]}"#,
    #"{"lastUpdateId":-1,"bids":[],"asks":[]}"#, #"{"bids":[],"asks":[]}"#, "[]", "7",
    #"{"lastUpdateId":20,"bids":[["-1","1"]],"asks":[]}"#,
  ])
  func `an invalid snapshot is rejected whole, and the book stays`(_ body: String) {
    var harness = live()
    harness.receive(BinanceHarness.response(.depth(BinanceHarness.bitcoin), body: body))
    #expect(harness.problems == [.malformed])
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
  }

  @Test func `a body that is not JSON can't add members to its message`() {
    for body in ["<html>451</html>", #"{}},"stream":"x","data":{"#, "\u{0}", "{"] {
      let text = BinanceHarness.response(.depth(BinanceHarness.bitcoin), status: 502, body: body)
      #expect(text == #"{"fetched":"/api/v3/depth?symbol=BTCUSDT&limit=1000","status":502}"#)
      var harness = live()
      harness.receive(text)
      #expect(harness.problems == [.venueError] && harness.book()?.status == .synced)
    }
  }

  @Test func `unknown messages are ignored`() {
    var harness = live()
    for text in [
      #"{"stream":"btcusdt@kline_1m","data":{"e":"kline"}}"#,
      BinanceHarness.update(1, 2, bids: "1×1", symbol: "ETHUSDT"),
      #"{"fetched":"/api/v3/time","status":200,"body":{}}"#,
      BinanceHarness.snapshot(5, bids: "1×1", symbol: "ETHUSDT"), #"{"x":1}"#, "{}",
    ] {
      let effects = harness.receive(text).filter {
        if case .fetch = $0 { false } else { true }
      }
      #expect(effects.isEmpty, "\(text)")
    }
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
  }

  @Test func `keys in another order do no harm`() {
    var harness = live()
    harness.receive(
      #"{"data":{"a":[],"b":[["99.00000000","3.0"]],"u":11,"U":11,"new":{"s":1},"s":"BTCUSDT"},"#
        + #""stream":"btcusdt@depth@100ms"}"#)
    #expect(harness.table() == "100.5×0.1 99×3 | 101×1.5" && harness.book()?.status == .synced)
  }

  @Test func `a level in any spelling is read`() {
    var harness = live()
    harness.receive(
      #"{"stream":"btcusdt@depth","data":{"s":"BTCUSDT","U":11,"u":11,"b":[["1.005e2","0.000"],"#
        + #"["99.0","3"],[98,1,"more"]],"a":[]}}"#)
    #expect(harness.table() == "99×3 98×1 | 101×1.5" && harness.book()?.status == .synced)
  }

  @Test func `more levels than the deepest book has are rejected`() {
    var harness = live()
    let many = (1...BinanceDecoder.maximumLevels + 1).map { "\($0)×1" }.joined(separator: " ")
    harness.receive(BinanceHarness.update(11, 11, bids: many))
    #expect(harness.problems.first == .malformed && harness.book()?.status == .resyncing)
  }

  @Test func `a wall clock that jumps changes no book, and a trade of the future is refused`() {
    var harness = live()
    harness.wall = Timestamp(milliseconds: 1_787_612_486_999)
    harness.receive(BinanceHarness.update(11, 11, bids: "100×1"))
    #expect(harness.book()?.status == .synced && harness.book()?.freshness.state == .live)
    harness.wall = Timestamp(milliseconds: 1_787_612_000_000)
    harness.receive(BinanceHarness.trade("8 buy 100.5 1"))
    #expect(harness.problems == [.inconsistent] && harness.tape()?.freshness.state == .stale)
    #expect(harness.book()?.freshness.state == .live)
  }
}
