// The life of a Bybit connection: subscriptions, numbers, resyncs, rejected requests, trades.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BybitSessionTests {
  private let book = Subscription(.book, BybitHarness.bitcoin)
  private let trades = Subscription(.trades, BybitHarness.bitcoin)
  private let quote = Subscription(.quote, BybitHarness.bitcoin)
  private let figures = Subscription(.figures, BybitHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private static let snapshot = BybitHarness.book(
    "snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10)

  private func synced(_ wanted: Subscription...) -> BybitHarness {
    var harness = BybitHarness(isOpen: false)
    harness.input(.wanted(Set(wanted)))
    harness.input(.opened)
    harness.receive(Self.snapshot)
    harness.receive(BybitHarness.response("subscribe", 1))
    return harness
  }

  // MARK: Subscriptions

  @Test func `an open connection is ready and subscribes at once, ten topics a request`() {
    var harness = BybitHarness(wanting: book, trades)
    #expect(harness.effects.first == .ready)
    #expect(
      harness.sent == [
        "subscribe orderbook.50.BTCUSDT,orderbook.1.BTCUSDT,publicTrade.BTCUSDT #1"
      ])
    let many = (0..<6).compactMap { Symbol("P\($0)USDT") }.map { Subscription(.book, $0) }
    harness.input(.wanted(Set(many)))
    #expect(harness.sent.count == 3)
    #expect(harness.sent[1].split(separator: ",").count == 10)
  }

  @Test func `a snapshot that precedes its acknowledgement is the book`() {
    let harness = synced(book)
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
    #expect(harness.book()?.freshness.state == .live && harness.book()?.proof == nil)
  }

  @Test func `a topic is subscribed again only after its acknowledged end`() {
    var harness = synced(book)
    harness.receive(BybitHarness.book("delta", bids: "100.5×1", 12))
    #expect(harness.sent == ["unsubscribe orderbook.50.BTCUSDT #2"])
    #expect(harness.book()?.status == .resyncing && harness.book()?.doubt == .gap)
    harness.receive(BybitHarness.book("delta", bids: "100.5×3", 13))
    #expect(harness.effects.isEmpty, "updates in between start nothing")
    harness.receive(BybitHarness.response("unsubscribe", 2))
    #expect(harness.sent == ["subscribe orderbook.50.BTCUSDT #3"])
    harness.receive(BybitHarness.book("snapshot", bids: "100.5×3", asks: "101×1", 14))
    #expect(harness.table() == "100.5×3 | 101×1" && harness.book()?.status == .synced)
  }

  @Test func `after a reconnect each topic is subscribed once, and no old request is left`() {
    var harness = synced(book)
    harness.receive(BybitHarness.book("delta", 12))
    harness.input(.closed)
    #expect(harness.book()?.freshness.state == .disconnected)
    harness.input(.opened)
    #expect(harness.sent == ["subscribe orderbook.50.BTCUSDT,orderbook.1.BTCUSDT #3"])
    harness.receive(BybitHarness.response("unsubscribe", 2))
    #expect(harness.effects.isEmpty)
  }

  @Test func `an unsubscribe during a resync leaves nothing behind`() {
    var harness = synced(book)
    harness.receive(BybitHarness.book("delta", 12))
    harness.input(.wanted([]))
    harness.receive(BybitHarness.response("unsubscribe", 2))
    #expect(harness.sent.isEmpty && harness.book()?.bids.isEmpty == true)
  }

  @Test func `a missing snapshot is requested again after five seconds, then the connection ends`()
  {
    var harness = BybitHarness(wanting: book)
    harness.receive(BybitHarness.book("delta", bids: "1×1", 11))
    #expect(harness.book()?.status == .waiting, "changes before the snapshot are dropped")
    harness.wait(5100)
    #expect(harness.sent == ["unsubscribe orderbook.50.BTCUSDT #2"])
    for _ in 0..<60 where !harness.effects.contains(where: isReconnect) { harness.wait(1000) }
    #expect(harness.effects.contains(where: isReconnect))
  }

  private func isReconnect(_ effect: SessionEffect) -> Bool {
    if case .reconnect = effect { true } else { false }
  }

  // MARK: Rejected requests

  @Test(arguments: [nil, 1] as [Int?])
  func `an unknown instrument is refused, the others of its request are requested alone`(
    number: Int?
  ) {
    let nope = Symbol(known: "NOPEUSDT")
    var harness = BybitHarness(wanting: trades, Subscription(.trades, nope))
    harness.receive(
      BybitHarness.response(
        "subscribe", number, isSuccess: false, "Invalid symbol :[publicTrade.NOPEUSDT]"))
    #expect(harness.problems == [.unknownSymbol])
    #expect(harness.sent == ["subscribe publicTrade.BTCUSDT #2"])
    #expect(harness.tape(nope)?.isKnown == false && harness.tape()?.isKnown == true)
    harness.wait(20_000)
    #expect(!harness.sent.contains { $0.contains("NOPE") })
  }

  @Test func `a topic that is subscribed already rejects no other, and is subscribed again`() {
    var harness = BybitHarness(wanting: book, trades)
    harness.receive(
      BybitHarness.response(
        "subscribe", 1, isSuccess: false,
        "error:already subscribed,topic:orderbook.50.BTCUSDT"))
    #expect(
      harness.sent == [
        "subscribe orderbook.1.BTCUSDT #2", "subscribe publicTrade.BTCUSDT #3",
        "unsubscribe orderbook.50.BTCUSDT #4",
      ])
    harness.receive(BybitHarness.response("unsubscribe", 4))
    #expect(harness.sent == ["subscribe orderbook.50.BTCUSDT #5"])
  }

  @Test func `a request that is rejected for another reason is split, then reported`() {
    var harness = BybitHarness(wanting: book)
    harness.receive(BybitHarness.response("subscribe", 1, isSuccess: false, "args size >10"))
    #expect(
      harness.sent == ["subscribe orderbook.50.BTCUSDT #2", "subscribe orderbook.1.BTCUSDT #3"])
    harness.receive(BybitHarness.response("subscribe", 2, isSuccess: false, "no"))
    #expect(harness.problems == [.venueError] && harness.sent.isEmpty)
  }

  // MARK: Numbers

  @Test func `each number follows the one before, also without changes`() {
    var harness = synced(book)
    harness.receive(BybitHarness.book("delta", bids: "100.5×0 100×1", 11))
    harness.receive(BybitHarness.book("delta", 12))
    harness.receive(BybitHarness.book("delta", asks: "101×2 102×0", 13))
    #expect(harness.table() == "100×1 99×2 | 101×2")
    #expect(harness.book()?.status == .synced && harness.book()?.resyncs == 0)
    #expect(harness.book()?.unbroken?.messages == 4)
  }

  @Test(arguments: [
    (BybitHarness.book("delta", bids: "100.5×9", 12), BookDoubt.gap),
    (BybitHarness.book("delta", bids: "100.5×9", 10), .gap),
    (BybitHarness.book("delta", bids: "100.5×9", 9), .gap),
    (BybitHarness.book("delta", bids: "101×9", 11), .crossed),
  ])
  func `a break makes the book doubtful at once`(message: String, doubt: BookDoubt) {
    var harness = synced(book)
    harness.receive(message)
    #expect(harness.book()?.status == .resyncing && harness.book()?.doubt == doubt)
    #expect(harness.book()?.unbroken == nil)
    #expect(harness.effects.contains(.resynced(book)))
  }

  @Test func `a snapshot that comes twice, or unasked, is the book from then on`() {
    var harness = synced(book)
    harness.receive(BybitHarness.book("snapshot", bids: "7×1", asks: "8×1", 40))
    harness.receive(BybitHarness.book("delta", bids: "7×2", 41))
    #expect(harness.table() == "7×2 | 8×1" && harness.book()?.status == .synced)
    harness.receive(BybitHarness.book("delta", bids: "5×1", asks: "6×1", 1, sequence: 3))
    harness.receive(BybitHarness.book("delta", bids: "5×2", 2, sequence: 4))
    #expect(harness.table() == "5×2 | 6×1", "the number 1 is a snapshot, whatever its type")
    harness.receive(BybitHarness.book("snapshot", 50))
    #expect(harness.table() == " | " && harness.book()?.status == .synced)
  }

  @Test func `a deleted level that the book lacks is no break`() {
    var harness = synced(book)
    harness.receive(BybitHarness.book("delta", bids: "3×0", asks: "102×0.000", 11))
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
  }

  @Test func `best levels with the book's sequence must be the book's`() {
    for (ask, isSame) in [("101×1.5", true), ("101×1.4", false), ("101.1×1.5", false)] {
      func best(_ sequence: Int64) -> String {
        BybitHarness.book("snapshot", bids: "100.5×0.1", asks: ask, 7, sequence: sequence, depth: 1)
      }
      var later = synced(book)
      later.receive(best(100))
      #expect(later.book()?.status == (isSame ? .synced : .resyncing), "\(ask)")
      var earlier = synced(book)
      earlier.receive(best(110))
      #expect(earlier.book()?.status == .synced, "another sequence means another moment")
      earlier.receive(BybitHarness.book("delta", bids: "99×3", 11))
      #expect(earlier.book()?.status == (isSame ? .synced : .resyncing), "\(ask)")
    }
  }

  // MARK: Digits

  @Test func `more digits than before convert the book, the trades and the price`() {
    var harness = synced(book, trades, quote)
    harness.receive(BybitHarness.trades("7 Buy 100.5 1"))
    harness.receive(BybitHarness.book("delta", bids: "100.505×0.00000001", 11))
    #expect(harness.table() == "100.505×0.00000001 100.5×0.1 99×2 | 101×1.5")
    #expect(harness.book()?.priceScale.digits == 3 && harness.tape()?.priceScale.digits == 3)
    #expect(harness.quote()?.price?.trimmed.description == "100.5")
  }

  @Test(arguments: [#"["100.6","3"]"#, #"["1.006e2","3.0"]"#, "[100.6,3]", #"[ "100.60" , "3" ]"#])
  func `a level in any spelling is read`(level: String) {
    var harness = synced(book)
    harness.receive(
      #"{"data":{"u":11,"new":[1],"b":[\#(level)],"a":[]},"type":"delta","#
        + #""more":{},"topic":"orderbook.50.BTCUSDT"}"#)
    #expect(harness.table() == "100.6×3 100.5×0.1 99×2 | 101×1.5")
  }

  // MARK: Trades and figures

  @Test func `trades have identifiers with holes, and each counts once`() {
    var harness = BybitHarness(wanting: trades, quote)
    harness.receive(BybitHarness.trades("524 Sell 5 1", "528 Buy 5.5 2"))
    #expect(harness.tape()?.trades.map(\.side) == [.buy, .sell])
    #expect(harness.tape()?.freshness.state == .live)
    harness.receive(BybitHarness.trades("528 Buy 5.5 2", "533 Buy 6 1"))
    #expect(harness.tape()?.trades.count == 3)
    #expect(harness.quote()?.price?.trimmed.description == "6")
    #expect(harness.tape()?.trades.allSatisfy { $0.identifier == 0 } == true)
    harness.input(.closed)
    harness.input(.opened)
    #expect(harness.tape()?.freshness.state != .live)
    harness.receive(BybitHarness.trades("600 Buy 7 1"))
    #expect(harness.tape()?.trades.count == 1, "those between are unknown")
  }

  @Test func `figures of a day have the change from the price a day ago`() {
    var harness = BybitHarness(wanting: figures)
    harness.receive(
      BybitHarness.ticker(
        #""symbol":"BTCUSDT","lastPrice":"27579.99","highPrice24h":"35000","#
          + #""lowPrice24h":"26900","prevPrice24h":"29005.97","volume24h":"240.62801""#))
    let view = harness.figures()
    #expect(view?.last?.description == "27579.99" && view?.volume?.description == "240.62801")
    #expect(view?.change?.description == "-1425.98" && view?.changePercent?.description == "-4.92")
    #expect(view?.freshness.state == .live)
  }

  // MARK: Time

  @Test func `pings are JSON, and a pong alone makes no book live`() {
    let pong = #"{"success":true,"ret_msg":"pong","conn_id":"x","req_id":"p1","op":"ping"}"#
    var harness = synced(book)
    #expect(harness.receive(pong) == [.pong])
    #expect(harness.session.heartbeat.probe == .text(#"{"op":"ping"}"#))
    var pings = 0
    for _ in 0..<60 {
      harness.wait(1000)
      pings += harness.sent.count { $0 == "ping" }
      harness.receive(pong)
    }
    #expect(pings >= 2, "at least one in thirty seconds")
    #expect(harness.book()?.freshness.state == .late)
    harness.wait(60_000)
    #expect(harness.book()?.freshness.state == .stale, "silence makes everything stale")
  }

  @Test func `the state is written so that another session continues it`() throws {
    var harness = synced(book, trades, figures)
    harness.receive(BybitHarness.trades("7 Buy 100.5 1", "9 Sell 100.25 2"))
    harness.receive(BybitHarness.ticker(#""lastPrice":"100.5","prevPrice24h":"99""#))
    let request = CheckpointRequest(streams: [book, trades, figures], isWhole: true)
    let messages = try #require(harness.session.checkpoint(request))
    var follower = BybitHarness(wanting: book, trades, figures)
    for message in messages { follower.receive(bytes: message.bytes) }
    for text in [
      BybitHarness.book("delta", bids: "100×5", 11), BybitHarness.trades("12 Buy 100.5 1"),
    ] {
      harness.receive(text)
      follower.receive(text)
    }
    #expect(follower.table() == "100.5×0.1 100×5 99×2 | 101×1.5")
    #expect(follower.table() == harness.table() && follower.book()?.status == .synced)
    #expect(follower.tape()?.trades.map(\.price) == harness.tape()?.trades.map(\.price))
    #expect(follower.tape()?.priceScale == harness.tape()?.priceScale)
    #expect(follower.figures()?.change == harness.figures()?.change)
  }
}
