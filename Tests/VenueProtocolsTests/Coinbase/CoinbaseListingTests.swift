// The list of products over HTTP: which products may be requested, and which can be traded.

import MarketModel
import Testing

@testable import VenueProtocols

struct CoinbaseListingTests {
  private let book = Subscription(.book, CoinbaseHarness.bitcoin)
  private let other = Subscription(.book, CoinbaseHarness.symbol("ADA-USD"))
  private static let path = "/api/v3/brokerage/market/products?product_type=SPOT"

  private func listing(_ harness: CoinbaseHarness) -> VenueListing? {
    guard case .listing(let listing)? = harness.session.value(for: .listing, at: harness.now)
    else { return nil }
    return listing
  }

  private static func row(_ name: String, _ members: String = "") -> String {
    #"{"product_id":"\#(name)","product_type":"SPOT","status":"online","alias":""\#(members)}"#
  }

  private static func message(_ rows: [String]) -> String {
    #"{"fetched":"\#(path)","status":200,"body":{"products":[\#(rows.joined(separator: ","))]}}"#
  }

  private static func list(_ names: String...) -> String { message(names.map { row($0) }) }

  private static func failure(_ status: Int, wait: Int? = nil) -> String {
    #"{"fetched":"\#(path)","status":\#(status)\#(wait.map { #","wait":\#($0)"# } ?? "")}"#
  }

  private func requests(_ harness: CoinbaseHarness) -> [FetchRequest] {
    harness.effects.compactMap { if case .fetch(let request) = $0 { request } else { nil } }
  }

  private func live(_ wanted: Subscription...) -> CoinbaseHarness {
    var harness = CoinbaseHarness(wanting: book, .listing)
    harness.input(.wanted(Set(wanted).union([book, .listing])))
    harness.say(CoinbaseHarness.status())
    harness.say(CoinbaseHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5"))
    return harness
  }

  private let image = "100.5×0.1 99×2 | 101×1.5"

  @Test func `the list is requested with the first stream, and again five minutes after it came`() {
    var harness = CoinbaseHarness(wanting: book, isOpen: false)
    harness.input(.opened)
    #expect(requests(harness).isEmpty)
    harness.say(CoinbaseHarness.subscriptions)
    #expect(requests(harness) == [FetchRequest(path: Self.path, maximumBytes: 8 << 20)])
    #expect(requests(harness).first?.path == VenueHistory.coinbase.path(.names(.currencies), ""))
    harness.wait(5000)
    #expect(requests(harness).isEmpty)
    harness.receive(Self.list("BTC-USD"))
    harness.wait(299_000)
    #expect(requests(harness).isEmpty)
    harness.wait(1000)
    #expect(requests(harness).count == 1)
  }

  @Test func `without a stream nothing is requested, the list alone subscribes to no product`() {
    var harness = CoinbaseHarness()
    harness.wait(1000)
    #expect(requests(harness).isEmpty)
    harness.input(.wanted([.listing]))
    #expect(listing(harness)?.freshness.state == .waiting)
    harness.wait(250)
    #expect(requests(harness).count == 1 && harness.sent.isEmpty)
    harness.receive(Self.list("BTC-USD"))
    #expect(harness.sent.isEmpty && harness.problems.isEmpty)
  }

  @Test func `captured products: another name of a book is left out`() throws {
    var harness = live()
    let body = try CoinbasePayloads.text("rest.products.json")
    harness.receive(#"{"fetched":"https://x\#(Self.path)","status":200,"body":\#(body)}"#)
    #expect(harness.effects.contains(.changed(.listing)) && harness.problems.isEmpty)
    #expect(
      listing(harness)?.instruments == [
        ListedInstrument(
          symbol: CoinbaseHarness.bitcoin, base: "BTC", quote: "USD", kind: .spot, isOpen: true)
      ])
    #expect(listing(harness)?.freshness.state == .live)
    #expect(harness.table() == image && harness.book()?.status == .synced)
  }

  @Test(arguments: [
    #","is_disabled":true"#, #","trading_disabled":true"#, #","view_only":true"#,
    #","cancel_only":true"#, #","status":"delisted""#, #","status":"""#,
  ])
  func `a product that can't be traded is listed as closed, and its market is`(_ members: String) {
    var harness = live()
    #expect(harness.book()?.freshness.state == .live)
    let row = Self.row("BTC-USD", members)
    let single = row.replacing(#""status":"online","#, with: "")
    harness.receive(
      Self.message([members.contains("status") ? single : row, Self.row("ADA-USD")]))
    #expect(listing(harness)?.instruments.map(\.isOpen) == [true, false])
    #expect(harness.book()?.freshness.state == .closed)
    #expect(harness.effects.contains(.changed(book)))
    harness.receive(Self.list("BTC-USD", "ADA-USD"))
    #expect(harness.book()?.freshness.state == .live && harness.effects.contains(.changed(book)))
  }

  @Test(arguments: [#","limit_only":true"#, #","post_only":true"#, #","auction_mode":true"#])
  func `a product with fewer kinds of orders is open`(_ members: String) {
    var harness = live()
    harness.receive(Self.message([Self.row("BTC-USD", members)]))
    #expect(harness.book()?.freshness.state == .live)
  }

  @Test func `a product outside the catalogue waits for the list, then it is subscribed`() {
    var harness = CoinbaseHarness(wanting: other)
    #expect(harness.sent.isEmpty && harness.book(other.symbol)?.isKnown == true)
    harness.wait(20_000)
    #expect(harness.sent.isEmpty && !harness.reconnects)
    harness.receive(Self.list("ADA-USD"))
    #expect(harness.sent.contains("subscribe level2 ADA-USD"))
    // A later product needs no other list.
    harness.input(.wanted([other, Subscription(.trades, other.symbol)]))
    #expect(harness.sent == ["subscribe market_trades ADA-USD"])
  }

  @Test func `a product that the list lacks is unknown without a request, until it is listed`() {
    var harness = CoinbaseHarness(wanting: other, .listing)
    harness.receive(Self.list("BTC-USD"))
    #expect(harness.problems == [.unknownSymbol] && harness.sent.isEmpty)
    #expect(harness.book(other.symbol)?.isKnown == false)
    harness.wait(1000)
    #expect(harness.problems.isEmpty, "reported once")
    harness.receive(Self.list("BTC-USD", "ADA-USD"))
    #expect(harness.sent.contains("subscribe level2 ADA-USD"))
    #expect(harness.book(other.symbol)?.isKnown == true)
    harness.receive(Self.list("BTC-USD"))
    #expect(harness.sent.contains("unsubscribe level2 ADA-USD"))
    #expect(harness.book(other.symbol)?.isKnown == false)
  }

  @Test func `the catalogue's products need no list, and no list takes them away`() {
    var harness = live()
    harness.receive(Self.list("ADA-USD"))
    #expect(harness.problems.isEmpty && harness.sent.isEmpty)
    #expect(harness.book()?.isKnown == true && harness.table() == image)
  }

  @Test func `a product in USDC is refused unless it is listed as a book of its own`() {
    let wanted = Subscription(.book, CoinbaseHarness.symbol("ADA-USDC"))
    var harness = CoinbaseHarness(wanting: wanted)
    #expect(harness.problems == [.unknownSymbol])
    harness.receive(Self.list("BTC-USD", "ADA-USDC"))
    #expect(harness.sent.contains("subscribe level2 ADA-USDC"))
  }

  @Test func `failures double the pause, up to a minute`() {
    var harness = live()
    var pauses: [Int64] = []
    for _ in 0..<8 {
      harness.receive(Self.failure(503))
      let failed = harness.milliseconds
      repeat {
        harness.say(CoinbaseHarness.heartbeat)
        harness.wait(500)
      } while requests(harness).isEmpty && harness.milliseconds < failed + 70_000
      pauses.append((harness.milliseconds - failed) / 1000)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
  }

  @Test func `a list that never comes is requested again after fifteen seconds`() {
    var harness = live()
    harness.wait(14_000)
    #expect(requests(harness).isEmpty)
    harness.wait(2000)
    harness.wait(1100)
    #expect(requests(harness).count == 1)
  }

  @Test func `a new connection keeps the list and requests it when it is due`() {
    var harness = live(other)
    harness.receive(Self.list("BTC-USD", "ADA-USD"))
    harness.input(.closed)
    #expect(listing(harness)?.freshness.state == .disconnected)
    #expect(listing(harness)?.instruments.count == 2)
    harness.open()
    #expect(requests(harness).isEmpty && harness.sent.contains("subscribe level2 ADA-USD BTC-USD"))
    #expect(listing(harness)?.freshness.state == .live)
    harness.wait(301_000)
    #expect(requests(harness).count == 1)
  }

  // MARK: Hostile lists

  @Test func `a list cut or changed at any byte never makes a wrong book valid`() {
    let bytes = Array(Self.message([Self.row("BTC-USD", #","view_only":true"#)]).utf8)
    let start = live()
    func check(_ message: [UInt8]) {
      var harness = start
      harness.receive(bytes: message)
      #expect(harness.table() == image)
      let listed = listing(harness)?.instruments ?? []
      #expect(listed.count <= 1)
      // Any other key may be a damaged one of a book's message, which needs a new connection.
      let isWhole = harness.book()?.status == .synced
      #expect(isWhole || harness.reconnects)
    }
    for place in bytes.indices {
      check(Array(bytes[..<place]))
      for other in [UInt8(0), 0x22, 0x2c, 0x30, 0x5d, 0x7d, 0x80, 0xff]
      where other != bytes[place] {
        var changed = bytes
        changed[place] = other
        check(changed)
      }
    }
  }

  @Test(arguments: [
    "[]", "7", "{}", #"{"products":{}}"#, #"{"products":[7]}"#, #"{"products":[],"products":[]}"#,
    #"{"products":[{"product_id":"A-B"}"#,
  ])
  func `a body that is no list is refused whole`(_ body: String) {
    var harness = live(other)
    harness.receive(#"{"fetched":"\#(Self.path)","status":200,"body":\#(body)}"#)
    #expect(harness.problems == [.malformed] && !harness.reconnects)
    #expect(listing(harness)?.instruments.isEmpty == true)
    #expect(harness.table() == image && harness.book()?.status == .synced)
    #expect(harness.book(other.symbol)?.isKnown == true, "not refused for it")
    harness.wait(17_000)
    harness.wait(1100)
    #expect(requests(harness).count == 1)
  }

  @Test(arguments: [#"{"products":[]}"#, #"{"products":[{},{"product_id":"A B-C"}]}"#])
  func `a list without a product counts as a failed one`(_ body: String) {
    var harness = live(other)
    #expect(listing(harness)?.freshness.state == .waiting)
    harness.receive(#"{"fetched":"\#(Self.path)","status":200,"body":\#(body)}"#)
    #expect(harness.problems == [.venueError] && harness.book(other.symbol)?.isKnown == true)
    #expect(listing(harness)?.freshness.state == .resyncing)
  }

  @Test func `odd products spoil no other`() {
    var harness = live()
    let long = String(repeating: "A", count: 600)
    harness.receive(
      Self.message(
        [
          "{}", Self.row(long), Self.row("A/B"), Self.row("AB"), Self.row("A-B-C"), Self.row("-B"),
          Self.row("A\u{202e}-USD"), #"{"product_id":7,"product_type":[],"status":{}}"#,
          Self.row("BIP-20DEC30-CDE").replacing("SPOT", with: "FUTURE"),
          Self.row("BTC-USDC").replacing(#""alias":"""#, with: #""alias":"BTC-USD""#),
          Self.row("ADA-USD", #","view_only":"true","cancel_only":null,"price":{}"#),
        ]))
    #expect(harness.problems.isEmpty)
    #expect(listing(harness)?.instruments.map { "\($0.symbol) \($0.isOpen)" } == ["ADA-USD true"])
  }

  @Test(arguments: [
    #"{"fetched":"/api/v3/brokerage/market/products/BTC-USD","status":200,"body":{}}"#,
    #"{"fetched":"","status":429}"#,
  ])
  func `the response to another request is ignored`(_ message: String) {
    var harness = live()
    harness.receive(message)
    #expect(harness.effects.isEmpty && harness.table() == image)
  }
}
