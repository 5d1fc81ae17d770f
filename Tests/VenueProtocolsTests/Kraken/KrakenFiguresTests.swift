// The day's figures of Kraken's ticker channel: exact, dated, never made younger by a snapshot, and
// gone with the connection.

import MarketModel
import Testing

@testable import VenueProtocols

struct KrakenFiguresTests {
  private let figures = Subscription(.figures, KrakenHarness.bitcoin)

  private static func row(_ last: String = "105899.4", time: String = "2026-11-21T08:00:00.000001Z")
    -> String
  {
    #"{"symbol":"BTC/USD","bid":105944.2,"bid_qty":2.5,"ask":105944.3,"ask_qty":3.2,"#
      + #""last":\#(last),"volume":163.28908096,"vwap":105904.39279,"low":104711.0,"#
      + #""high":106613.1,"change":250.0,"change_pct":0.24,"trades":38144,"#
      + #""timestamp":"\#(time)"}"#
  }

  private static func ticker(_ type: String, _ rows: String...) -> String {
    #"{"channel":"ticker","type":"\#(type)","data":[\#(rows.joined(separator: ","))]}"#
  }

  private func decimal(_ text: String) throws -> FixedDecimal {
    var offset = 0
    return try #require(DecimalParser.parse(Array(text.utf8).span, from: &offset))
  }

  private func live() -> KrakenHarness {
    var harness = KrakenHarness(wanting: figures)
    harness.receive(Self.ticker("snapshot", Self.row()))
    return harness
  }

  @Test func `the venue's own example is read figure by figure`() throws {
    var harness = KrakenHarness(wanting: figures)
    harness.wall = Timestamp(iso8601: "2022-12-25T09:31:00.000Z")
    harness.receive(try KrakenPayloads.ticker())
    #expect(harness.effects == [.changed(figures)])
    let found = try #require(harness.figures())
    #expect(try found.last == decimal("105899.4") && found.window == .last24Hours)
    #expect(try found.change == decimal("250.0"))
    #expect(try found.changePercent == decimal("0.24"))
    #expect(try found.high == decimal("106613.1") && found.low == decimal("104711.0"))
    #expect(try found.volume == decimal("163.28908096"))
    #expect(try found.vwap == decimal("105904.39279") && found.trades == nil)
    #expect(try found.bid == decimal("105944.2") && found.bidSize == decimal("2.5"))
    #expect(try found.ask == decimal("105944.3") && found.askSize == decimal("3.2"))
    #expect(found.at == Timestamp(iso8601: "2022-12-25T09:30:59.123456Z"))
    #expect(found.freshness.state == .live && found.freshness.confirmedAt == harness.now)
  }

  @Test func `figures are subscribed by best bid and ask, and dropped when not needed`() {
    var harness = KrakenHarness(wanting: figures)
    #expect(harness.sent == ["subscribe ticker BTC/USD"])
    guard case .send(let message)? = harness.effects.last else {
      Issue.record("nothing was sent")
      return
    }
    let text = String(decoding: message.bytes, as: UTF8.self)
    #expect(text.contains(#""event_trigger":"bbo""#), "\(text)")
    harness.receive(Self.ticker("snapshot", Self.row()))
    harness.input(.wanted([]))
    #expect(harness.sent.contains("unsubscribe ticker BTC/USD"))
    harness.receive(Self.ticker("update", Self.row("1.0")))
    #expect(harness.effects.isEmpty)
    #expect(harness.figures()?.last == nil && harness.figures()?.freshness.state == .waiting)
  }

  @Test func `book, trades and figures of a pair are three subscriptions`() {
    let harness = KrakenHarness(
      wanting: figures, Subscription(.book, KrakenHarness.bitcoin),
      Subscription(.trades, KrakenHarness.bitcoin))
    #expect(
      harness.sent == [
        "subscribe book BTC/USD 100", "subscribe trade BTC/USD", "subscribe ticker BTC/USD",
      ])
  }

  @Test func `only a change of the last price that came as an update counts as a change`() {
    var harness = live()
    #expect(harness.figures()?.changes == 0)
    harness.receive(Self.ticker("update", Self.row()))
    #expect(harness.figures()?.changes == 0, "a new bid is no new price")
    harness.receive(Self.ticker("update", Self.row("105900.0")))
    #expect(harness.figures()?.changes == 1 && harness.figures()?.direction == .up)
    harness.receive(Self.ticker("snapshot", Self.row("105000.0")))
    #expect(harness.figures()?.changes == 1 && harness.figures()?.direction == .unchanged)
    harness.receive(Self.ticker("update", Self.row("104999.9")))
    #expect(harness.figures()?.changes == 2 && harness.figures()?.direction == .down)
  }

  @Test func `after an outage the figures are not live before the new snapshot`() {
    var harness = live()
    harness.input(.closed)
    #expect(harness.effects == [.changed(figures)])
    #expect(harness.figures()?.freshness.state == .disconnected)
    #expect(harness.figures()?.last != nil, "what was known stays visible")
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    harness.receive(KrakenHarness.pairs())
    #expect(harness.sent == ["subscribe ticker BTC/USD"])
    #expect(harness.figures()?.freshness.state == .resyncing)
    harness.receive(Self.ticker("update", Self.row("1.0")))
    #expect(harness.effects.isEmpty, "what comes before the snapshot is dropped")
    harness.receive(Self.ticker("snapshot", Self.row()))
    #expect(harness.figures()?.freshness.state == .live)
    #expect(harness.figures()?.at == Timestamp(iso8601: "2026-11-21T08:00:00.000001Z"))
  }

  @Test func `a missing snapshot is requested again`() {
    var harness = KrakenHarness(wanting: figures)
    for _ in 0..<9 {
      harness.receive(KrakenHarness.heartbeat)
      harness.wait(1000)
      #expect(harness.sent.isEmpty)
    }
    harness.receive(KrakenHarness.heartbeat)
    harness.wait(1000)
    #expect(harness.sent == ["unsubscribe ticker BTC/USD", "subscribe ticker BTC/USD"])
  }

  @Test func `a refusal makes the figures unknown and leaves the book alone`() {
    var harness = KrakenHarness(wanting: figures, Subscription(.book, KrakenHarness.bitcoin))
    harness.receive(
      #"{"error":"Something else","method":"subscribe","success":false,"#
        + #""symbol":"BTC/USD","req_id":\#(4 * 3 + 3)}"#)
    #expect(harness.problems == [.venueError])
    #expect(harness.effects.contains(.changed(figures)))
    #expect(!harness.effects.contains(.changed(Subscription(.book, KrakenHarness.bitcoin))))
    #expect(harness.figures()?.freshness.state == .waiting)
  }

  @Test func `a null figure, or a price of 0, is absent`() {
    var harness = KrakenHarness(wanting: figures)
    harness.receive(
      Self.ticker(
        "snapshot",
        #"{"symbol":"BTC/USD","bid":null,"bid_qty":null,"ask":0.0,"ask_qty":0,"last":0,"#
          + #""volume":0,"vwap":0,"low":0,"high":0,"change":0,"change_pct":null}"#))
    let found = harness.figures()
    #expect(found?.bid == nil && found?.ask == nil && found?.last == nil && found?.high == nil)
    #expect(found?.changePercent == nil && found?.volume?.units == 0)
    #expect(found?.freshness.state == .live)
  }

  @Test func `a time that cannot be is not shown, the figures are`() {
    var harness = KrakenHarness(wanting: figures)
    harness.wall = Timestamp(iso8601: "2026-11-21T08:00:00.000Z")
    harness.receive(Self.ticker("snapshot", Self.row(time: "2026-11-21T08:01:00.000Z")))
    #expect(harness.figures()?.at == nil && harness.figures()?.last != nil)
  }

  @Test func `a venue without such figures has no such stream`() {
    var session = BitMEXSession(origin: .venue)
    let stream = Subscription(.figures, Symbol(known: "XBTUSD"))
    let now = ClockReading(milliseconds: 0)
    #expect(session.handle(.wanted([stream]), at: now).isEmpty)
    #expect(session.value(for: stream, at: now) == nil)
  }

  @Test func `a row of an unsubscribed pair is skipped unread`() {
    var harness = live()
    harness.receive(
      Self.ticker("update", #"{"symbol":"ETH/USD","last":"odd"}"#, Self.row("105900.0")))
    #expect(harness.effects == [.changed(figures)] && harness.figures()?.changes == 1)
  }

  @Test(arguments: [
    ("no symbol", #""symbol":"BTC/USD","#, ""),
    ("a negative price", "105899.4", "-105899.4"), ("a negative volume", "163.28", "-163.28"),
    ("a string", "105899.4", #""105899.4""#), ("a huge number", "105899.4", "1e400"),
    ("a key twice", #""trades":38144"#, #""trades":38144,"trades":38144"#),
    ("the symbol twice", #""bid":105944.2"#, #""symbol":"BTC/USD","bid":105944.2"#),
    ("a count of minus one", "38144", "-1"), ("half a trade", "38144", "0.5"),
    ("a low above the high", "104711.0", "106613.2"), ("no time", "2026-11-21T08", "yesterday"),
    ("no object", #"{"symbol""#, #"[{"symbol""#),
  ])
  func `invalid figures are rejected whole, and requested again`(
    _ what: String, _ right: String, _ wrong: String
  ) {
    var harness = live()
    let text = Self.ticker("update", Self.row("105900.0"))
      .replacing("105900.0", with: "105899.4").replacing(right, with: wrong)
    harness.receive(text)
    #expect(harness.problems == [.malformed], "\(what)")
    #expect(harness.sent == ["unsubscribe ticker BTC/USD", "subscribe ticker BTC/USD"], "\(what)")
    #expect(harness.figures()?.freshness.state == .resyncing, "\(what)")
  }

  @Test func `a ticker message cut at any byte is rejected whole`() {
    let bytes = Array(Self.ticker("update", Self.row("1.0")).utf8)
    let start = live()
    for end in bytes.indices {
      var harness = start
      harness.receive(bytes: Array(bytes[..<end]))
      #expect(harness.problems.first == .malformed, "cut at \(end)")
      #expect(harness.figures()?.last == start.figures()?.last, "cut at \(end)")
    }
  }

  @Test func `a ticker message with any byte changed never traps`() {
    let bytes = Array(Self.ticker("update", Self.row("105900.0")).utf8)
    let start = live()
    for place in bytes.indices {
      for other in [UInt8(0), 0x22, 0x2d, 0x39, 0x65, 0x7d, 0x80, 0xff, bytes[place] ^ 1]
      where other != bytes[place] {
        var harness = start
        var changed = bytes
        changed[place] = other
        harness.receive(bytes: changed)
        guard let found = harness.figures(), let high = found.high, let low = found.low else {
          continue
        }
        #expect(low <= high, "byte \(place) is \(other)")
      }
    }
  }
}
