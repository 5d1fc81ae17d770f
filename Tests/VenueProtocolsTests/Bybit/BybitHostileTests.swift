// Truncated, altered or absurd messages: rejected whole, without a trap or a wrong valid book.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BybitHostileTests {
  private let book = Subscription(.book, BybitHarness.bitcoin)
  private let trades = Subscription(.trades, BybitHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private static let messages: [String] = [
    BybitHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10),
    BybitHarness.book("delta", bids: "100.5×0.2", asks: "101×0 101.5×1.25", 11),
    BybitHarness.trades("8 Sell 100.5 0.4"),
    BybitHarness.book("snapshot", bids: "100.5×0.1", asks: "101×1.5", 3, sequence: 100, depth: 1),
    BybitHarness.ticker(#""lastPrice":"100.5""#), BybitHarness.response("subscribe", 1),
    BybitHarness.response("subscribe", nil, isSuccess: false, "Invalid symbol :[x]"),
  ]

  private func live() -> BybitHarness {
    var harness = BybitHarness(wanting: book, trades)
    harness.receive(Self.messages[0])
    harness.receive(BybitHarness.trades("7 Buy 100.5 0.3"))
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
      #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{"a":[],"b":[\#(level)],"u":11}}"#)
    #expect(harness.problems.first == .malformed, "\(what)")
    #expect(harness.book()?.status == .resyncing && harness.table() == Self.image, "\(what)")
    #expect(harness.book()?.priceScale.digits == 1)
  }

  @Test(arguments: [
    #"{"topic":"orderbook.50.BTCUSDT","data":{},"type":"sideways"}"#,
    #"{"topic":"orderbook.50.BTCUSDT","type":"delta"}"#,
    #"{"topic":"orderbook.50.BTCUSDT","data":{"a":[],"b":[],"u":11}}"#,
    #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":[]}"#,
    #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{"a":[],"b":[]}}"#,
    #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{"a":[],"u":11}}"#,
    #"{"type":"delta","data":{}}"#, "[]", "", "pong", "[" + String(repeating: "[", count: 200),
  ])
  func `a message that is no book's makes every book doubtful`(_ text: String) {
    var harness = live()
    harness.receive(text)
    #expect(harness.problems.first == .malformed)
    #expect(harness.book()?.status == .resyncing)
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

  @Test func `what is unknown is ignored`() {
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
