// The venue's pairs as a stream: the instrument channel's data while it is valid.

import MarketModel
import Testing

@testable import VenueProtocols

struct KrakenListingTests {
  private static let usual = [("BTC/USD", 1, 8), ("AAPLx/USD", 2, 8), ("ADA/EUR", 6, 8)]

  private func listing(_ harness: KrakenHarness) -> VenueListing? {
    let now = ClockReading(milliseconds: harness.milliseconds)
    guard case .listing(let listing)? = harness.session.value(for: .listing, at: now) else {
      return nil
    }
    return listing
  }

  private func listed() -> KrakenHarness {
    var harness = KrakenHarness(wanting: .listing, until: .greeted)
    harness.receive(KrakenHarness.pairs(Self.usual))
    return harness
  }

  @Test func `the list alone asks for the instrument channel, tokens included, and nothing else`() {
    let harness = KrakenHarness(wanting: .listing, until: .greeted)
    #expect(harness.sent == ["subscribe instrument"])
    let texts = harness.effects.compactMap { effect in
      if case .send(let message) = effect {
        String(decoding: message.bytes, as: UTF8.self)
      } else {
        nil
      }
    }
    #expect(texts.first?.contains(#""include_tokenized_assets":true"#) == true)
    #expect(listing(harness)?.freshness.state == .waiting)
    #expect(listing(harness)?.instruments.isEmpty == true)
    var later = harness
    later.receive(KrakenHarness.pairs())
    #expect(later.sent.isEmpty, "nothing of single pairs is asked for")
    #expect(later.problems.isEmpty, "the list itself is no pair that is missing")
  }

  @Test func `every pair is there, by symbol, and tokens are called so`() {
    let harness = listed()
    #expect(harness.effects == [.changed(.listing)])
    #expect(
      listing(harness)?.instruments == [
        instrument("AAPLx/USD", "AAPLx", "USD", .token), instrument("ADA/EUR", "ADA", "EUR"),
        instrument("BTC/USD", "BTC", "USD"),
      ])
    #expect(listing(harness)?.freshness.state == .live)
  }

  @Test func `a pair that opens or closes changes the list, a mere precision does not`() {
    var harness = listed()
    harness.receive(KrakenHarness.pairs([("ADA/EUR", 6, 8)], type: "update", status: "delisted"))
    #expect(harness.effects.contains(.changed(.listing)))
    #expect(listing(harness)?.instruments[1] == instrument("ADA/EUR", "ADA", "EUR", isOpen: false))
    #expect(listing(harness)?.instruments.count == 3, "an update takes nothing away")
    harness.receive(KrakenHarness.pairs([("BTC/USD", 2, 8)], type: "update"))
    #expect(!harness.effects.contains(.changed(.listing)))
  }

  @Test func `without a subscription the list is not sent`() {
    var harness = KrakenHarness(wanting: Subscription(.trades, KrakenHarness.bitcoin))
    harness.receive(KrakenHarness.pairs([("BTC/USD", 1, 8)], type: "update", status: "delisted"))
    #expect(!harness.effects.contains(.changed(.listing)))
  }

  @Test func `after an outage the list is valid only when it has arrived again`() {
    var harness = listed()
    harness.input(.closed)
    #expect(harness.effects.contains(.changed(.listing)))
    #expect(listing(harness)?.freshness.state == .disconnected)
    #expect(listing(harness)?.instruments.count == 3, "it stays in sight")
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    #expect(listing(harness)?.freshness.state == .resyncing)
    harness.receive(KrakenHarness.pairs([("BTC/USD", 1, 8)]))
    #expect(listing(harness)?.freshness.state == .live)
    #expect(listing(harness)?.instruments == [instrument("BTC/USD", "BTC", "USD")])
  }

  @Test func `an unreadable list is requested again and invalid until it has arrived`() {
    var harness = listed()
    harness.receive(#"{"channel":"instrument","type":"update","data":{"pairs":[}"#)
    #expect(harness.effects.contains(.changed(.listing)))
    #expect(harness.sent == ["unsubscribe instrument", "subscribe instrument"])
    #expect(listing(harness)?.freshness.state == .resyncing)
    harness.receive(KrakenHarness.pairs(Self.usual))
    #expect(listing(harness)?.freshness.state == .live)
  }

  @Test func `maintenance closes the list, the end of it opens it`() {
    var harness = listed()
    harness.receive(KrakenHarness.maintenance)
    #expect(listing(harness)?.freshness.state == .closed)
    #expect(harness.effects.contains(.changed(.listing)))
  }

  @Test func `1,400 pairs are read within 50 ms, and more than can have numbers are left out`() {
    let rows = (0..<1400).map { ("C\($0)/USD", 4, 8) }
    var harness = KrakenHarness(wanting: .listing, until: .greeted)
    let message = KrakenHarness.pairs(rows)
    let duration = ContinuousClock().measure { harness.receive(message) }
    #expect(duration < .milliseconds(50) || isDebug, "\(duration)")
    #expect(listing(harness)?.instruments.count == 1400)
    harness.receive(KrakenHarness.pairs((0..<9000).map { ("D\($0)/USD", 4, 8) }))
    #expect(listing(harness)?.instruments.count == SymbolTable.maximumCount)
    harness.receive(KrakenHarness.pairs((0..<9000).map { ("E\($0)/USD", 4, 8) }, type: "update"))
    #expect(listing(harness)?.instruments.count == SymbolTable.maximumCount)
  }

  @Test func `hostile pairs spoil no other`() {
    var harness = KrakenHarness(wanting: .listing, until: .greeted)
    let long = String(repeating: "A", count: 100)
    harness.receive(
      #"{"channel":"instrument","type":"snapshot","data":{"assets":[{"id":null}],"pairs":["#
        + #"{"symbol":7,"qty_precision":1,"price_precision":1},{},"#
        + #"{"symbol":"\#(long)","qty_precision":1,"price_precision":1},"#
        + #"{"symbol":"A B/USD","qty_precision":1,"price_precision":1},"#
        + #"{"symbol":"///","qty_precision":1,"price_precision":1,"status":[]},"#
        + #"{"symbol":"x","qty_precision":1,"price_precision":1},"#
        + #"{"symbol":"ETH/USD","qty_precision":8,"price_precision":2}]}}"#)
    #expect(listing(harness)?.instruments.map(\.symbol.text) == ["ETH/USD"])
    #expect(skipped(harness) == [6], "counted")
  }

  private func skipped(_ harness: KrakenHarness) -> [Int] {
    harness.effects.compactMap { if case .skipped(let count) = $0 { count } else { nil } }
  }

  @Test func `pairs whose names or rows can't be read are counted, each once`() {
    var harness = KrakenHarness(wanting: .listing, until: .greeted)
    let hanzi = #"{"symbol":"币安人生/USD","qty_precision":8,"price_precision":2}"#
    let odd = #"{"symbol":"ODD/USD","qty_precision":8,"price_precision":99}"#
    let good = #"{"symbol":"ETH/USD","qty_precision":8,"price_precision":2}"#
    func pairs(_ rows: String..., type: String = "snapshot") -> String {
      #"{"channel":"instrument","type":"\#(type)","data":{"assets":[],"pairs":["#
        + rows.joined(separator: ",") + "]}}"
    }
    harness.receive(pairs(hanzi, odd, "{}", good))
    #expect(skipped(harness) == [3] && listing(harness)?.instruments.count == 1)
    harness.receive(pairs(hanzi, type: "update"))
    #expect(skipped(harness).isEmpty, "known by its name")
    harness.receive(pairs(odd.replacing("99", with: "4"), type: "update"))
    #expect(skipped(harness) == [2] && listing(harness)?.instruments.count == 2)
    harness.receive(pairs(good))
    #expect(skipped(harness) == [0])
  }

  @Test func `a follower counts the pairs that are left out, too`() {
    var harness = KrakenHarness(wanting: .listing, until: .greeted)
    harness.receive(
      #"{"channel":"instrument","type":"snapshot","data":{"pairs":[{},{"symbol":"币安人生/USD"},"#
        + #"{"symbol":"ETH/USD","qty_precision":8,"price_precision":2}]}}"#)
    var follower = KrakenHarness(wanting: .listing, until: .opened)
    let request = CheckpointRequest(streams: [.listing], isWhole: true)
    var counts: [Int] = []
    for message in harness.session.checkpoint(request) ?? [] {
      follower.receive(bytes: message.bytes)
      counts += skipped(follower)
    }
    #expect(counts == [2] && listing(follower)?.instruments.map(\.symbol.text) == ["ETH/USD"])
  }

  @Test func `pairs beyond those that can be listed count as left out, up to a bound`() {
    var harness = KrakenHarness(wanting: .listing, until: .greeted)
    harness.receive(KrakenHarness.pairs((0..<9000).map { ("D\($0)/USD", 4, 8) }))
    #expect(skipped(harness) == [9000 - SymbolTable.maximumCount])
    let nameless = Array(repeating: "{}", count: 20_000).joined(separator: ",")
    harness.receive(#"{"channel":"instrument","type":"snapshot","data":{"pairs":[\#(nameless)]}}"#)
    #expect(skipped(harness) == [SkippedListings.maximumCount])
  }

  @Test func `a venue that gives no list has none`() {
    let session = BitMEXSession(origin: .simulated)
    #expect(session.value(for: .listing, at: ClockReading(milliseconds: 0)) == nil)
  }

  private var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  private func instrument(
    _ symbol: String, _ base: String, _ quote: String, _ kind: InstrumentKind = .spot,
    isOpen: Bool = true
  ) -> ListedInstrument {
    ListedInstrument(
      symbol: KrakenHarness.symbol(symbol), base: base, quote: quote, kind: kind, isOpen: isOpen)
  }
}
