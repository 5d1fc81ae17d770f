// The life of an OKX connection: subscriptions, the chain of numbers, resyncs, trades, refusals.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct OKXSessionTests {
  private let book = Subscription(.book, OKXHarness.bitcoin)
  private let trades = Subscription(.trades, OKXHarness.bitcoin)
  private let quote = Subscription(.quote, OKXHarness.bitcoin)
  private let figures = Subscription(.figures, OKXHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private static let snapshot = OKXHarness.book(
    "snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5", 10)

  private func synced(_ wanted: Subscription...) -> OKXHarness {
    var harness = OKXHarness(isOpen: false)
    harness.input(.wanted(Set(wanted)))
    harness.input(.opened)
    harness.receive(Self.snapshot)
    return harness
  }

  // MARK: Books over HTTP

  private static let get = "GET /api/v5/market/books?instId=BTC-USDT&sz=400&source=0"

  /// Connected for five seconds, with held updates from 10 to `last`.
  private func holding(until last: Int64 = 12) -> OKXHarness {
    var harness = OKXHarness(wanting: book)
    for number in 10..<last {
      harness.receive(OKXHarness.book("update", bids: "100×\(number)", number + 1, after: number))
    }
    return harness
  }

  @Test func `a book whose stream starts without a snapshot is fetched after five seconds`() {
    var harness = holding()
    #expect(harness.book()?.status == .waiting && !harness.sent.contains(Self.get))
    harness.wait(5000)
    #expect(harness.sent == [Self.get])
    harness.receive(OKXHarness.fetched(bids: "100×1 99×2", asks: "101×1.5", 11))
    #expect(harness.table() == "100×11 99×2 | 101×1.5" && harness.book()?.status == .synced)
    harness.receive(OKXHarness.book("update", asks: "101×0 102×1", 15, after: 12))
    #expect(harness.table() == "100×11 99×2 | 102×1" && harness.book()?.resyncs == 1)
    #expect(harness.book()?.unbroken?.messages == 3)
  }

  @Test(arguments: [
    (9, false), (10, true), (11, true), (12, true), (13, true),
  ])
  func `a fetched book must reach the held updates`(number: Int64, fits: Bool) {
    var harness = holding()
    harness.wait(5000)
    harness.receive(OKXHarness.fetched(bids: "100×1", asks: "101×1.5", number))
    #expect((harness.book()?.status == .synced) == fits)
    let size = number < 12 ? "11" : "1"
    if fits { #expect(harness.table() == "100×\(size) | 101×1.5") }
    // The stream goes on at 12; a snapshot may contain a part of its next update.
    harness.receive(OKXHarness.book("update", bids: "100×8", 14, after: 12))
    if fits { #expect(harness.table() == "100×8 | 101×1.5") }
    harness.receive(OKXHarness.book("update", bids: "100×9", 16, after: 15))
    #expect(harness.book()?.status != .synced)
    if !fits {
      harness.wait(1000)
      #expect(harness.sent == [Self.get], "again, a second later")
    }
  }

  @Test func `more digits in a fetched book convert the held updates`() {
    var harness = holding()
    harness.wait(5000)
    harness.receive(OKXHarness.fetched(bids: "100×1 99.25×2", asks: "101×1.125", 11))
    #expect(harness.table() == "100×11 99.25×2 | 101×1.125")
  }

  @Test func `a hole between held updates drops those before it`() {
    var harness = holding()
    harness.receive(OKXHarness.book("update", bids: "100×3", 21, after: 20))
    harness.wait(5000)
    harness.receive(OKXHarness.fetched(bids: "100×1", asks: "101×1", 12))
    #expect(harness.book()?.status == .waiting)
    harness.wait(1000)
    harness.receive(OKXHarness.fetched(bids: "100×1", asks: "101×1", 20))
    #expect(harness.table() == "100×3 | 101×1" && harness.book()?.status == .synced)
  }

  @Test func `a snapshot in the stream is used, and the response is not`() {
    var harness = holding()
    harness.wait(5000)
    harness.receive(Self.snapshot)
    harness.receive(OKXHarness.fetched(bids: "100×1", asks: "101×1.5", 12))
    #expect(harness.table() == Self.image)
  }

  @Test func `once a book was fetched, the next is fetched with its first update`() {
    var harness = holding()
    harness.wait(5000)
    harness.receive(OKXHarness.fetched(bids: "100×1", asks: "101×1.5", 11))
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(OKXHarness.book("update", bids: "100×7", 31, after: 30))
    harness.wait(250)
    #expect(harness.sent == [Self.get])
    harness.receive(Self.snapshot)
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(OKXHarness.book("update", bids: "100×7", 31, after: 30))
    harness.wait(250)
    #expect(harness.sent.isEmpty, "a snapshot in the stream is awaited again")
  }

  @Test(arguments: [
    (429, "", 2000), (200, "50011", 2000), (403, "", 300_000), (451, "", 300_000),
    (200, "50013", 1000), (503, "", 1000), (0, "", 1000),
  ])
  func `a failed request is repeated after a pause`(status: Int, code: String, pause: Int64) {
    var harness = holding()
    harness.wait(5000)
    let body = code.isEmpty ? "" : #"{"code":"\#(code)","msg":"no","data":[]}"#
    harness.receive(OKXHarness.response(status, body))
    #expect(harness.problems.count == 1)
    let isLimit = status == 429 || status == 403 || code == "50011"
    #expect(harness.book()?.doubt == (status == 451 ? .location : isLimit ? .limit : nil))
    harness.wait(pause - 1)
    #expect(harness.sent.filter { $0 == Self.get }.isEmpty)
    harness.wait(1)
    #expect(harness.sent == [Self.get])
  }

  @Test func `an instrument that is unknown over HTTP is refused`() {
    var harness = holding()
    harness.wait(5000)
    harness.receive(OKXHarness.response(200, #"{"data":[],"code":"51001","msg":"none"}"#))
    #expect(harness.book()?.isKnown == false)
    harness.wait(60_000)
    #expect(!harness.sent.contains(Self.get))
  }

  @Test(arguments: [
    #"{"fetched":"/api/v5/market/books?instId=BTC-USDT","status":200,"body":{"code":"0"}}"#,
    #"{"fetched":"/api/v5/market/books?instId=BTC-USDT","status":200,"body":[]}"#,
    OKXHarness.response(200, #"{"code":"0","data":[{"asks":[],"bids":[]}]}"#),
    #"{"fetched":"/api/v5/market/books?instId=NOPE-USDT","status":404}"#,
    #"{"fetched":"/api/v5/market/trades?instId=BTC-USDT","status":200,"body":{}}"#,
    #"{"fetched":7}"#, #"{"data":[],"fetched":"x"}"#,
  ])
  func `an invalid response never makes a book valid, and another one does`(text: String) {
    var harness = holding()
    harness.wait(5000)
    harness.receive(text)
    #expect(harness.book()?.status == .waiting)
    harness.wait(20_000)
    harness.receive(OKXHarness.fetched(bids: "100×1", asks: "101×1.5", 12))
    #expect(harness.book()?.status == .synced)
  }

  // MARK: Subscriptions

  @Test func `an open connection is ready and subscribes at once`() {
    let harness = OKXHarness(wanting: book, trades)
    #expect(harness.effects.first == .ready)
    #expect(
      harness.sent == [
        "subscribe status, books BTC-USDT, bbo-tbt BTC-USDT, trades BTC-USDT"
      ])
  }

  @Test func `a topic is subscribed again only after its acknowledged end`() {
    var harness = synced(book)
    harness.receive(OKXHarness.book("update", bids: "100.5×1", 12, after: 11))
    #expect(harness.sent == ["unsubscribe books BTC-USDT"])
    #expect(harness.book()?.status == .resyncing && harness.book()?.doubt == .gap)
    harness.receive(OKXHarness.book("update", bids: "100.5×3", 13, after: 12))
    #expect(harness.effects.isEmpty, "updates in between start nothing")
    harness.receive(OKXHarness.event("unsubscribe", "books"))
    #expect(harness.sent == ["subscribe books BTC-USDT"])
    harness.receive(OKXHarness.event("subscribe", "books"))
    harness.receive(OKXHarness.book("snapshot", bids: "100.5×3", asks: "101×1", 14))
    #expect(harness.table() == "100.5×3 | 101×1" && harness.book()?.status == .synced)
  }

  @Test func `after a reconnect each topic is subscribed once, and no old request is left`() {
    var harness = synced(book)
    harness.receive(OKXHarness.book("update", 12, after: 11))
    harness.input(.closed)
    #expect(harness.book()?.freshness.state == .disconnected)
    harness.input(.opened)
    #expect(harness.sent == ["subscribe status, books BTC-USDT, bbo-tbt BTC-USDT"])
    harness.receive(OKXHarness.event("unsubscribe", "books"))
    #expect(harness.effects.isEmpty)
  }

  @Test func `an unsubscribe during a resync leaves nothing behind`() {
    var harness = synced(book)
    harness.receive(OKXHarness.book("update", 12, after: 11))
    harness.input(.wanted([]))
    harness.receive(OKXHarness.event("unsubscribe", "books"))
    #expect(harness.sent.isEmpty && harness.book()?.bids.isEmpty == true)
    harness.input(.wanted([book]))
    #expect(harness.sent.joined(separator: ", ").contains("books BTC-USDT"))
  }

  @Test func `a missing snapshot is requested again after five seconds, then the connection ends`()
  {
    var harness = OKXHarness(wanting: book)
    #expect(harness.book()?.status == .waiting)
    harness.wait(4000)
    #expect(harness.sent.isEmpty)
    harness.wait(1100)
    #expect(harness.sent == ["unsubscribe books BTC-USDT", "unsubscribe status"])
    harness.receive(OKXHarness.event("unsubscribe", "books"))
    #expect(harness.sent == ["subscribe books BTC-USDT"])
    for _ in 0..<60 where !harness.effects.contains(where: isReconnect) { harness.wait(1000) }
    #expect(harness.effects.contains(where: isReconnect))
  }

  private func isReconnect(_ effect: SessionEffect) -> Bool {
    if case .reconnect = effect { true } else { false }
  }

  // MARK: The chain

  @Test func `steps are arbitrary, and an update without changes only moves on`() {
    var harness = synced(book)
    harness.receive(OKXHarness.book("update", bids: "100.5×0 100×1", 86, after: 10))
    #expect(harness.table() == "100×1 99×2 | 101×1.5")
    harness.receive(OKXHarness.book("update", 86, after: 86))
    harness.receive(OKXHarness.book("update", 90, after: 86))
    harness.receive(OKXHarness.book("update", asks: "101×2", 330, after: 90, checksum: nil))
    #expect(harness.table() == "100×1 99×2 | 101×2")
    #expect(harness.book()?.status == .synced && harness.book()?.resyncs == 0)
    #expect(harness.book()?.unbroken?.messages == 5)
  }

  @Test func `numbers may fall after maintenance while the chain holds`() {
    var harness = synced(book)
    harness.receive(OKXHarness.book("update", bids: "100.5×7", 3, after: 10))
    harness.receive(OKXHarness.book("update", bids: "100.5×8", 5, after: 3))
    #expect(harness.table() == "100.5×8 99×2 | 101×1.5" && harness.book()?.status == .synced)
  }

  @Test(arguments: [
    (OKXHarness.book("update", bids: "100.5×9", 20, after: 11), BookDoubt.gap),
    (OKXHarness.book("update", bids: "100.5×9", 20, after: 9), .gap),
    (OKXHarness.book("update", bids: "100.5×9", 20, after: nil), .gap),
    (OKXHarness.book("update", bids: "100.5×9", nil, after: nil, checksum: nil), .gap),
    (OKXHarness.book("update", bids: "101×9", 20, after: 10), .crossed),
    (OKXHarness.book("update", bids: "100.5×9", 20, after: 10, checksum: 5), .checksum),
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
    harness.receive(OKXHarness.book("snapshot", bids: "7×1", asks: "8×1", 40))
    harness.receive(OKXHarness.book("update", bids: "7×2", 41, after: 40))
    #expect(harness.table() == "7×2 | 8×1" && harness.book()?.status == .synced)
    harness.receive(OKXHarness.book("snapshot", 50))
    #expect(harness.table() == " | " && harness.book()?.status == .synced)
  }

  @Test func `a deleted level that the book lacks is no break`() {
    var harness = synced(book)
    harness.receive(OKXHarness.book("update", bids: "3×0", asks: "102×0.000", 11, after: 10))
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
  }

  // MARK: The second stream

  @Test func `best levels with the book's number must be the book's`() {
    for (ask, isSame) in [("101×1.5", true), ("101×1.4", false), ("101.1×1.5", false)] {
      var later = synced(book)
      later.receive(OKXHarness.best(bid: "100.5×0.1", ask: ask, 10))
      #expect(later.book()?.status == (isSame ? .synced : .resyncing), "\(ask)")
      var earlier = synced(book)
      earlier.receive(OKXHarness.best(bid: "100.5×0.1", ask: ask, 11))
      #expect(earlier.book()?.status == .synced, "another number means another moment")
      earlier.receive(OKXHarness.book("update", 11, after: 10))
      earlier.receive(OKXHarness.best(bid: "100.5×0.1", ask: ask, 12))
      earlier.receive(OKXHarness.book("update", bids: "100.5×0.1", 12, after: 11))
      #expect(earlier.book()?.status == (isSame ? .synced : .resyncing), "\(ask)")
      #expect(isSame || earlier.book()?.doubt == .audit)
    }
  }

  @Test func `a one-sided book has one-sided best levels`() {
    var harness = OKXHarness(wanting: book)
    harness.receive(OKXHarness.book("snapshot", asks: "101×1.5", 10))
    harness.receive(OKXHarness.best(ask: "101×1.5", 10))
    #expect(harness.table() == " | 101×1.5" && harness.book()?.status == .synced)
  }

  @Test func `book, best levels and trades are compared in the truth strip`() {
    var harness = synced(book, trades)
    harness.receive(OKXHarness.best(bid: "100.5×0.1", ask: "101×1.5", 10))
    harness.receive(OKXHarness.ticker(#""last":"100.5","bidPx":"100.5","askPx":"101""#))
    harness.wait(250)
    #expect(harness.book()?.witnesses?.witnesses == [.book, .quote])
    #expect(harness.book()?.proof == nil, "there is no checksum to claim")
  }

  // MARK: Digits

  @Test func `more digits than before convert the book, the trades and the price`() {
    var harness = synced(book, trades, quote)
    harness.receive(OKXHarness.trade("7 buy 100.5 1"))
    #expect(harness.book()?.priceScale.digits == 1 && harness.book()?.quantityScale.digits == 1)
    harness.receive(OKXHarness.book("update", bids: "100.505×0.00000001", 11, after: 10))
    #expect(harness.table() == "100.505×0.00000001 100.5×0.1 99×2 | 101×1.5")
    #expect(harness.book()?.priceScale.digits == 3 && harness.book()?.quantityScale.digits == 8)
    #expect(harness.quote()?.price?.trimmed.description == "100.5")
    let tape = harness.tape()
    #expect(tape?.trades.first?.price.units == 100_500 && tape?.priceScale.digits == 3)
    harness.receive(OKXHarness.book("update", bids: "100.505×0.0000000001", 12, after: 11))
    #expect(harness.problems.isEmpty)
    harness.receive(OKXHarness.book("update", bids: "100.505×0.00000000001", 13, after: 12))
    #expect(harness.problems == [.malformed], "no size has eleven decimals")
  }

  @Test func `numbers that no longer fit make the book doubtful`() {
    var harness = OKXHarness(wanting: book)
    harness.receive(OKXHarness.book("snapshot", bids: "1×900000000000000000", asks: "2×1", 10))
    #expect(harness.book()?.status == .synced)
    harness.receive(OKXHarness.book("update", asks: "2×0.001", 11, after: 10))
    #expect(harness.book()?.status == .resyncing)
  }

  @Test(arguments: [
    #"["100.6","3","0","1"]"#, #"["1.006e2","3.0","0","1"]"#, #"[100.6,3,0,1]"#,
    #"["100.60","3.000"]"#, #"[ "100.6" , "3" ]"#,
  ])
  func `a level in any spelling is read`(level: String) {
    var harness = synced(book)
    harness.receive(
      #"{"data":[{"prevSeqId":10,"seqId":11,"new":[1],"bids":[\#(level)],"asks":[]}],"#
        + #""action":"update","more":{},"arg":{"instId":"BTC-USDT","channel":"books"}}"#)
    #expect(harness.table() == "100.6×3 100.5×0.1 99×2 | 101×1.5")
  }

  // MARK: Trades

  @Test func `a trade's number covers its fills`() {
    var harness = OKXHarness(wanting: trades)
    harness.receive(OKXHarness.trade("100 buy 5 1"))
    #expect(harness.tape()?.trades.count == 1 && !harness.effects.contains(where: isTrade))
    harness.receive(OKXHarness.trade("103 sell 5.5 2", count: 3))
    harness.receive(OKXHarness.trade("104 sell 5.5 2", count: nil))
    #expect(harness.effects.contains(where: isTrade))
    harness.receive(OKXHarness.trade("104 sell 5.5 2", count: nil))
    #expect(harness.tape()?.trades.count == 3, "the last came before")
    #expect(harness.tape()?.trades.map(\.side) == [.sell, .sell, .buy])
    #expect(harness.tape()?.trades.map(\.identifier) == [104, 103, 100])
    #expect(harness.tape()?.trades.map(\.covered) == [1, 3, 1])
    harness.receive(OKXHarness.trade("107 buy 6 1", count: 2))
    #expect(harness.sent == ["unsubscribe trades BTC-USDT"], "105 is missing")
    #expect(harness.tape()?.freshness.state == .resyncing)
    harness.receive(OKXHarness.event("unsubscribe", "trades"))
    harness.receive(OKXHarness.trade("107 buy 6 1", count: 2))
    #expect(harness.tape()?.trades.count == 1 && harness.tape()?.freshness.state == .live)
  }

  private func isTrade(_ effect: SessionEffect) -> Bool {
    if case .happened = effect { true } else { false }
  }

  @Test func `a quote is the latest trade between the book's best prices`() {
    var harness = synced(quote)
    harness.receive(OKXHarness.trade("7 buy 100.9 1"))
    let view = harness.quote()
    #expect(view?.price?.trimmed.description == "100.9" && view?.freshness.state == .live)
    #expect(view?.bid?.trimmed.description == "100.5" && view?.ask?.trimmed.description == "101")
  }

  // MARK: Figures

  @Test func `figures of a day have the change from the price a day ago`() {
    var harness = OKXHarness(wanting: figures)
    harness.receive(
      OKXHarness.ticker(
        #""last":"83766.8","open24h":"84180.1","high24h":"85258.8","low24h":"83174.7","#
          + #""vol24h":"5449.95","askPx":"83774.2","askSz":"0.25","bidPx":"","bidSz":"","#
          + #""ts":"1790358564077""#))
    let view = harness.figures()
    #expect(view?.last?.description == "83766.8" && view?.volume?.description == "5449.95")
    #expect(view?.change?.description == "-413.3" && view?.changePercent?.description == "-0.49")
    #expect(view?.bid == nil && view?.ask?.description == "83774.2")
    #expect(view?.freshness.state == .live)
  }

  @Test func `prices of the day have the digits of the book, and more where they need them`() {
    var row = DayFiguresRow(number: 0)
    (row.last, row.change) = (FixedDecimal("84.4"), FixedDecimal("-1.0"))
    (row.high, row.volume) = (FixedDecimal("85.125"), FixedDecimal("7"))
    var figures = BookFigures()
    _ = figures.take(row, isSnapshot: true, at: ClockReading(milliseconds: 1))
    let view = figures.view(
      of: OKXHarness.bitcoin, decimals: Scale(clamping: 2), .waiting(.simulated))
    #expect(view.last?.description == "84.40" && view.change?.description == "-1.00")
    #expect(view.high?.description == "85.125" && view.low == nil)
    #expect(view.volume?.description == "7")
  }

  // MARK: Events

  @Test func `an unknown instrument is refused, the others stay`() {
    let other = Subscription(.book, Symbol(known: "NOPE-USDT"))
    var harness = OKXHarness(wanting: book, other)
    harness.receive(OKXHarness.event("", "books", code: "60018", symbol: "NOPE-USDT"))
    #expect(harness.problems == [.unknownSymbol])
    #expect(harness.book(Symbol(known: "NOPE-USDT"))?.isKnown == false)
    harness.receive(Self.snapshot)
    #expect(harness.book()?.status == .synced && harness.book()?.isKnown == true)
    harness.wait(20_000)
    #expect(!harness.sent.contains { $0.contains("NOPE-USDT") })
  }

  @Test func `too many requests are repeated after a pause`() {
    var harness = OKXHarness(wanting: book)
    harness.receive(#"{"event":"error","msg":"Requests too frequent","code":"60014","connId":"1"}"#)
    #expect(harness.problems == [.rateLimited(retryAfterSeconds: nil)])
    #expect(harness.book()?.freshness.state == .queued)
    harness.wait(1500)
    #expect(harness.sent.joined().contains("books BTC-USDT"))
  }

  @Test func `an announced upgrade leads to a new connection`() throws {
    let notice = try #require(
      try CapturedBooks.text("ws-misc-2025-12.jsonl", "okx").split(separator: "\n")
        .first { $0.contains("64008") })
    var harness = synced(book)
    harness.receive(String(notice))
    #expect(harness.effects.contains(where: isReconnect))
  }

  @Test func `maintenance closes the market and refetches it afterwards`() {
    func status(_ state: String, _ service: String) -> String {
      #"{"arg":{"channel":"status"},"data":[{"state":"\#(state)","serviceType":"\#(service)"}]}"#
    }
    var harness = synced(book)
    harness.receive(status("ongoing", "11"))
    harness.receive(status("scheduled", "0"))
    #expect(harness.book()?.freshness.state == .live, "copy trading is of no concern")
    harness.receive(status("ongoing", "0"))
    #expect(harness.book()?.freshness.state == .closed)
    harness.receive(status("completed", "0"))
    #expect(harness.sent == ["unsubscribe books BTC-USDT, bbo-tbt BTC-USDT"])
    #expect(harness.book()?.freshness.state == .resyncing)
  }

  @Test func `pings are the text ping, and a pong alone makes no book live`() {
    var harness = synced(book)
    #expect(harness.receive("pong") == [.pong])
    #expect(harness.session.heartbeat.probe == .text("ping"))
    var pings = 0
    for _ in 0..<60 {
      pings += harness.wait(1000).count { $0 == .send(OutboundMessage(text: "ping")) }
      harness.receive("pong")
    }
    #expect(pings >= 2, "at least one in thirty seconds of silence")
    #expect(harness.book()?.freshness.state == .late)
    harness.wait(60_000)
    #expect(harness.book()?.freshness.state == .stale, "silence makes everything stale")
  }

  @Test func `the state is written so that another session continues it`() throws {
    var harness = synced(book, trades, figures)
    harness.receive(OKXHarness.trade("7 buy 100.5 1"))
    harness.receive(OKXHarness.trade("10 sell 100.25 2", count: 3))
    harness.receive(OKXHarness.ticker(#""last":"100.5","open24h":"99","vol24h":"7""#))
    let request = CheckpointRequest(streams: [book, trades, figures], isWhole: true)
    let messages = try #require(harness.session.checkpoint(request))
    var follower = OKXHarness(wanting: book, trades, figures)
    for message in messages { follower.receive(bytes: message.bytes) }
    for text in [
      OKXHarness.book("update", bids: "100×5", 11, after: 10), OKXHarness.trade("11 buy 100.5 1"),
    ] {
      harness.receive(text)
      follower.receive(text)
    }
    #expect(follower.table() == "100.5×0.1 100×5 99×2 | 101×1.5")
    #expect(follower.table() == harness.table() && follower.book()?.status == .synced)
    #expect(follower.tape()?.trades.map(\.price) == harness.tape()?.trades.map(\.price))
    #expect(follower.tape()?.trades.map(\.identifier) == [11, 10, 7])
    #expect(follower.tape()?.trades.map(\.covered) == [1, 3, 1])
    #expect(follower.tape()?.priceScale == harness.tape()?.priceScale)
    #expect(follower.figures()?.change == harness.figures()?.change)
  }
}
