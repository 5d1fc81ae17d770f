// Truncated, altered or absurd messages: rejected whole, without a trap or a wrong valid book.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct OKXHostileTests {
  private let book = Subscription(.book, OKXHarness.bitcoin)
  private let trades = Subscription(.trades, OKXHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private static let messages: [String] = [
    OKXHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10),
    OKXHarness.book("update", bids: "100.5×0.2", asks: "101×0 101.5×1.25", 12, after: 10),
    OKXHarness.trade("8 sell 100.5 0.4"), OKXHarness.best(bid: "100.5×0.1", ask: "101×1.5", 10),
    OKXHarness.ticker(#""last":"100.5","ts":"1790358564077""#),
    OKXHarness.event("subscribe", "books"), OKXHarness.event("", "books", code: "60018"),
  ]

  private func live() -> OKXHarness {
    var harness = OKXHarness(wanting: book, trades)
    harness.receive(Self.messages[0])
    harness.receive(OKXHarness.trade("7 buy 100.5 0.3"))
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
      #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[{"asks":[],"#
        + #""bids":[\#(level)],"seqId":11,"prevSeqId":10}]}"#)
    #expect(harness.problems.first == .malformed, "\(what)")
    #expect(harness.book()?.status == .resyncing && harness.table() == Self.image, "\(what)")
    harness.receive(OKXHarness.event("unsubscribe", "books"))
    harness.receive(OKXHarness.book("snapshot", bids: "100.5×0.1", asks: "101×1", 20))
    #expect(harness.table() == "100.5×0.1 | 101×1" && harness.book()?.priceScale.digits == 1)
  }

  @Test(arguments: [
    #"{"arg":{"channel":"books","instId":"BTC-USDT"},"data":[],"action":"sideways"}"#,
    #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update"}"#,
    #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[]}"#,
    #"{"arg":{"channel":"books","instId":"BTC-USDT"},"data":[{"asks":[],"bids":[]}]}"#,
    #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[{"asks":[]}]}"#,
    #"{"arg":{"instId":"BTC-USDT"},"action":"update","data":[]}"#, #"{"data":[]}"#,
    #"{"arg":{"channel":"books","channel":"books","instId":"BTC-USDT"}}"#, "[]", "", "pongs",
    "[" + String(repeating: "[", count: 200),
  ])
  func `a message that is no book's makes every book doubtful`(_ text: String) {
    var harness = live()
    harness.receive(text)
    #expect(harness.problems.first == .malformed)
    #expect(harness.book()?.status == .resyncing)
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
      harness.receive(
        #"{"arg":{"channel":"\#(channel)","instId":"BTC-USDT"},"data":[\#(rows)]}"#)
      #expect(harness.problems.first == .malformed, "\(channel)")
    }
  }

  @Test func `what is unknown is ignored`() {
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
