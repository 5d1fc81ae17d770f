// The fault table, row by row: a session and the simulated Kraken with one fault in between. A book
// that is shown as live is always the venue's, and recovers in the end.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

struct KrakenFaultTests {
  private static let book = Subscription(.book, KrakenLoop.bitcoin)
  private static let trades = Subscription(.trades, KrakenLoop.bitcoin)
  private static let quote = Subscription(.quote, KrakenLoop.bitcoin)

  private func live(seed: UInt64 = 5) -> KrakenLoop {
    var loop = KrakenLoop(seed: seed, wanting: [Self.book, Self.trades, Self.quote])
    loop.connect()
    loop.run(milliseconds: 10_000)
    return loop
  }

  /// Whether a book that claims to be the venue's has the venue's ten best levels a side.
  private func isHonest(_ loop: KrakenLoop) -> Bool {
    guard let view = loop.book(KrakenLoop.bitcoin), view.status == .synced else { return true }
    let (shown, truth) = (KrakenLoop.table(view), loop.truth(KrakenLoop.bitcoin))
    guard shown.count == 40, truth.count == 40 else { return false }
    return shown[..<10] == truth[..<10] && shown[20..<30] == truth[20..<30]
  }

  private func isRight(_ loop: KrakenLoop) -> Bool {
    let view = loop.book(KrakenLoop.bitcoin)
    return view?.status == .synced && view?.freshness.state == .live
      && KrakenLoop.table(view) == loop.truth(KrakenLoop.bitcoin)
  }

  private func resyncs(_ loop: KrakenLoop) -> Int {
    loop.effects.count { if case .resynced = $0 { true } else { false } }
  }

  @Test func `without faults nothing is ever doubtful`() {
    var loop = live()
    let calm = isRight(loop) && resyncs(loop) == 0
    #expect(calm)
    #expect(loop.tape(KrakenLoop.bitcoin)?.trades.count == 30)
    #expect(loop.quote(KrakenLoop.bitcoin)?.bid != nil)
    #expect(
      loop.sent == [
        #"{"method":"subscribe","params":{"channel":"instrument","include_tokenized_assets":true,"#
          + #""snapshot":true},"req_id":4}"#,
        #"{"method":"subscribe","params":{"channel":"book","symbol":["BTC/USD"],"depth":100,"#
          + #""snapshot":true},"req_id":9}"#,
        #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"],"#
          + #""snapshot":true},"req_id":14}"#,
      ])
    loop.run(milliseconds: 180_000)
    let stays = isRight(loop) && resyncs(loop) == 0
    #expect(stays, "pings keep the connection up")
    #expect(loop.driver.closed.isEmpty)
  }

  enum Fault: String, CaseIterable {
    case dropped, duplicated, cut, bent, swapped
  }

  @Test(arguments: Fault.allCases)
  func `one faulty message at any place leaves an honest book`(_ fault: Fault) {
    let places = [1, 2, 4, 5, 41, 155, 3, 6, 20, 63, 90, 121]
    for place in places.prefix(repetitions(6, all: places.count)) {
      var loop = live(seed: 9)
      let target = place < 8 ? place : loop.messages + place
      if place < 8 { loop = KrakenLoop(seed: 9, wanting: [Self.book, Self.trades]) }
      var waiting: [UInt8]?
      var random = SplitMix64(seed: UInt64(place))
      loop.mischief = { number, bytes in
        if let held = waiting {
          waiting = nil
          return [bytes, held]
        }
        guard number == target else { return [bytes] }
        switch fault {
        case .dropped: return []
        case .duplicated: return [bytes, bytes]
        case .cut: return [Array(bytes.prefix(Int(random.below(Int64(bytes.count)))))]
        case .bent:
          var bent = bytes
          bent[Int(random.below(Int64(bytes.count)))] ^= 1
          return [bent]
        case .swapped:
          waiting = bytes
          return []
        }
      }
      if place < 8 { loop.connect() }
      for _ in 0..<40 {
        loop.run(milliseconds: 250)
        // The next checksum reveals it, so the next book message must have arrived.
        let isHonest = loop.messages < target + 6 || isHonest(loop)
        #expect(isHonest, "\(fault.rawValue) message \(target)")
      }
      // A lost welcome is repaired only by a new connection.
      if loop.book(KrakenLoop.bitcoin)?.sequence == 0 {
        loop.connectAnew()
        loop.run(milliseconds: 5000)
      }
      loop.run(milliseconds: 12_000)
      let (status, isHonest) = (loop.book(KrakenLoop.bitcoin)?.status, isHonest(loop))
      #expect(status == .synced && isHonest, "\(fault.rawValue) message \(target)")
    }
  }

  @Test func `a lost trade is fetched, every trade is reported once`() {
    var loop = live(seed: 21)
    loop.forgetEffects()
    var lost = 0
    loop.mischief = { _, bytes in
      let isTrade = String(decoding: bytes.prefix(40), as: UTF8.self)
        .hasPrefix(#"{"channel":"trade","type":"update""#)
      if isTrade, lost < 3 {
        lost += 1
        return []
      }
      return [bytes]
    }
    loop.run(milliseconds: 120_000)
    #expect(lost == 3)
    let arrivals = loop.effects.compactMap { effect -> UInt64? in
      guard case .happened(_, .trade(let trade, _, _)) = effect else { return nil }
      return trade.arrival
    }
    #expect(arrivals.count > 5 && zip(arrivals, arrivals.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(loop.sent.contains { $0.contains(#"unsubscribe","params":{"channel":"trade""#) })
  }

  @Test func `heartbeats alone keep nothing live for long`() {
    var loop = live()
    loop.mischief = { _, bytes in
      bytes == Array(#"{"channel":"heartbeat"}"#.utf8) ? [bytes] : []
    }
    loop.run(milliseconds: 2000)
    var beats = 0
    while beats < 40 {
      loop.run(milliseconds: 1000)
      loop.hear(#"{"channel":"heartbeat"}"#)
      beats += 1
    }
    let state = loop.book(KrakenLoop.bitcoin)?.freshness.state
    #expect(state == .late)
  }

  @Test func `silence makes everything stale`() {
    var loop = live()
    loop.mischief = { _, _ in [] }
    loop.run(milliseconds: 40_000)
    #expect(loop.book(KrakenLoop.bitcoin)?.freshness.state == .stale)
    #expect(loop.tape(KrakenLoop.bitcoin)?.freshness.state == .stale)
  }

  @Test func `a reconnect during a resync subscribes to each once`() {
    var loop = live()
    loop.mischief = { number, bytes in [bytes] }
    loop.hear(
      #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[],"asks":[],"#
        + #""checksum":1}]}"#, answering: false)
    #expect(loop.book(KrakenLoop.bitcoin)?.status == .resyncing)
    let before = loop.sent.count
    loop.connectAnew()
    loop.run(milliseconds: 5000)
    #expect(loop.sent.count == before + 3)
    let right1 = isRight(loop)
    #expect(right1)
    #expect(loop.tape(KrakenLoop.bitcoin)?.trades.count == 30)
  }

  @Test func `an unsubscription during a resync leaves nothing behind`() {
    var loop = live()
    loop.hear(
      #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[],"asks":[],"#
        + #""checksum":1}]}"#, answering: false)
    loop.want([])
    loop.run(milliseconds: 20_000)
    #expect(loop.book(KrakenLoop.bitcoin)?.bids.isEmpty == true)
    loop.want([Self.book])
    loop.run(milliseconds: 5000)
    let right2 = isRight(loop)
    #expect(right2)
  }

  @Test func `a wall clock that jumps changes nothing`() {
    var loop = live()
    loop.jump(milliseconds: -3_600_000)
    loop.run(milliseconds: 5000)
    let right3 = isRight(loop)
    #expect(right3)
    loop.jump(milliseconds: 7_200_000)
    loop.run(milliseconds: 5000)
    let right4 = isRight(loop)
    #expect(right4)
  }

  @Test func `faults of the venue itself are found by the checksum`() {
    let start = VenueDriver<SimulatedKraken>.start
    var plan = FaultPlan(chances: [.init(.drop, perMillion: 20_000)])
    plan.chances.append(.init(.corrupt, perMillion: 20_000))
    var venue = FaultyVenue(SimulatedKraken(seed: 8, start: start), plan: plan, seed: 8)
    var session = KrakenSession(origin: .simulated)
    var (resyncs, time, reconnects) = (0, start, 0)
    var outbox: [VenueEffect] = venue.connect(ClientID(1), VenueRequest(path: "/v2"), at: start)
    func reading() -> ClockReading {
      ClockReading(
        monotonic: MonotonicTime(nanoseconds: time.nanoseconds - start.nanoseconds), wall: time)
    }
    var effects = session.handle(.wanted([Self.book]), at: reading())
    effects += session.handle(.opened, at: reading())
    for _ in 0..<2400 {
      time = Timestamp(nanoseconds: time.nanoseconds + 50_000_000)
      outbox += venue.advance(to: time)
      for case .send(_, let bytes, _) in outbox {
        effects += session.receive(bytes.span, kind: .text, at: reading())
      }
      outbox = []
      effects += session.handle(.timer, at: reading())
      for effect in effects {
        switch effect {
        case .send(let message):
          outbox += venue.receive(message.bytes, binary: false, from: ClientID(1), at: time)
        case .resynced: resyncs += 1
        case .reconnect:
          reconnects += 1
          venue.disconnect(ClientID(1))
          outbox = venue.connect(ClientID(1), VenueRequest(path: "/v2"), at: time)
          _ = session.handle(.closed, at: reading())
          _ = session.handle(.opened, at: reading())
        default: break
        }
      }
      effects = []
    }
    guard case .book(let view)? = session.value(for: Self.book, at: reading()) else {
      Issue.record("no book")
      return
    }
    #expect(view.sequence > 1000, "it recovers every time")
    #expect(resyncs > 10, "\(resyncs) resyncs, \(reconnects) reconnects")
  }
}
