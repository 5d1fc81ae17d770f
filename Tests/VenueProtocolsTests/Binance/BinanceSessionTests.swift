// The life of a Binance connection: streams, snapshots over HTTP, numbers, failures, trades.

import Foundation
import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BinanceSessionTests {
  private let book = Subscription(.book, BinanceHarness.bitcoin)
  private let trades = Subscription(.trades, BinanceHarness.bitcoin)
  private let quote = Subscription(.quote, BinanceHarness.bitcoin)
  private let figures = Subscription(.figures, BinanceHarness.bitcoin)

  private static let image = "100.5×0.1 99×2 | 101×1.5"
  private static let snapshot = BinanceHarness.snapshot(10, bids: "100.5×0.1 99×2", asks: "101×1.5")

  /// A session whose instrument is known and whose snapshot is requested.
  private func requested(_ wanted: Subscription...) -> BinanceHarness {
    var harness = BinanceHarness(isOpen: false)
    harness.input(.wanted(Set(wanted)))
    harness.input(.opened)
    harness.receive(BinanceHarness.listing(tick: "0.10000000", step: "0.01000000"))
    harness.receive(#"{"result":null,"id":1}"#)
    harness.wait(500)
    harness.receive(BinanceHarness.update(9, 10, bids: "50×1"))
    return harness
  }

  private func synced(_ wanted: Subscription...) -> BinanceHarness {
    var harness = BinanceHarness(isOpen: false)
    harness.input(.wanted(Set(wanted)))
    harness.input(.opened)
    harness.receive(BinanceHarness.listing(tick: "0.10000000", step: "0.01000000"))
    harness.wait(500)
    harness.receive(BinanceHarness.update(9, 10, bids: "50×1"))
    harness.receive(Self.snapshot)
    return harness
  }

  // MARK: Streams

  @Test func `an open connection is ready and subscribes at once, in one message`() {
    let harness = BinanceHarness(wanting: book, trades)
    #expect(harness.effects.first == .ready)
    #expect(
      harness.sent == [
        "SUBSCRIBE btcusdt@depth@100ms,btcusdt@bookTicker,btcusdt@trade #1",
        BinanceHarness.details,
      ])
  }

  @Test func `messages keep the venue's rhythm, and a stream is never subscribed twice`() {
    var harness = synced(book)
    harness.wait(400)
    harness.input(.wanted([book, trades]))
    #expect(harness.sent == ["SUBSCRIBE btcusdt@trade #2"])
    harness.input(.wanted([book, trades, figures]))
    #expect(harness.sent.isEmpty)
    harness.input(.wanted([book, figures]))
    #expect(harness.sent.isEmpty)
    harness.wait(300)
    #expect(harness.sent == ["UNSUBSCRIBE btcusdt@trade #3"])
    harness.wait(300)
    #expect(harness.sent == ["SUBSCRIBE btcusdt@ticker #4"])
    harness.wait(300)
    #expect(harness.sent.isEmpty)
  }

  // MARK: Snapshots

  @Test func `a snapshot is requested with the first update, or after a second without one`() {
    let hurried = requested(book)
    #expect(hurried.sent == [BinanceHarness.depth])
    #expect(hurried.book()?.status == .waiting)
    var quiet = BinanceHarness(wanting: book)
    quiet.receive(BinanceHarness.listing(tick: "0.1", step: "0.01"))
    quiet.wait(500)
    #expect(quiet.sent.isEmpty)
    quiet.wait(600)
    #expect(quiet.sent == [BinanceHarness.depth])
    quiet.receive(Self.snapshot)
    #expect(quiet.table() == Self.image && quiet.book()?.status == .synced)
    // The first update may also contain numbers of the snapshot.
    quiet.receive(BinanceHarness.update(8, 12, bids: "99×3"))
    #expect(quiet.table() == "100.5×0.1 99×3 | 101×1.5" && quiet.book()?.status == .synced)
  }

  @Test func `held updates that the snapshot contains are dropped, the others are applied`() {
    var harness = requested(book)
    harness.receive(BinanceHarness.update(11, 12, bids: "99×3"))
    harness.receive(BinanceHarness.update(13, 13, asks: "101×0 102×4"))
    harness.receive(Self.snapshot)
    #expect(harness.table() == "100.5×0.1 99×3 | 102×4" && harness.book()?.status == .synced)
    harness.receive(BinanceHarness.update(14, 14, asks: "102×5"))
    #expect(harness.table() == "100.5×0.1 99×3 | 102×5" && harness.book()?.resyncs == 0)
    #expect(harness.book()?.unbroken?.messages == 4)
  }

  @Test func `a held update that straddles the snapshot is applied whole`() {
    var harness = requested(book)
    harness.receive(BinanceHarness.update(11, 14, bids: "99×3"))
    harness.receive(BinanceHarness.snapshot(12, bids: "100.5×0.1 99×2", asks: "101×1.5"))
    #expect(harness.table() == "100.5×0.1 99×3 | 101×1.5" && harness.book()?.status == .synced)
    harness.receive(BinanceHarness.update(15, 15, bids: "99×4"))
    #expect(harness.book()?.status == .synced)
  }

  @Test func `a snapshot that is older than the held updates is requested again, later`() {
    var harness = requested(book)
    harness.receive(BinanceHarness.snapshot(7, bids: "100.5×9", asks: "101×9"))
    #expect(harness.book()?.status == .waiting && harness.sent.isEmpty)
    harness.wait(500)
    #expect(harness.sent.isEmpty)
    #expect(harness.waitForDepth() == 1)
    harness.receive(BinanceHarness.snapshot(7, bids: "100.5×9", asks: "101×9"))
    #expect(harness.waitForDepth() == 2, "the pause doubles")
    harness.receive(BinanceHarness.snapshot(8, bids: "100.5×0.1", asks: "101×1.5"))
    #expect(harness.table() == "100.5×0.1 50×1 | 101×1.5")
  }

  @Test func `a hole among the held updates drops those before it`() {
    var harness = requested(book)
    harness.receive(BinanceHarness.update(13, 14, bids: "99×3"))
    harness.receive(Self.snapshot)
    #expect(harness.book()?.status == .waiting, "numbers 11 and 12 are lost")
    harness.waitForDepth()
    harness.receive(BinanceHarness.snapshot(13, bids: "100×1", asks: "101×1"))
    #expect(harness.table() == "100×1 99×3 | 101×1" && harness.book()?.status == .synced)
  }

  @Test func `the held updates are bounded`() {
    var sync = BinanceBookSync()
    let now = ClockReading(milliseconds: 1)
    let row = [LevelRow(isBid: true, price: 1, size: 1)]
    for number in 1...Int64(3 * HeldUpdates<BinanceBookPart>.maximumCount + 5) {
      _ = sync.apply(row, BinanceBookPart(number: 0, first: number, last: number), at: now)
      #expect(sync.heldUpdates <= HeldUpdates<BinanceBookPart>.maximumCount)
    }
    #expect(sync.heldUpdates == 5)
    let large = [LevelRow](repeating: row[0], count: HeldUpdates<BinanceBookPart>.maximumLevels / 2)
    for number in Int64(0)..<4 {
      let next = Int64(3 * HeldUpdates<BinanceBookPart>.maximumCount) + 6 + number
      _ = sync.apply(large, BinanceBookPart(number: 0, first: next, last: next), at: now)
    }
    #expect(sync.heldUpdates <= 2)
  }

  @Test func `a missing response is requested again after fifteen seconds`() {
    var harness = requested(book)
    harness.wait(14_000)
    #expect(harness.sent.isEmpty)
    #expect(harness.waitForDepth() == 2)
    harness.receive(Self.snapshot)
    #expect(harness.table() == Self.image)
  }

  // MARK: Numbers

  @Test func `a break makes the book doubtful at once`() {
    for (first, last, bids, doubt) in [
      (13 as Int64, 13 as Int64, "100.5×1", BookDoubt.gap), (11, 13, "99×1", .gap),
      (12, 12, "103×1", .crossed),
    ] {
      var harness = synced(book)
      // The first one after the snapshot may straddle it.
      harness.receive(BinanceHarness.update(11, 11))
      harness.wait(1100)
      harness.receive(BinanceHarness.update(first, last, bids: bids))
      #expect(harness.book()?.status == .resyncing && harness.book()?.doubt == doubt)
      #expect(harness.sent == [BinanceHarness.depth])
      #expect(harness.effects.contains(.resynced(book)))
    }
  }

  @Test func `updates during a resync are held for the new snapshot`() {
    var harness = synced(book)
    harness.wait(1100)
    harness.receive(BinanceHarness.update(12, 12, bids: "98×1"))
    #expect(harness.sent == [BinanceHarness.depth])
    harness.receive(BinanceHarness.update(13, 14, bids: "97×1"))
    #expect(harness.table() == Self.image && harness.effects.isEmpty)
    harness.receive(BinanceHarness.snapshot(13, bids: "100×1 98×1", asks: "101×1"))
    #expect(harness.table() == "100×1 98×1 97×1 | 101×1" && harness.book()?.status == .synced)
    #expect(harness.book()?.resyncs == 1 && harness.book()?.doubt == nil)
  }

  @Test func `a repeated update is recognised by its numbers`() {
    var harness = synced(book)
    let update = BinanceHarness.update(11, 12, bids: "99×3")
    harness.receive(update)
    harness.receive(BinanceHarness.update(13, 13, bids: "99×4"))
    #expect(harness.receive(update).isEmpty)
    #expect(harness.table() == "100.5×0.1 99×4 | 101×1.5" && harness.book()?.status == .synced)
  }

  @Test func `a deleted level that the book lacks is no break`() {
    var harness = synced(book)
    harness.receive(BinanceHarness.update(11, 11, bids: "12×0", asks: "900×0"))
    harness.receive(BinanceHarness.update(12, 12))
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
  }

  @Test func `a book that keeps breaking ends the connection`() {
    var harness = synced(book)
    var number: Int64 = 20
    for _ in 0..<8 where !harness.isReconnecting {
      number += 10
      harness.receive(BinanceHarness.update(number, number, bids: "1×1"))
      if harness.isReconnecting { break }
      if !harness.sent.contains(BinanceHarness.depth) { harness.waitForDepth() }
      harness.receive(BinanceHarness.snapshot(number, bids: "100×1", asks: "101×1"))
    }
    #expect(harness.isReconnecting)
  }

  @Test func `a snapshot that comes twice, or unasked, changes nothing that is newer`() {
    var harness = synced(book)
    harness.receive(BinanceHarness.update(11, 12, bids: "99×3"))
    harness.receive(Self.snapshot)
    #expect(harness.table() == "100.5×0.1 99×3 | 101×1.5" && harness.book()?.status == .synced)
    harness.receive(BinanceHarness.snapshot(20))
    #expect(harness.table() == " | " && harness.book()?.status == .synced, "an empty book")
  }

  @Test func `best levels are compared where both streams have the same number`() {
    var harness = synced(book)
    harness.receive(BinanceHarness.best(10, bid: "100.5×0.1", ask: "101×1.5"))
    harness.receive(BinanceHarness.best(11, bid: "100×7", ask: "101×1.5"))
    #expect(harness.book()?.status == .synced)
    harness.wait(1100)
    harness.receive(BinanceHarness.update(11, 11, bids: "99×3"))
    #expect(harness.book()?.doubt == .audit && harness.sent == [BinanceHarness.depth])
  }

  // MARK: Depth

  private static func side(_ count: Int, _ price: (Int) -> Int) -> String {
    (0..<count).map { "\(price($0))×1" }.joined(separator: " ")
  }

  @Test func `the ticker's best prices, which may be old, are not compared`() {
    var harness = synced(book, trades, Subscription(.figures, BinanceHarness.bitcoin))
    harness.receive(BinanceHarness.ticker(#""c":"100.5","b":"90.1","a":"91.2""#))
    for number in Int64(11)..<30 {
      harness.wait(500)
      harness.receive(BinanceHarness.update(number, number))
      harness.receive(BinanceHarness.best(number, bid: "100.5×0.1", ask: "101×1.5"))
    }
    #expect(harness.book()?.witnesses?.dissents.isEmpty != false)
  }

  @Test func `prices beyond a whole snapshot are unknown, and a thin book is renewed`() {
    var harness = requested(book)
    harness.receive(
      BinanceHarness.snapshot(
        10, bids: Self.side(1000) { 5000 - $0 }, asks: Self.side(30) { 6000 + $0 }))
    #expect(harness.book()?.bidLevels == 1000 && harness.book()?.askLevels == 30)
    harness.receive(BinanceHarness.update(11, 11, bids: "4001×2 4000×2 3×1", asks: "9000×1"))
    #expect(harness.book()?.bidLevels == 1000, "4000 and 3 are below the snapshot")
    #expect(harness.book()?.askLevels == 31, "the side of 30 is whole")
    harness.wait(1100)
    harness.receive(
      BinanceHarness.update(12, 12, bids: Self.side(760) { 5000 - $0 }.replacing("×1", with: "×0")))
    #expect(harness.sent == [BinanceHarness.depth] && harness.book()?.status == .synced)
    harness.receive(BinanceHarness.update(13, 13, bids: "4300×1"))
    #expect(harness.book()?.bidLevels == 241, "valid meanwhile")
    harness.receive(
      BinanceHarness.snapshot(
        12, bids: Self.side(1000) { 4240 - $0 }, asks: Self.side(30) { 6000 + $0 }))
    #expect(harness.book()?.bidLevels == 1001 && harness.book()?.status == .synced)
    #expect(harness.book()?.resyncs == 0)
    harness.receive(BinanceHarness.update(14, 14, bids: "3241×2"))
    #expect(harness.book()?.status == .synced)
  }

  @Test func `a snapshot older than the book that it renews is requested again`() {
    var harness = requested(book)
    harness.receive(
      BinanceHarness.snapshot(
        10, bids: Self.side(1000) { 5000 - $0 }, asks: Self.side(30) { 6000 + $0 }))
    harness.wait(1100)
    harness.receive(
      BinanceHarness.update(11, 12, bids: Self.side(760) { 5000 - $0 }.replacing("×1", with: "×0")))
    #expect(harness.sent == [BinanceHarness.depth])
    harness.receive(BinanceHarness.snapshot(11, bids: "5000×1", asks: "6000×1"))
    #expect(harness.book()?.bidLevels == 240, "the former book stays")
    #expect(harness.waitForDepth() == 1)
    harness.receive(BinanceHarness.snapshot(12, bids: "4240×1", asks: "6000×1"))
    #expect(harness.book()?.bidLevels == 1 && harness.book()?.status == .synced)
  }

  @Test func `a doubtful book is not replaced by an older one`() {
    var harness = synced(book)
    harness.receive(BinanceHarness.update(11, 12, bids: "103×1"))
    #expect(harness.book()?.doubt == .crossed)
    harness.receive(BinanceHarness.snapshot(11, bids: "100.5×1", asks: "101×1"))
    #expect(harness.book()?.status == .resyncing)
    #expect(harness.waitForDepth() == 1)
    harness.receive(BinanceHarness.snapshot(12, bids: "100.5×1", asks: "101×1"))
    #expect(harness.book()?.status == .synced)
  }

  @Test func `held updates that no snapshot reaches within a minute end the connection`() {
    var harness = synced(book)
    harness.receive(BinanceHarness.update(9_000_000, 9_000_001, bids: "1×1"))
    #expect(harness.book()?.doubt == .gap)
    var seconds = 0
    while !harness.isReconnecting, seconds < 200 {
      harness.receive(BinanceHarness.snapshot(Int64(11 + seconds), bids: "100×1", asks: "101×1"))
      if !harness.isReconnecting { seconds += harness.waitForDepth() ?? 200 }
    }
    #expect((60...70).contains(seconds), "after \(seconds) s")
  }

  // MARK: Failures of HTTP

  @Test(arguments: [(429, 7, 7), (429, nil, 60), (418, 30, 30), (403, nil, 90)])
  func `a refused snapshot waits as long as the venue demands, also over a reconnect`(
    status: Int, wait: Int?, seconds: Int
  ) {
    var harness = requested(book)
    let body = #"{"code":-1003,"msg":"Too much request weight used"}"#
    harness.receive(
      BinanceHarness.response(
        .depth(BinanceHarness.bitcoin), status: status, wait: wait, body: body))
    #expect(harness.problems.count == 1 && harness.book()?.status == .waiting)
    guard case .rateLimited? = harness.problems.first else {
      Issue.record("\(harness.effects)")
      return
    }
    harness.input(.closed)
    harness.input(.opened)
    #expect(harness.sent == ["SUBSCRIBE btcusdt@depth@100ms,btcusdt@bookTicker #2"])
    for second in 1..<min(seconds, 90) {
      harness.wait(1000)
      #expect(harness.sent.isEmpty, "after \(second) s")
    }
  }

  @Test func `other failures are repeated ever more rarely`() {
    var harness = requested(book)
    var waits: [Int?] = []
    for _ in 0..<5 {
      harness.receive(BinanceHarness.response(.depth(BinanceHarness.bitcoin), status: 0))
      #expect(harness.problems == [.venueError])
      waits.append(harness.waitForDepth())
    }
    #expect(waits == [1, 2, 4, 8, 16])
    harness.receive(Self.snapshot)
    #expect(harness.book()?.status == .synced)
  }

  @Test func `an unknown instrument is refused, the others stay`() {
    let nope = Symbol(known: "NOPEUSDT")
    var harness = synced(book)
    harness.wait(2000)
    harness.input(.wanted([book, Subscription(.book, nope), Subscription(.trades, nope)]))
    #expect(
      harness.sent.contains("GET /api/v3/exchangeInfo?symbol=NOPEUSDT&showPermissionSets=false"))
    harness.receive(
      BinanceHarness.response(
        .details(nope), status: 400, body: #"{"code":-1121,"msg":"Invalid symbol."}"#))
    #expect(harness.problems == [.unknownSymbol])
    #expect(harness.book(nope)?.isKnown == false && harness.tape(nope)?.isKnown == false)
    #expect(harness.table() == Self.image)
  }

  @Test func `a refused location has no books, but trades, and is requested after five minutes`() {
    var harness = requested(book, trades)
    harness.receive(
      BinanceHarness.response(
        .depth(BinanceHarness.bitcoin), status: 451,
        body: #"{"code":0,"msg":"Service unavailable from a restricted location"}"#))
    #expect(harness.problems == [.unauthorized] && harness.book()?.isKnown == true)
    #expect(harness.book()?.status == .waiting && harness.book()?.doubt == .location)
    #expect(harness.effects.contains(.changed(book)))
    harness.receive(BinanceHarness.trade("7 buy 100.5 0.3"))
    #expect(harness.tape()?.trades.count == 1)
    #expect(harness.waitForDepth() == nil)
    harness.wait(300_000)
    #expect(harness.sent.contains { $0.contains("depth") })
  }

  @Test func `each book states that the location is refused, though one request finds it out`() {
    let symbols = (0..<5).compactMap { Symbol("P\($0)USDT") }
    var harness = BinanceHarness(isOpen: false)
    harness.input(.wanted(Set(symbols.map { Subscription(.book, $0) })))
    harness.input(.opened)
    harness.receive(BinanceHarness.response(.details(symbols[0]), status: 451, body: "{}"))
    #expect(symbols.allSatisfy { harness.book($0)?.doubt == .location })
    // The wait outlives the connection.
    harness.input(.closed)
    harness.input(.opened)
    #expect(symbols.allSatisfy { harness.book($0)?.doubt == .location })
    harness.receive(BinanceHarness.snapshot(10, bids: "1×1", symbol: "P0USDT"))
    #expect(symbols.map { harness.book($0)?.doubt == nil } == [true, false, false, false, false])
  }

  @Test func `several books are requested one at a time, within half of the budget`() {
    let symbols = (0..<5).compactMap { Symbol("P\($0)USDT") }
    var harness = BinanceHarness(isOpen: false)
    harness.input(.wanted(Set(symbols.map { Subscription(.book, $0) })))
    harness.input(.opened)
    var requests = 0
    for _ in 0..<100 {
      let sent = harness.sent.filter { $0.hasPrefix("GET") }
      #expect(sent.count <= 1)
      requests += sent.count
      for case .fetch(let request) in harness.effects {
        let isDepth = request.path.contains("depth")
        let name = String(request.path.split(separator: "=")[1].prefix { $0 != "&" })
        let symbol = Symbol(name) ?? BinanceHarness.bitcoin
        harness.receive(
          isDepth
            ? BinanceHarness.snapshot(5, bids: "1×1", asks: "2×1", symbol: name)
            : BinanceHarness.response(
              .details(symbol), body: #"{"symbols":[{"symbol":"\#(name)","filters":[]}]}"#))
      }
      harness.wait(100)
    }
    #expect(requests == 10)
    #expect(symbols.allSatisfy { harness.book($0)?.status == .synced })
  }

  // MARK: Instruments

  @Test func `steps give the decimals, and a market that is not trading is closed`() {
    var harness = synced(book)
    #expect(harness.book()?.priceDecimals.digits == 1 && harness.book()?.tick == Price(units: 1))
    harness.receive(BinanceHarness.listing(tick: "0.00050000", step: "0.00100000"))
    #expect(harness.table() == Self.image && harness.book()?.status == .synced)
    #expect(harness.book()?.priceDecimals.digits == 4 && harness.book()?.tick == Price(units: 5))
    harness.receive(BinanceHarness.listing(tick: "0.0005", step: "0.001", status: "BREAK"))
    #expect(harness.book()?.freshness.state == .closed)
  }

  @Test
  func `more digits than before convert the book, the held updates, the trades and the price`() {
    var harness = requested(book, trades, quote)
    harness.receive(BinanceHarness.trade("1 buy 100.5 0.3"))
    harness.receive(BinanceHarness.update(11, 11, bids: "99×3"))
    harness.receive(BinanceHarness.trade("2 sell 100.501 0.0004"))
    harness.receive(Self.snapshot)
    #expect(harness.table() == "100.5×0.1 99×3 | 101×1.5" && harness.book()?.status == .synced)
    #expect(harness.quote()?.price?.description == "100.501")
    #expect(harness.tape()?.trades.map(\.identifier) == [2, 1])
    #expect(harness.tape()?.trades.last?.price == Price(units: 100_500))
  }

  @Test func `a captured list of instruments gives the steps of one`() throws {
    let body = try CapturedBooks.text("rest.exchangeInfo-2025-08-07.json", "binance")
    var harness = requested(book)
    harness.receive(Self.snapshot)
    harness.receive(BinanceHarness.response(.details(BinanceHarness.bitcoin), body: body))
    #expect(harness.book()?.priceDecimals.digits == 2 && harness.book()?.tick == Price(units: 1))
    #expect(harness.book()?.quantityScale.digits == 5 && harness.table() == Self.image)
  }

  @Test func `the errors of the venue's documents fail a request, and nothing else`() throws {
    let bodies = try CapturedBooks.text("errors.jsonl", "binance").split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
    }
    for error in bodies where error["where"] == "rest" {
      var harness = synced(book)
      let kind = error["kind"] ?? ""
      let status = [400, 418, 429, 451].first { kind.contains("HTTP \($0)") }
      harness.receive(
        BinanceHarness.response(
          .details(BinanceHarness.bitcoin), status: status ?? 503, body: error["payload"] ?? ""))
      #expect(harness.problems.count == 1 && !harness.isReconnecting, "\(kind)")
      #expect(status == 400 || status == 451 || harness.book()?.status == .synced, "\(kind)")
    }
    #expect(bodies.count > 8)
  }

  // MARK: Trades

  @Test func `trades have the taker's side and count once`() {
    var harness = synced(trades)
    harness.receive(BinanceHarness.trade("7 buy 100.5 0.3"))
    harness.receive(BinanceHarness.trade("8 sell 100.4 0.2"))
    #expect(harness.receive(BinanceHarness.trade("8 sell 100.4 0.2")).isEmpty)
    #expect(harness.tape()?.trades.map(\.side) == [.sell, .buy])
    #expect(harness.tape()?.freshness.state == .live)
  }

  @Test func `a lost trade restarts the list, and none is reported twice`() {
    var harness = synced(trades)
    harness.receive(BinanceHarness.trade("7 buy 100.5 0.3"))
    harness.receive(BinanceHarness.trade("9 buy 100.6 0.3"))
    #expect(harness.tape()?.trades.map(\.identifier) == [9])
    harness.receive(BinanceHarness.trade("10 buy 100.7 0.3"))
    #expect(harness.receive(BinanceHarness.trade("9 buy 100.6 0.3")).isEmpty)
    #expect(harness.tape()?.trades.map(\.identifier) == [10, 9])
    #expect(harness.sent.isEmpty)
  }

  @Test func `a quote is the latest trade between the best prices`() {
    var harness = synced(quote)
    harness.receive(BinanceHarness.trade("7 buy 100.6 0.3"))
    #expect(harness.quote()?.price?.description == "100.6")
    #expect(harness.quote()?.bid?.description == "100.5")
    #expect(harness.quote()?.ask?.description == "101.0")
  }

  // MARK: Connection

  @Test func `after a reconnect each stream is subscribed once, and the snapshot is fetched again`()
  {
    var harness = synced(book)
    harness.input(.closed)
    #expect(harness.book()?.freshness.state == .disconnected && harness.table() == Self.image)
    harness.wait(2000)
    harness.input(.opened)
    #expect(
      harness.sent == [
        "SUBSCRIBE btcusdt@depth@100ms,btcusdt@bookTicker #2", BinanceHarness.details,
      ])
    #expect(harness.book()?.status == .resyncing)
    harness.receive(BinanceHarness.listing(tick: "0.1", step: "0.01"))
    harness.wait(500)
    harness.receive(BinanceHarness.update(30, 31, bids: "70×1"))
    #expect(harness.sent == [BinanceHarness.depth])
    harness.receive(BinanceHarness.snapshot(30, bids: "100×1", asks: "101×1"))
    #expect(harness.table() == "100×1 70×1 | 101×1" && harness.book()?.status == .synced)
  }

  @Test func `an unsubscribe during a resync leaves nothing behind`() {
    var harness = requested(book)
    harness.input(.wanted([]))
    #expect(harness.sent == ["UNSUBSCRIBE btcusdt@depth@100ms,btcusdt@bookTicker #2"])
    harness.receive(Self.snapshot)
    #expect(harness.sent.isEmpty && harness.book()?.bids.isEmpty == true)
    #expect(harness.waitForDepth() == nil)
  }

  @Test func `the announced end of the server leads to a new connection`() {
    for text in [
      #"{"e":"serverShutdown","E":1770123456789}"#,
      #"{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":1770123456789}}"#,
    ] {
      var harness = synced(book)
      harness.receive(text)
      #expect(harness.isReconnecting)
    }
  }

  @Test func `the probe is a request without effect, and its response keeps the book live`() {
    var harness = synced(book)
    #expect(harness.session.heartbeat.probe == .text(#"{"method":"LIST_SUBSCRIPTIONS","id":0}"#))
    harness.milliseconds += 5900
    harness.receive(#"{"result":["btcusdt@depth@100ms"],"id":0}"#)
    #expect(harness.effects == [.pong])
    harness.wait(3000)
    #expect(harness.book()?.freshness.state != .stale)
    harness.wait(12_000)
    #expect(harness.book()?.freshness.state == .stale)
  }

  @Test func `a refused request is logged and changes nothing`() {
    var harness = synced(book)
    harness.receive(#"{"code":2,"msg":"Invalid request: unknown variant"}"#)
    #expect(harness.problems == [.venueError] && harness.book()?.status == .synced)
    harness.receive(#"{"error":{"code":3,"msg":"Invalid JSON"},"id":4}"#)
    #expect(harness.problems == [.venueError])
  }

  @Test func `a checkpoint brings another session to the same state`() throws {
    var harness = synced(book, trades, quote, figures)
    harness.receive(BinanceHarness.update(11, 13, bids: "98.7×0.5"))
    harness.receive(BinanceHarness.trade("7 buy 100.6 0.3"))
    harness.receive(BinanceHarness.trade("8 sell 100.4 0.2"))
    harness.receive(BinanceHarness.ticker(#""c":"100.40000000","p":"-1.5","P":"-1.472","n":7"#))
    let wanted: Set<Subscription> = [book, trades, quote, figures]
    let request = CheckpointRequest(streams: wanted, isWhole: true)
    let messages = try #require(harness.session.checkpoint(request))
    var other = BinanceHarness(isOpen: false)
    other.input(.wanted(wanted))
    other.input(.opened)
    for message in messages { other.receive(bytes: message.bytes) }
    #expect(other.table() == harness.table() && other.book()?.status == .synced)
    #expect(other.book()?.priceDecimals == harness.book()?.priceDecimals)
    #expect(other.book()?.quantityScale == harness.book()?.quantityScale)
    #expect(other.tape()?.trades.map(\.identifier) == [8, 7])
    #expect(other.tape()?.trades.map(\.price) == harness.tape()?.trades.map(\.price))
    #expect(other.figures()?.change == harness.figures()?.change)
    other.receive(BinanceHarness.update(14, 14, bids: "99×0"))
    #expect(other.book()?.status == .synced)
  }

  @Test func `times are those of updates and trades`() {
    let session = BinanceSession(origin: .simulated)
    func time(_ text: String) -> VenueTimes? { session.times(in: Array(text.utf8).span) }
    let expected = VenueTimes.event(Timestamp(milliseconds: 1_787_612_486_107))
    #expect(time(BinanceHarness.update(1, 2)) == expected)
    #expect(time(BinanceHarness.best(1, bid: "1×1", ask: "2×1")) == nil)
    #expect(time(BinanceHarness.snapshot(1)) == nil)
  }
}
