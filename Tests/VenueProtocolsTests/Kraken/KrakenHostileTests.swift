// Truncated, altered or absurd messages: rejected whole, without a trap or a wrong live book.

import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

struct KrakenHostileTests {
  private let book = Subscription(.book, KrakenHarness.bitcoin)
  private let trades = Subscription(.trades, KrakenHarness.bitcoin)

  private static let image = "100.5×0.10000000 99.0×2.00000000 | 101.0×1.50000000"
  private static let snapshot = KrakenHarness.book(
    "snapshot", bids: "100.5×0.10000000 99.0×2.00000000", asks: "101.0×1.50000000", sum: image)
  private static let update = KrakenHarness.book(
    "update", bids: "100.5×0.20000000", asks: "101.0×0 101.5×1.25000000",
    sum: "100.5×0.20000000 99.0×2.00000000 | 101.5×1.25000000")

  private func live() -> KrakenHarness {
    var harness = KrakenHarness(wanting: book, trades)
    harness.receive(Self.snapshot)
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.6 0.3"))
    return harness
  }

  /// Bids from 99.0 down; the checksum is right.
  private static func long(_ type: String, _ count: Int, best: String) -> String {
    let bids = (0..<count).map { "\(99_000 - $0).5×1.00000000" }
    return KrakenHarness.book(
      type, bids: bids.joined(separator: " "),
      sum: (best.isEmpty ? bids : best.split(separator: " ").map(String.init) + bids)
        .joined(separator: " ") + " | 99900.0×1.50000000")
  }

  @Test func `an update of eight times the depth is applied, a longer one leads to a new snapshot`()
  {
    var start = KrakenHarness(wanting: book)
    start.receive(
      KrakenHarness.book(
        "snapshot", bids: "99800.5×2.00000000", asks: "99900.0×1.50000000",
        sum: "99800.5×2.00000000 | 99900.0×1.50000000"))
    let depth = KrakenBookSync.depth
    start.receive(Self.long("update", 8 * depth, best: "99800.5×2.00000000"))
    #expect(start.problems.isEmpty && start.book()?.status == .synced)
    #expect(start.book()?.bidLevels == depth)
    for count in [8 * depth + 1, 8 * KrakenBookSync.maximumDepth + 1] {
      var harness = start
      harness.receive(Self.long("update", count, best: "99800.5×2.00000000"))
      #expect(harness.book()?.status == .resyncing, "\(count) levels")
      #expect(
        harness.sent == ["unsubscribe book BTC/USD 100", "subscribe book BTC/USD 100"],
        "\(count) levels")
      #expect(harness.table() == start.table(), "nothing of it was applied")
    }
    var waiting = KrakenHarness(wanting: book)
    waiting.receive(Self.long("snapshot", 8 * depth + 1, best: ""))
    #expect(waiting.book()?.status != .synced)
  }

  @Test func `a venue that always sends a crossed book is not asked in haste`() {
    var harness = live()
    let repair = ["unsubscribe book BTC/USD 100", "subscribe book BTC/USD 100"]
    let crossed = KrakenHarness.book(
      "update", bids: "102.0×1.0",
      sum: "102.0×1.00000000 100.5×0.10000000 99.0×2.00000000 | 101.0×1.50000000")
    harness.receive(crossed)
    #expect(harness.sent == repair)
    harness.receive(Self.snapshot)
    harness.receive(crossed)
    #expect(harness.sent.isEmpty, "the second time it waits")
    #expect(harness.book()?.status == .resyncing)
    harness.wait(900)
    #expect(harness.sent.isEmpty)
    harness.wait(200)
    #expect(harness.sent == repair)
    harness.receive(Self.snapshot)
    #expect(harness.book()?.status == .synced)
    harness.wait(5000)
    #expect(harness.sent.isEmpty, "asked for once")
  }

  @Test func `a bad trade refetches the trades and leaves the book alone`() {
    var harness = live()
    harness.receive(KrakenHarness.trades("update", "8 up 100.5 0.4"))
    #expect(harness.problems == [.malformed] && harness.book()?.status == .synced)
    #expect(harness.sent == ["unsubscribe trade BTC/USD", "subscribe trade BTC/USD"])
  }

  @Test func `keys in another order, unknown keys and unknown channels do no harm`() {
    var harness = live()
    let sum = KrakenHarness.checksum("100.5×0.20000000 99.0×2.00000000 | 101.0×1.50000000")
    harness.receive(
      #"{"data":[{"checksum":\#(sum),"new":[{}],"asks":[],"bids":[{"qty":0.2,"x":1,"#
        + #""price":100.5}],"symbol":"BTC/USD"}],"type":"update","channel":"book"}"#
    )
    #expect(harness.problems.isEmpty && harness.book()?.status == .synced)
    #expect(harness.table().hasPrefix("100.5×0.20000000"))
    harness.receive(#"{"channel":"ohlc","type":"update","data":[{"symbol":"BTC/USD"}]}"#)
    harness.receive(#"{"something":"else"}"#)
    harness.receive(
      #"{"channel":"book","type":"update","data":[{"symbol":"ETH/USD","bids":[{"price":"odd"}],"#
        + #""asks":[],"checksum":1}]}"#
    )
    #expect(harness.effects.isEmpty && harness.book()?.status == .synced)
  }

  @Test func `a pair that makes no sense spoils no other`() {
    var harness = KrakenHarness(wanting: book, until: .greeted)
    harness.receive(
      KrakenHarness.pairs([("BTC/USD", 1, 8), ("BAD PAIR", 1, 8), ("ODD/USD", 99, 8)]))
    #expect(harness.sent == ["subscribe book BTC/USD 100"])
  }

  @Test func `changes before the snapshot are dropped, an empty snapshot is a book`() {
    var harness = KrakenHarness(wanting: book)
    harness.receive(Self.update)
    #expect(harness.effects.isEmpty && harness.book()?.status == .waiting)
    harness.receive(KrakenHarness.book("snapshot", sum: " | "))
    #expect(harness.book()?.status == .synced && harness.book()?.bidLevels == 0)
  }
}
