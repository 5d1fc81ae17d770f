// The life of a Kraken connection: welcome, pairs, subscriptions, responses, pings, maintenance.

import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

struct KrakenSessionTests {
  private let book = Subscription(.book, KrakenHarness.bitcoin)
  private let trades = Subscription(.trades, KrakenHarness.bitcoin)
  private let quote = Subscription(.quote, KrakenHarness.bitcoin)
  private let image = "100.5×0.10000000 99.0×2.00000000 | 101.0×1.50000000"

  private func synced(_ wanted: Subscription...) -> KrakenHarness {
    var harness = KrakenHarness(until: .wanting)
    harness.input(.wanted(Set(wanted)))
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    harness.receive(KrakenHarness.pairs())
    harness.receive(snapshot)
    return harness
  }

  private var snapshot: String {
    KrakenHarness.book(
      "snapshot", bids: "100.5×0.10000000 99.0×2.00000000", asks: "101.0×1.50000000", sum: image)
  }

  @Test func `the pairs are requested at the welcome, books and trades when they are listed`() {
    var harness = KrakenHarness(wanting: book, trades, until: .opened)
    #expect(harness.effects.isEmpty)
    harness.receive(KrakenHarness.online)
    #expect(harness.effects.first == .ready)
    #expect(harness.sent == ["subscribe instrument"])
    harness.receive(KrakenHarness.pairs())
    #expect(harness.sent == ["subscribe book BTC/USD 100", "subscribe trade BTC/USD"])
  }

  @Test func `pairs of one channel share a request`() {
    let ether = Subscription(.book, KrakenHarness.symbol("ETH/USD"))
    let harness = KrakenHarness(wanting: book, ether)
    #expect(harness.sent == ["subscribe book BTC/USD,ETH/USD 100"])
  }

  @Test func `a snapshot and its updates make a book`() {
    var harness = synced(book)
    #expect(harness.effects == [.changed(book)])
    #expect(harness.table() == image && harness.book()?.status == .synced)
    #expect(harness.book()?.freshness.state == .live)
    let next = "100.5×0.10000000 98.0×0.00000001 | 101.0×3.25000000 101.1×1.00000000"
    harness.receive(
      KrakenHarness.book(
        "update", bids: "99.0×0 98.0×1e-8", asks: "101.1×1.0 101.0×3.25", sum: next))
    #expect(harness.table() == next && harness.book()?.status == .synced)
    #expect(harness.book()?.priceDecimals.digits == 1)
    #expect(harness.book()?.quantityScale.digits == 8)
  }

  @Test func `a snapshot that comes twice, or unasked, is the book from then on`() {
    var harness = synced(book)
    let other = "100.4×3.00000000 | 100.9×4.00000000"
    for table in [image, image, other, other] {
      let sides = table.split(separator: "|").map(String.init)
      harness.receive(KrakenHarness.book("snapshot", bids: sides[0], asks: sides[1], sum: table))
      #expect(harness.table() == table && harness.book()?.status == .synced)
      #expect(harness.book()?.freshness.state == .live)
    }
    #expect(harness.problems.isEmpty)
  }

  @Test func `numbers may be spelled with an exponent as long as they are exact`() {
    var harness = synced(book)
    let next = "100.5×12.00000000 99.0×2.00000000 | 101.0×1.50000000"
    harness.receive(KrakenHarness.book("update", bids: "1005e-1×1.2E+1", sum: next))
    #expect(harness.table() == next && harness.book()?.resyncs == 0)
    harness.receive(KrakenHarness.book("update", bids: "1005e-1×1e-9", sum: next))
    #expect(harness.problems.first == .malformed)
    #expect(harness.book()?.status == .resyncing)
  }

  @Test func `a wrong checksum means one resubscription and no live book meanwhile`() {
    var harness = synced(book)
    harness.receive(KrakenHarness.book("update", bids: "100.5×0.2", sum: image))
    #expect(harness.effects.contains(.resynced(book)))
    #expect(harness.sent == ["unsubscribe book BTC/USD 100", "subscribe book BTC/USD 100"])
    #expect(harness.book()?.status == .resyncing && harness.book()?.resyncs == 1)
    harness.receive(KrakenHarness.book("update", bids: "100.5×0.3", sum: image))
    #expect(harness.effects.isEmpty, "what comes before the snapshot is dropped")
    #expect(harness.book()?.freshness.state == .resyncing)
    harness.receive(snapshot)
    #expect(harness.table() == image && harness.book()?.freshness.state == .live)
  }

  @Test func `a book beyond repair costs the connection`() {
    var harness = synced(book)
    var reconnects = 0
    for _ in 0..<4 {
      harness.receive(KrakenHarness.book("update", bids: "100.5×0.2", sum: image))
      for case .reconnect in harness.effects { reconnects += 1 }
      harness.receive(snapshot)
    }
    #expect(reconnects == 1)
  }

  @Test func `more levels than requested are cut to the depth`() {
    var harness = KrakenHarness(wanting: book)
    let bids = (0..<150).map { "\(1000 - $0).0×1.00000000" }.joined(separator: " ")
    let sum = bids + " | 1001.0×1.00000000"
    harness.receive(KrakenHarness.book("snapshot", bids: bids, asks: "1001.0×1.00000000", sum: sum))
    #expect(harness.book()?.bidLevels == 100 && harness.book()?.status == .synced)
    harness.receive(
      #"{"method":"subscribe","result":{"channel":"book","depth":10,"symbol":"BTC/USD"},"#
        + #""success":true}"#
    )
    harness.receive(KrakenHarness.book("update", bids: "999.0×1.00000000", sum: sum))
    #expect(harness.book()?.bidLevels == 10, "the venue granted less")
  }

  @Test func `a crossed book is invalid, whatever its checksum`() {
    var harness = synced(book)
    let crossed = "102.0×1.00000000 100.5×0.10000000 99.0×2.00000000 | 101.0×1.50000000"
    harness.receive(KrakenHarness.book("update", bids: "102.0×1.0", sum: crossed))
    #expect(harness.book()?.status == .resyncing)
    #expect(harness.effects.contains(.resynced(book)))
  }

  @Test func `an unknown pair is shown as unknown, without a request`() {
    let odd = Subscription(.book, KrakenHarness.symbol("ABC/XYZ"))
    let harness = KrakenHarness(wanting: odd, book)
    #expect(harness.problems == [.unknownSymbol])
    #expect(harness.effects.contains(.changed(odd)))
    #expect(harness.sent == ["subscribe book BTC/USD 100"])
    #expect(harness.book(odd.symbol)?.isKnown == false)
  }

  @Test(arguments: ["snapshot", "update"])
  func `a pair that is listed after all is requested`(type: String) {
    let odd = Subscription(.book, KrakenHarness.symbol("ABC/XYZ"))
    var harness = KrakenHarness(wanting: odd, book)
    harness.receive(KrakenHarness.pairs([("BTC/USD", 1, 8), ("ABC/XYZ", 2, 8)], type: type))
    #expect(harness.sent == ["subscribe book ABC/XYZ 100"])
    #expect(harness.book(odd.symbol)?.isKnown == true)
    #expect(harness.effects.contains(.changed(odd)))
    harness.receive(
      #"{"error":"Currency pair not supported ABC/XYZ","method":"subscribe","success":false,"#
        + #""symbol":"ABC/XYZ","req_id":9,"time_in":"x","time_out":"y"}"#)
    harness.receive(KrakenHarness.pairs([("ABC/XYZ", 2, 8)], type: "update"))
    #expect(harness.sent.isEmpty, "the venue's own refusal stands")
    #expect(harness.book(odd.symbol)?.isKnown == false)
  }

  @Test func `a refusal names the symbol and its request the channel`() {
    var harness = KrakenHarness(wanting: book, trades)
    // The book was the second request of this connection: 2 × 4 + the channel's number.
    harness.receive(
      #"{"error":"Currency pair not supported BTC/USD","method":"subscribe","success":false,"#
        + #""symbol":"BTC/USD","req_id":9,"time_in":"x","time_out":"y"}"#)
    #expect(harness.problems == [.unknownSymbol])
    #expect(harness.effects.contains(.changed(book)) && !harness.effects.contains(.changed(trades)))
    #expect(harness.book()?.isKnown == false && harness.tape()?.isKnown == true)
    harness.input(.wanted([trades]))
    harness.input(.wanted([trades, book]))
    #expect(harness.sent == ["subscribe book BTC/USD 100"], "wanted anew, asked anew")
  }

  @Test(arguments: [
    ("Already subscribed", "subscribe", 0), ("Subscription Not Found", "unsubscribe", 0),
    ("Something else", "unsubscribe", 1),
  ])
  func `answers that change nothing`(_ text: String, _ method: String, _ problems: Int) {
    var harness = synced(book)
    harness.receive(
      #"{"error":"\#(text)","method":"\#(method)","success":false,"symbol":"BTC/USD"}"#)
    #expect(harness.problems.count == problems)
    #expect(harness.book()?.status == .synced)
  }

  @Test func `too many messages pause subscriptions, not the connection`() {
    var harness = synced(book)
    harness.receive(#"{"error":"Exceeded msg rate","method":"subscribe","success":false}"#)
    #expect(harness.problems == [.rateLimited(retryAfterSeconds: nil)])
    #expect(!harness.effects.contains { if case .reconnect = $0 { true } else { false } })
    #expect(harness.book()?.status == .synced)
  }

  @Test func `what is not wanted any more is unsubscribed`() {
    var harness = synced(book)
    harness.input(.wanted([trades]))
    #expect(harness.sent == ["unsubscribe book BTC/USD 100", "subscribe trade BTC/USD"])
    harness.input(.wanted([]))
    #expect(harness.sent == ["unsubscribe instrument", "unsubscribe trade BTC/USD"])
  }

  @Test func `after a reconnect everything subscribed is requested once, the book waits`() {
    var harness = synced(book)
    harness.input(.closed)
    #expect(harness.effects == [.changed(book)])
    #expect(harness.book()?.freshness.state == .disconnected && harness.table() == image)
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    #expect(harness.sent == ["subscribe instrument"])
    #expect(harness.book()?.status == .resyncing)
    harness.receive(KrakenHarness.pairs())
    #expect(harness.sent == ["subscribe book BTC/USD 100"])
    harness.receive(snapshot)
    #expect(harness.book()?.status == .synced)
  }

  @Test func `a new precision restarts the book`() {
    var harness = synced(book)
    harness.receive(KrakenHarness.pairs([("BTC/USD", 2, 8)], type: "update"))
    #expect(harness.sent == ["unsubscribe book BTC/USD 100", "subscribe book BTC/USD 100"])
    #expect(harness.table() == " | " && harness.book()?.freshness.state == .waiting)
    let next = "100.55×0.10000000 | 101.00×1.50000000"
    harness.receive(
      KrakenHarness.book("snapshot", bids: "100.55×0.1", asks: "101.00×1.5", sum: next))
    #expect(harness.table() == next && harness.book()?.status == .synced)
  }

  @Test func `maintenance closes the market, its end resubscribes everything`() {
    var harness = synced(book)
    harness.receive(KrakenHarness.maintenance)
    #expect(harness.effects.contains(.changed(book)) && harness.problems == [.venueError])
    #expect(harness.book()?.freshness.state == .closed)
    #expect(harness.wait(60_000).allSatisfy { if case .send = $0 { true } else { false } })
    harness.receive(KrakenHarness.maintenance)
    #expect(harness.effects.isEmpty, "said once")
    harness.receive(KrakenHarness.online)
    #expect(harness.sent.contains("subscribe book BTC/USD 100"))
    #expect(harness.book()?.status == .resyncing)
    harness.receive(KrakenHarness.pairs())
    harness.receive(snapshot)
    #expect(harness.book()?.freshness.state == .live)
  }

  @Test(arguments: ["cancel_only", "post_only", "limit_only", "something_new"])
  func `other states of the engine leave the data alone`(_ system: String) {
    var harness = KrakenHarness(wanting: book, until: .opened)
    harness.receive(KrakenHarness.online.replacing("online", with: system))
    #expect(harness.effects.first == .ready && harness.sent == ["subscribe instrument"])
  }

  @Test func `a connection that starts in maintenance is ready and waits`() {
    var harness = KrakenHarness(wanting: book, until: .opened)
    harness.receive(KrakenHarness.maintenance)
    #expect(harness.effects.first == .ready && harness.sent.isEmpty)
    harness.receive(KrakenHarness.online)
    #expect(harness.sent == ["subscribe instrument"])
  }

  @Test func `a closed pair is marked as closed`() {
    var harness = synced(book)
    harness.receive(KrakenHarness.pairs([("BTC/USD", 1, 8)], type: "update", status: "maintenance"))
    #expect(harness.effects == [.changed(book)])
    #expect(harness.book()?.freshness.state == .closed)
    harness.receive(KrakenHarness.pairs([("BTC/USD", 1, 8)], type: "update"))
    #expect(harness.book()?.freshness.state == .live)
  }

  @Test func `the client speaks every twenty seconds`() {
    var harness = synced(book)
    #expect(harness.wait(15_000).isEmpty)
    #expect(harness.wait(6000) == [.send(OutboundMessage(text: #"{"method":"ping"}"#))])
    #expect(harness.wait(250).isEmpty)
    harness.receive(#"{"method":"pong","time_in":"x","time_out":"y"}"#)
    #expect(harness.effects == [.pong])
  }

  @Test func `a venue that only answers pings makes no book live again`() {
    var harness = synced(book)
    harness.milliseconds += 5000
    #expect(harness.book()?.freshness.state == .late)
    harness.receive(#"{"method":"pong","time_in":"x","time_out":"y"}"#)
    #expect(harness.book()?.freshness.state == .late)
    harness.milliseconds += 5500
    harness.receive(#"{"method":"pong","time_in":"x","time_out":"y"}"#)
    #expect(harness.book()?.freshness.state == .stale)
    harness.receive(KrakenHarness.heartbeat)
    #expect(harness.book()?.freshness.state != .stale)
  }

  @Test func `no greeting within ten seconds ends the connection`() {
    var harness = KrakenHarness(wanting: book, until: .opened)
    #expect(harness.wait(9000).isEmpty)
    #expect(harness.wait(1500).count == 1)
    #expect(harness.problems == [.inconsistent])
  }

  @Test func `overdue pairs and snapshots are requested again`() {
    var harness = KrakenHarness(wanting: book, trades, until: .greeted)
    harness.wait(10_500)
    #expect(harness.sent == ["unsubscribe instrument", "subscribe instrument"])
    harness.receive(KrakenHarness.pairs())
    harness.wait(10_500)
    #expect(
      harness.sent == [
        "unsubscribe book BTC/USD 100", "subscribe book BTC/USD 100",
        "unsubscribe trade BTC/USD", "subscribe trade BTC/USD",
      ])
  }

  @Test func `a list without a subscribed pair is requested again, after doubling pauses`() {
    let odd = Subscription(.book, KrakenHarness.symbol("ABC/XYZ"))
    var harness = KrakenHarness(wanting: odd)
    harness.wait(9000)
    #expect(harness.sent.isEmpty)
    harness.wait(1500)
    #expect(harness.sent == ["unsubscribe instrument", "subscribe instrument"])
    harness.receive(KrakenHarness.pairs())
    #expect(harness.problems.isEmpty, "said once")
    harness.wait(19_000)
    #expect(harness.sent.isEmpty)
    harness.wait(1500)
    #expect(harness.sent == ["unsubscribe instrument", "subscribe instrument"])
    harness.receive(KrakenHarness.pairs([("ABC/XYZ", 2, 8)]))
    #expect(harness.sent == ["subscribe book ABC/XYZ 100"])
    harness.receive(
      KrakenHarness.book(
        "snapshot", bids: "1.00×1.00000000", asks: "2.00×1.00000000",
        sum: "1.00×1.00000000 | 2.00×1.00000000", symbol: "ABC/XYZ"))
    harness.wait(100_000)
    #expect(!harness.sent.contains("subscribe instrument"), "nothing is missing any more")
  }

  @Test func `without a subscribed missing pair the list is not requested`() {
    let odd = Subscription(.book, KrakenHarness.symbol("ABC/XYZ"))
    var harness = KrakenHarness(wanting: odd)
    harness.input(.wanted([]))
    harness.wait(100_000)
    #expect(!harness.sent.contains("subscribe instrument"))
  }

  @Test func `a list without a pair ends its book, until the pair is back`() {
    var harness = synced(book)
    harness.receive(KrakenHarness.pairs([("ETH/USD", 2, 8)]))
    #expect(harness.sent == ["unsubscribe book BTC/USD 100"])
    #expect(harness.book()?.isKnown == false)
    harness.wait(10_500)
    #expect(harness.sent == ["unsubscribe instrument", "subscribe instrument"])
    harness.receive(KrakenHarness.pairs())
    #expect(harness.sent == ["subscribe book BTC/USD 100"])
    harness.receive(snapshot)
    #expect(harness.book()?.freshness.state == .live)
  }

  @Test func `a silent book is late while heartbeats come, and stale only without them`() {
    var harness = synced(book)
    for _ in 0..<90 {
      harness.milliseconds += 1000
      harness.receive(KrakenHarness.heartbeat)
    }
    #expect(harness.book()?.freshness.state == .late)
    harness.milliseconds += 20_000
    #expect(harness.book()?.freshness.state == .stale)
  }
}
