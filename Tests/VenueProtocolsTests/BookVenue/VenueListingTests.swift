// The lists of instruments that venues give over HTTP: what is read, when they are requested, and
// what hostile ones can't do.

import MarketModel
import Testing
import VenueCatalogue
import WireJSON

@testable import VenueProtocols

struct VenueListingTests {
  private func listing(_ harness: any BookHarness) -> VenueListing? {
    guard case .listing(let listing)? = harness.session.value(for: .listing, at: harness.now)
    else { return nil }
    return listing
  }

  private func requests(_ harness: any BookHarness, _ venue: ListingCase) -> [FetchRequest] {
    harness.effects.compactMap { effect in
      guard case .fetch(let request) = effect, request.path.hasPrefix(venue.list.path) else {
        return nil
      }
      return request
    }
  }

  /// A live session with a list of one market, whose next list has just been requested.
  private func due(_ venue: ListingCase) -> any BookHarness {
    var harness = venue.live()
    harness.receive(venue.message(venue.open("BTC")))
    harness.milliseconds += 299_000
    while requests(harness, venue).isEmpty, harness.milliseconds < 400_000 { harness.wait(250) }
    return harness
  }

  private func expectWhole(_ harness: any BookHarness, _ venue: ListingCase) {
    #expect(harness.table(venue.bitcoin) == ListingCase.image)
    #expect(harness.book(venue.bitcoin)?.status == .synced)
  }

  // MARK: Reading

  @Test(arguments: ListingCase.all)
  func `the documented list is read`(venue: ListingCase) throws {
    let bytes = Array(venue.documented.body.utf8)
    var cursor = JSONCursor()
    let page = try venue.list.read(bytes.span, &cursor)
    #expect(page.rows == venue.documented.rows && page.next.isEmpty && page.refusal == nil)
    var harness = venue.live()
    harness.receive(venue.response(body: venue.documented.body))
    #expect(listing(harness)?.instruments == venue.documented.rows.map(\.instrument))
    #expect(harness.problems.isEmpty)
    expectWhole(harness, venue)
  }

  @Test(arguments: ListingCase.all)
  func `markets of other kinds and with impossible names are left out`(venue: ListingCase) {
    var harness = venue.live()
    let names = ["", "A/B", "\u{5e01}\u{5b89}", "A B", String(repeating: "A", count: 100)]
    let odd = names.filter { !$0.isEmpty }.map { venue.open($0) }
    harness.receive(venue.response(body: venue.body(venue.foreign + odd + [venue.open("LTC")])))
    #expect(harness.problems.isEmpty)
    #expect(listing(harness)?.instruments.map(\.symbol) == [venue.other])
  }

  @Test(arguments: ListingCase.all)
  func `a closed market is listed as closed, and its book is`(venue: ListingCase) {
    var harness = venue.live()
    let closed = venue.open("BTC") { $0.state = venue.states.closed }
    harness.receive(venue.message(closed, venue.open("LTC")))
    #expect(
      listing(harness)?.instruments.map { "\($0.symbol) \($0.isOpen)" }
        == ["\(venue.bitcoin) false", "\(venue.other) true"])
    #expect(harness.book(venue.bitcoin)?.freshness.state == .closed)
    #expect(harness.effects.contains(.changed(Subscription(.book, venue.bitcoin))))
    harness.receive(venue.message(venue.open("BTC")))
    #expect(harness.book(venue.bitcoin)?.freshness.state == .live)
  }

  @Test(arguments: ListingCase.all.filter(\.statesSteps))
  func `prices have the digits of the listed step, and views the currencies`(
    venue: ListingCase
  ) throws {
    var harness = venue.live()
    let row = venue.open("BTC") {
      $0.tick = "\"0.010\""
      $0.step = "\"0.00001\""
    }
    harness.receive(venue.message(row))
    let book = try #require(harness.book(venue.bitcoin))
    #expect(book.priceDecimals == Scale(clamping: 2))
    #expect(FixedDecimal(book.tick, scale: book.priceScale).trimmed == FixedDecimal("0.01"))
    #expect(book.quantityScale == Scale(clamping: 5))
    #expect(book.listed?.base == "BTC" && book.listed?.quote == "USDT")
    expectWhole(harness, venue)
    // Another market has its digits from the start.
    harness.receive(venue.message(row, venue.open("LTC") { $0.tick = "\"0.001\"" }))
    harness.input(
      .wanted([Subscription(.book, venue.bitcoin), Subscription(.book, venue.other), .listing]))
    #expect(harness.book(venue.other)?.priceDecimals == Scale(clamping: 3))
    #expect(harness.book(venue.other)?.listed?.base == "LTC")
  }

  @Test(arguments: ListingCase.all.filter(\.statesSteps))
  func `a market that is not open yet may have no steps`(venue: ListingCase) {
    var harness = venue.live()
    let row = venue.open("LTC") {
      $0.state = "preopen"
      $0.tick = "\"\""
      $0.step = "\"\""
    }
    harness.receive(venue.message(row))
    #expect(listing(harness)?.instruments.map(\.isOpen) == [false])
  }

  // MARK: Requests

  @Test(arguments: ListingCase.all)
  func `a list is live for ten minutes, also on a silent connection`(venue: ListingCase) {
    var harness = venue.live()
    harness.receive(venue.message(venue.open("BTC")))
    harness.milliseconds += 599_000
    #expect(listing(harness)?.freshness.state == .live)
    harness.milliseconds += 2000
    #expect(listing(harness)?.freshness.state == .late)
    harness.receive(venue.message(venue.open("BTC")))
    #expect(listing(harness)?.freshness.state == .live)
  }

  @Test(arguments: ListingCase.all)
  func `the list is requested with the first stream, and again after five minutes`(
    venue: ListingCase
  ) {
    var harness = venue.live()
    harness.milliseconds += 10_000
    while requests(harness, venue).isEmpty, harness.milliseconds < 60_000 { harness.wait(250) }
    #expect(
      requests(harness, venue)
        == [FetchRequest(path: venue.list.path, maximumBytes: venue.list.maximumBytes)])
    let listed = due(venue)
    #expect(listed.milliseconds >= 300_000 && requests(listed, venue).count == 1)
    expectWhole(listed, venue)
  }

  @Test(
    arguments: ListingCase.all,
    [
      (0, nil, 1000), (200, nil, 1000), (500, nil, 1000), (503, 5, 5000), (429, nil, 60_000),
      (429, 7, 7000), (418, nil, 300_000), (403, nil, 300_000), (451, nil, 300_000),
    ] as [(Int, Int?, Int64)])
  func `a list that did not come stays as it was, and is requested again after its time`(
    venue: ListingCase, failure: (status: Int, wait: Int?, milliseconds: Int64)
  ) {
    var harness = due(venue)
    harness.receive(venue.response(status: failure.status, wait: failure.wait))
    #expect(harness.problems.count == 1)
    #expect(harness.effects.contains(.changed(.listing)))
    #expect(listing(harness)?.instruments.count == 1)
    #expect(listing(harness)?.freshness.state == .resyncing)
    expectWhole(harness, venue)
    harness.wait(failure.milliseconds - 10)
    #expect(requests(harness, venue).isEmpty)
    // A new connection doesn't shorten it.
    harness.input(.closed)
    #expect(listing(harness)?.instruments.count == 1)
    harness.milliseconds += 20
    harness.input(.opened)
    for _ in 0..<20 where requests(harness, venue).isEmpty {
      if var coinbase = harness as? CoinbaseHarness {
        coinbase.next = 0
        coinbase.say(CoinbaseHarness.subscriptions)
        harness = coinbase
      } else {
        harness.wait(250)
      }
    }
    #expect(requests(harness, venue).count == 1)
  }

  @Test(arguments: ListingCase.all.filter { $0.refusal != nil })
  func `a refusal in a response of status 200 is a failure`(venue: ListingCase) throws {
    let refusal = try #require(venue.refusal)
    var harness = due(venue)
    harness.receive(venue.response(body: refusal.body))
    #expect(harness.problems == [.rateLimited(retryAfterSeconds: Int(refusal.seconds))])
    #expect(listing(harness)?.instruments.count == 1)
    harness.wait(refusal.seconds * 1000 - 10)
    #expect(requests(harness, venue).isEmpty)
    harness.wait(20)
    #expect(requests(harness, venue).count == 1)
  }

  @Test(arguments: ListingCase.all)
  func `without a list the catalogue's markets are open`(venue: ListingCase) {
    var harness = venue.live()
    for _ in 0..<10 {
      harness.receive(venue.response(status: 451))
      harness.wait(1000)
    }
    #expect(listing(harness)?.instruments.isEmpty == true)
    #expect(harness.book(venue.bitcoin)?.isKnown == true)
    expectWhole(harness, venue)
  }

  // MARK: Hostile lists

  private func expectRefused(
    _ message: String, _ venue: ListingCase, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var harness = due(venue)
    harness.receive(message)
    #expect(harness.problems.count == 1, comment, sourceLocation: sourceLocation)
    #expect(
      listing(harness)?.instruments.map(\.symbol) == [venue.bitcoin], comment,
      sourceLocation: sourceLocation)
    expectWhole(harness, venue)
    // Requested again, after a response that can't be read once its time is over.
    for _ in 0..<80 where requests(harness, venue).isEmpty { harness.wait(250) }
    #expect(requests(harness, venue).count == 1, comment, sourceLocation: sourceLocation)
  }

  @Test(arguments: ListingCase.all)
  func `a list that contains anything impossible is refused whole`(venue: ListingCase) {
    let good = venue.open("LTC")
    expectRefused(venue.message(), venue, "no market")
    expectRefused(venue.message(good, good), venue, "a market twice")
    expectRefused(venue.message(good, "7"), venue, "a number as a row")
    expectRefused(venue.message(good, "[]"), venue, "an array as a row")
    for body in ["[]", "7", "{}", #"{"code":"0"}"#, #"{"retCode":0,"result":{}}"#, ""] {
      expectRefused(venue.response(body: body), venue, "the body \(body)")
    }
    let whole = venue.body([good])
    expectRefused(venue.response(body: String(whole.dropLast(5))), venue, "cut")
    let rows = (0...InstrumentList.maximumCount).map { venue.open("C\($0)") }
    expectRefused(venue.response(body: venue.body(rows)), venue, "too many")
    guard venue.statesSteps else { return }
    for step in [
      "0", "\"0\"", "\"0.000\"", "\"-0.1\"", "\"1e400\"", "1e400", "\"x\"", "null", "[]", "0.1",
      "\"99999999999999999999999\"", #""0.1x""#,
    ] {
      let (tick, lot) = (venue.open("XRP") { $0.tick = step }, venue.open("XRP") { $0.step = step })
      expectRefused(venue.message(good, tick), venue, "tick \(step)")
      expectRefused(venue.message(good, lot), venue, "lot \(step)")
    }
    expectRefused(venue.message(good, venue.open("XRP") { $0.state = nil }), venue, "no state")
  }

  @Test(arguments: ListingCase.all)
  func `as many markets as can have numbers are listed`(venue: ListingCase) {
    var harness = venue.live()
    let rows = (0..<InstrumentList.maximumCount).map { venue.open("C\($0)") }
    harness.receive(venue.response(body: venue.body(rows)))
    #expect(listing(harness)?.instruments.count == rows.count && harness.problems.isEmpty)
    let symbols = listing(harness)?.instruments.map(\.symbol) ?? []
    #expect(symbols == symbols.sorted())
  }

  @Test(arguments: ListingCase.all)
  func `a list cut or changed at any byte never makes a wrong book valid`(venue: ListingCase) {
    let bytes = Array(venue.message(venue.open("BTC")).utf8)
    let start = venue.live()
    func check(_ message: [UInt8]) {
      var harness = start
      harness.receive(bytes: message)
      #expect(harness.table(venue.bitcoin) == ListingCase.image)
      #expect((listing(harness)?.instruments.count ?? 0) <= 1)
    }
    for place in bytes.indices {
      check(Array(bytes[..<place]))
      for other in [UInt8(0), 0x22, 0x2c, 0x30, 0x5d, 0x7d, 0xff] where other != bytes[place] {
        var changed = bytes
        changed[place] = other
        check(changed)
      }
    }
  }

  // MARK: Followers

  @Test(arguments: ListingCase.all)
  func `a checkpoint contains the list`(venue: ListingCase) throws {
    var harness = venue.live()
    let closed = venue.open("BTC") { $0.state = venue.states.closed }
    harness.receive(venue.message(closed, venue.open("LTC")))
    let streams: Set<Subscription> = [Subscription(.book, venue.bitcoin), .listing]
    let messages = try #require(
      harness.session.checkpoint(CheckpointRequest(streams: streams, isWhole: true)))
    var copy = venue.venue.adapter.session(SessionSetup(origin: .simulated))
    _ = copy.handle(.wanted(streams), at: harness.now)
    _ = copy.handle(.opened, at: harness.now)
    for message in messages {
      _ = copy.receive(message.bytes.span, kind: .text, at: harness.now)
    }
    guard case .listing(let list)? = copy.value(for: .listing, at: harness.now),
      case .book(let book)? = copy.value(for: Subscription(.book, venue.bitcoin), at: harness.now)
    else {
      Issue.record("no list or book")
      return
    }
    #expect(list.instruments == listing(harness)?.instruments)
    #expect(book.freshness.state == .closed && BookTable.text(book) == ListingCase.image)
    #expect(book.priceDecimals == harness.book(venue.bitcoin)?.priceDecimals)
  }

  @Test(arguments: ListingCase.all)
  func `a checkpoint contains the pause after a refusal`(venue: ListingCase) throws {
    var harness = venue.live()
    harness.receive(venue.response(status: 403))
    let request = CheckpointRequest(streams: [.listing], isWhole: true)
    let messages = try #require(harness.session.checkpoint(request))
    var copy = venue.live()
    for message in messages where copy.problems.isEmpty { copy.receive(bytes: message.bytes) }
    #expect(copy.problems == [.rateLimited(retryAfterSeconds: 300)])
    copy.wait(290_000)
    #expect(requests(copy, venue).isEmpty)
  }
}
