// A market without trades yet: its tape is live and empty, and its first trade is new.

import MarketModel
import Testing

@testable import VenueProtocols

struct EmptyTapeTests {
  private static let bitcoin = Subscription(.trades, KrakenHarness.bitcoin)
  private static let ether = Subscription(.trades, KrakenHarness.symbol("ETH/USD"))
  private static let empty = #"{"channel":"trade","type":"snapshot","data":[]}"#
  private static let emptyPartial =
    #"{"table":"trade","action":"partial","filter":{"symbol":"XBTUSD"},"data":[]}"#

  private func news(_ effects: [SessionEffect]) -> [Int64] {
    effects.compactMap {
      guard case .happened(_, .trade(let trade, _, _)) = $0 else { return nil }
      return trade.identifier
    }
  }

  private func reconnect(_ harness: inout KrakenHarness) {
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    harness.receive(KrakenHarness.pairs())
  }

  private func isLiveAndEmpty(_ tape: TapeView?) -> Bool {
    tape?.freshness.state == .live && tape?.trades.isEmpty == true
  }

  @Test func `an empty snapshot makes the tape live, and it is not requested again`() {
    var harness = KrakenHarness(wanting: Self.bitcoin)
    harness.receive(Self.empty)
    #expect(harness.effects == [.changed(Self.bitcoin)] && isLiveAndEmpty(harness.tape()))
    for _ in 0..<30 {
      harness.receive(KrakenHarness.heartbeat)
      harness.wait(1000)
      #expect(!harness.sent.contains { $0.contains("subscribe") })
    }
    #expect(isLiveAndEmpty(harness.tape()))
  }

  @Test func `the first trade after an empty snapshot is shown at once and is news`() {
    var harness = KrakenHarness(wanting: Self.bitcoin)
    harness.receive(Self.empty)
    harness.receive(KrakenHarness.trades("update", "1 buy 100.5 0.1"))
    #expect(news(harness.effects) == [1] && harness.tape()?.trades.count == 1)
    harness.receive(KrakenHarness.trades("update", "2 buy 100.5 0.1"))
    #expect(news(harness.effects) == [2] && harness.sent.isEmpty)
  }

  @Test func `trades that an outage hid from an empty tape are news`() {
    var harness = KrakenHarness(wanting: Self.bitcoin)
    harness.receive(Self.empty)
    reconnect(&harness)
    #expect(harness.tape()?.freshness.state == .waiting)
    harness.receive(KrakenHarness.trades("snapshot", "1 buy 100.5 0.1", "2 sell 100.4 0.2"))
    #expect(news(harness.effects) == [1, 2])
  }

  @Test func `an outage of an empty tape that stays empty is no news`() {
    var harness = KrakenHarness(wanting: Self.bitcoin)
    harness.receive(Self.empty)
    reconnect(&harness)
    harness.receive(Self.empty)
    #expect(news(harness.effects).isEmpty && isLiveAndEmpty(harness.tape()))
  }

  @Test func `an empty snapshot among several pairs belongs to the one that is left`() {
    var harness = KrakenHarness(wanting: Self.bitcoin, Self.ether)
    harness.receive(Self.empty)
    #expect(harness.tape()?.freshness.state == .waiting, "of either")
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.5 0.1", symbol: "ETH/USD"))
    #expect(isLiveAndEmpty(harness.tape()))
    #expect(harness.tape(KrakenHarness.symbol("ETH/USD"))?.trades.count == 1)
    #expect(news(harness.effects).isEmpty)
  }

  @Test func `as many empty snapshots as pairs are one for each`() {
    var harness = KrakenHarness(wanting: Self.bitcoin, Self.ether)
    harness.receive(Self.empty)
    harness.receive(Self.empty)
    #expect(isLiveAndEmpty(harness.tape()))
    #expect(isLiveAndEmpty(harness.tape(KrakenHarness.symbol("ETH/USD"))))
  }

  @Test func `an empty snapshot may be of a pair that is dropped, so it counts for no other`() {
    var harness = KrakenHarness(wanting: Self.bitcoin, Self.ether)
    harness.receive(Self.empty)
    harness.input(.wanted([Self.bitcoin]))
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.5 0.1", symbol: "ETH/USD"))
    #expect(harness.tape()?.freshness.state == .waiting)
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.5 0.1"))
    #expect(harness.tape()?.freshness.state == .live && harness.tape()?.trades.count == 1)
  }

  @Test func `an empty snapshot that nothing waits for changes nothing`() {
    var harness = KrakenHarness(wanting: Self.bitcoin)
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.5 0.1"))
    harness.receive(Self.empty)
    #expect(harness.effects.isEmpty && harness.tape()?.trades.count == 1)
    harness.receive(KrakenHarness.trades("update", "8 buy 100.5 0.1"))
    #expect(news(harness.effects) == [8])
  }

  @Test func `trades of the past that follow an empty snapshot unasked are no news`() {
    var harness = KrakenHarness(wanting: Self.bitcoin)
    harness.receive(Self.empty)
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.5 0.1"))
    #expect(news(harness.effects).isEmpty && harness.tape()?.trades.count == 1)
  }

  @Test func `a quote without a trade is live as soon as the empty snapshot is there`() {
    var harness = KrakenHarness(wanting: Subscription(.quote, KrakenHarness.bitcoin))
    harness.receive(
      KrakenHarness.book(
        "snapshot", bids: "100.4×0.1", asks: "100.6×2", sum: "100.4×0.10000000 | 100.6×2.00000000"))
    harness.receive(Self.empty)
    #expect(harness.quote()?.freshness.state == .live && harness.quote()?.price == nil)
    #expect(harness.quote()?.bid?.description == "100.4")
  }

  @Test func `a follower of Kraken's session learns that a tape is empty`() {
    var harness = KrakenHarness(wanting: Self.bitcoin, Self.ether)
    harness.receive(Self.empty)
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.5 0.1", symbol: "ETH/USD"))
    var follower = KrakenHarness(wanting: Self.bitcoin, Self.ether, until: .opened)
    let request = CheckpointRequest(streams: [Self.bitcoin, Self.ether], isWhole: true)
    for message in harness.session.checkpoint(request) ?? [] {
      follower.receive(bytes: message.bytes)
    }
    #expect(isLiveAndEmpty(follower.tape()))
    follower.receive(KrakenHarness.trades("update", "1 buy 100.5 0.1"))
    #expect(news(follower.effects) == [1])
  }

  @Test func `BitMEX's empty partial makes the tape live, also for a follower`() {
    let trades = Subscription(.trades, SessionHarness.usual)
    let named =
      #"{"table":"instrument","action":"partial","filter":{"symbol":"XBTUSD"},"#
      + #""data":[{"symbol":"XBTUSD","tickSize":0.5}]}"#
    var harness = SessionHarness(wanting: trades)
    harness.receive(named)
    harness.receive(Self.emptyPartial)
    #expect(isLiveAndEmpty(harness.tape()))
    var follower = SessionHarness(wanting: trades)
    let request = CheckpointRequest(streams: [trades], isWhole: false)
    for message in harness.session.checkpoint(request) ?? [] {
      follower.receive(bytes: message.bytes)
    }
    #expect(isLiveAndEmpty(follower.tape()))
    for session in [harness, follower] {
      var session = session
      session.receive(Wire.trades("insert", "36:33.432 Buy 32184 100"))
      #expect(session.tape()?.trades.count == 1)
      #expect(session.effects.contains { if case .happened = $0 { true } else { false } })
    }
  }
}
