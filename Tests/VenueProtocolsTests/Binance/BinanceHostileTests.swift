// Truncated, altered or absurd messages: rejected whole, without a trap or a wrong valid book.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BinanceHostileTests {
  private let book = Subscription(.book, BinanceHarness.bitcoin)
  private let trades = Subscription(.trades, BinanceHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private static let messages: [String] = [
    BinanceHarness.snapshot(12, bids: "100.5×0.1 99×2", asks: "101×1.5"),
    BinanceHarness.update(11, 12, bids: "100.5×0.2", asks: "101×0 101.5×1.25"),
    BinanceHarness.trade("8 sell 100.5 0.4"),
    BinanceHarness.best(10, bid: "100.5×0.1", ask: "101×1.5"),
    BinanceHarness.ticker(#""c":"100.5""#), #"{"result":null,"id":1}"#,
    #"{"error":{"code":2,"msg":"Invalid request"},"id":1}"#,
    BinanceHarness.listing(tick: "0.1", step: "0.01"),
    BinanceHarness.response(
      .depth(BinanceHarness.bitcoin), status: 429, wait: 3, body: #"{"code":-1003,"msg":"x"}"#),
  ]

  private func live() -> BinanceHarness {
    var harness = BinanceHarness(wanting: book, trades)
    harness.receive(BinanceHarness.snapshot(10, bids: "100.5×0.1 99×2", asks: "101×1.5"))
    harness.receive(BinanceHarness.trade("7 buy 100.5 0.3"))
    return harness
  }

  @Test(arguments: messages.indices)
  func `a message cut at any byte is rejected whole`(_ index: Int) {
    let bytes = Array(Self.messages[index].utf8)
    let start = live()
    for end in bytes.indices {
      var harness = start
      harness.receive(bytes: Array(bytes[..<end]))
      #expect(harness.problems.first == .malformed, "cut at \(end)")
      #expect(harness.table() == Self.image, "cut at \(end)")
    }
  }

  /// Without a checksum a changed digit is valid, but no row is impossible.
  @Test(arguments: messages.indices)
  func `flipped bytes never trap and never give a crossed or negative row`(_ index: Int) {
    let bytes = Array(Self.messages[index].utf8)
    let start = live()
    for place in bytes.indices {
      for other in [UInt8(0), 0x22, 0x2d, 0x30, 0x39, 0x65, 0x7d, 0x80, 0xff, bytes[place] ^ 1]
      where other != bytes[place] {
        var harness = start
        var changed = bytes
        changed[place] = other
        harness.receive(bytes: changed)
        guard let view = harness.book(), view.status == .synced else { continue }
        #expect((view.bids + view.asks).allSatisfy { $0.price.units > 0 && $0.size.units > 0 })
        let (bid, ask) = (view.bids.first?.price.units ?? 0, view.asks.first?.price.units ?? .max)
        #expect(bid < ask, "byte \(place) is \(other)")
      }
    }
  }

  @Test(arguments: [
    ("a huge number", #"["1e400","1"]"#), ("twenty digits", #"["99999999999999999999","1"]"#),
    ("a negative price", #"["-100.5","1"]"#), ("a negative size", #"["100.5","-1"]"#),
    ("a price of nothing", #"["0","1"]"#), ("no text", #"["","1"]"#), ("letters", #"["x","1"]"#),
    ("null", #"[null,"1"]"#), ("one number", #"["100.5"]"#), ("none", "[]"),
    ("an object", #"{"price":"100.5"}"#), ("half a number", #"["100.5","1x"]"#),
    ("thirteen decimals", #"["100.0000000000001","1"]"#),
  ])
  func `an invalid level rejects its message`(_ what: String, _ level: String) {
    var harness = live()
    harness.receive(
      #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":11,"u":11,"b":[\#(level)],"#
        + #""a":[]}}"#)
    #expect(harness.problems.first == .malformed, "\(what)")
    #expect(harness.book()?.status == .resyncing && harness.table() == Self.image, "\(what)")
    #expect(harness.book()?.priceScale.digits == 1)
  }

  @Test(arguments: [
    #"{"stream":"btcusdt@depth@100ms"}"#, #"{"data":{}}"#,
    #"{"stream":"btcusdt@depth@100ms","data":{"U":11,"u":11,"b":[],"a":[]}}"#,
    #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","u":11,"b":[],"a":[]}}"#,
    #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":12,"u":11,"b":[],"a":[]}}"#,
    #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":-1,"u":11,"b":[],"a":[]}}"#,
    #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":11,"u":11,"b":[]}}"#,
    #"{"stream":"btcusdt@depth@100ms","data":[]}"#, "[]", "", "pong",
    "[" + String(repeating: "[", count: 200),
  ])
  func `a message that is no book's makes every book doubtful`(_ text: String) {
    var harness = live()
    harness.receive(text)
    #expect(harness.problems.first == .malformed)
    #expect(harness.book()?.status == .resyncing)
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

  @Test func `what is unknown is ignored`() {
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
