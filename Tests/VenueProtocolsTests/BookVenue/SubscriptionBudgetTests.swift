// For each book venue: how many topics a connection subscribes to, how fast, and what happens when
// the venue rejects some.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct SubscriptionBudgetTests {
  // MARK: Kraken

  private func pair(_ number: Int) -> Symbol { KrakenHarness.symbol("P\(number)/USD") }

  private func trades(_ numbers: Range<Int>) -> Set<Subscription> {
    Set(numbers.map { Subscription(.trades, pair($0)) })
  }

  /// A session with trade subscriptions of this many listed pairs.
  private func kraken(_ count: Int) -> KrakenHarness {
    var harness = KrakenHarness(until: .greeted)
    harness.input(.wanted(trades(0..<count)))
    harness.receive(KrakenHarness.pairs((0..<1000).map { ("P\($0)/USD", 1, 8) }))
    return harness
  }

  private func subscribed(_ harness: KrakenHarness) -> Set<Symbol> {
    Set(harness.session.session.asked.compactMap(\.symbol))
  }

  @Test func `a Kraken connection subscribes in batches and never beyond its budget`() {
    let budget = KrakenRules.profile.subscriptions
    var harness = kraken(640)
    var most = subscribed(harness).count
    #expect(most <= budget.batch)
    for _ in 0..<200 {
      let before = subscribed(harness).count
      harness.wait(250)
      let now = subscribed(harness).count
      #expect(now - before <= Int(budget.topicsPerSecond))
      most = max(most, now)
    }
    #expect(most == budget.topics - 1, "all but the place of the instruments")
  }

  @Test func `streams beyond the budget wait and are marked, the others stay`() throws {
    var harness = kraken(640)
    for _ in 0..<200 { harness.wait(250) }
    let open = subscribed(harness)
    let first = try #require(harness.tape(pair(0)))
    #expect(open.contains(pair(0)) && first.freshness.state == .waiting)
    let queued = (0..<640).filter { harness.tape(pair($0))?.freshness.state == .queued }
    #expect(queued.count == 640 - open.count)
    #expect(queued.allSatisfy { !open.contains(pair($0)) })
    // A newer stream waits as well, and takes no other's place.
    let effects = harness.input(.wanted(trades(0..<640).union([.init(.trades, pair(700))])))
    #expect(effects.contains(.changed(.init(.trades, pair(700)))))
    #expect(harness.tape(pair(700))?.freshness.state == .queued)
    #expect(subscribed(harness) == open)
  }

  @Test func `streams that wait open when others close, the oldest first`() throws {
    var harness = kraken(400)
    harness.input(.wanted(trades(0..<500)))
    for _ in 0..<200 { harness.wait(250) }
    #expect(harness.tape(pair(450))?.freshness.state == .queued)
    harness.input(.wanted(trades(200..<500)))
    for _ in 0..<200 { harness.wait(250) }
    #expect(subscribed(harness).count == 300)
    #expect(harness.tape(pair(450))?.freshness.state == .waiting)
  }

  @Test func `after a reconnect the streams that were open first are open again`() {
    var harness = kraken(300)
    for _ in 0..<40 { harness.wait(250) }
    harness.input(.wanted(trades(0..<640)))
    for _ in 0..<200 { harness.wait(250) }
    #expect((0..<300).allSatisfy { subscribed(harness).contains(pair($0)) })
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    harness.receive(KrakenHarness.pairs((0..<1000).map { ("P\($0)/USD", 1, 8) }))
    for _ in 0..<200 { harness.wait(250) }
    #expect((0..<300).allSatisfy { subscribed(harness).contains(pair($0)) })
  }

  private func refusal(_ symbol: Symbol, method: String = "subscribe") -> String {
    #"{"error":"Exceeded msg rate","method":"\#(method)","success":false,"#
      + #""symbol":"\#(symbol)","req_id":6}"#
  }

  @Test func `a refusal for rate halves Kraken's batch and keeps the connection`() {
    var harness = kraken(150)
    let batch = harness.session.session.pacer.batch
    var effects: [SessionEffect] = []
    for number in 100..<150 { effects += harness.receive(refusal(pair(number))) }
    #expect(!effects.contains { if case .reconnect = $0 { true } else { false } })
    #expect(effects.count { if case .rejected = $0 { true } else { false } } == 1)
    #expect(!effects.contains { if case .send = $0 { true } else { false } })
    #expect(harness.session.session.pacer.batch == batch / 2)
    #expect(subscribed(harness).count == 100)
    #expect(harness.tape(pair(120))?.freshness.state == .queued)
    #expect(harness.tape(pair(20))?.freshness.state == .waiting)
    // After the pause the rest is subscribed.
    for _ in 0..<8 { harness.wait(250) }
    #expect(subscribed(harness).count == 150)
    #expect(harness.tape(pair(120))?.freshness.state == .waiting)
  }

  @Test func `refusals without an end become one small request a minute`() {
    var harness = kraken(150)
    var requests = 0
    for number in 100..<150 { harness.receive(refusal(pair(number))) }
    for second in 0..<1200 {
      let effects = harness.wait(1000)
      let sent = effects.compactMap { effect -> String? in
        guard case .send(let message) = effect else { return nil }
        return String(decoding: message.bytes, as: UTF8.self)
      }
      let refused = subscribed(harness).intersection((100..<150).map(pair)).sorted()
      // The others are requested again since their snapshots don't arrive.
      let tried = sent.contains { text in refused.contains { text.contains("\"\($0)\"") } }
      if tried, second >= 600 { requests += 1 }
      for symbol in refused { harness.receive(refusal(symbol)) }
      // Heartbeats keep the connection fresh.
      harness.receive(KrakenHarness.heartbeat)
    }
    #expect(requests <= 11, "in ten minutes")
    #expect(harness.session.session.pacer.batch <= 2)
  }

  @Test func `an unsubscription that was refused for rate is repeated`() {
    var harness = kraken(2)
    harness.input(.wanted(trades(0..<1)))
    #expect(harness.sent == ["unsubscribe trade P1/USD"])
    harness.receive(refusal(pair(1), method: "unsubscribe"))
    #expect(harness.sent.isEmpty)
    var sent: [String] = []
    for _ in 0..<8 {
      harness.wait(250)
      sent += harness.sent
    }
    #expect(sent.contains("unsubscribe trade P1/USD"))
  }

  @Test func `a session that follows another waits for a place as that one does`() throws {
    var reader = kraken(640)
    for _ in 0..<200 { reader.wait(250) }
    #expect(reader.tape(pair(600))?.freshness.state == .queued)
    var follower = KrakenHarness()
    let wanted = Set([600, 1].map { Subscription(.book, pair($0)) })
    reader.input(.wanted(trades(0..<640).union(wanted)))
    follower.receive(KrakenHarness.pairs((0..<1000).map { ("P\($0)/USD", 1, 8) }))
    follower.input(.wanted(wanted))
    for second in 0..<300 {
      let asks = follower.sent.contains { $0.hasPrefix("subscribe book") }
      if asks {
        let request = CheckpointRequest(streams: wanted, isWhole: false)
        for message in reader.session.checkpoint(request) ?? [] {
          follower.receive(bytes: message.bytes)
        }
      }
      if second > 1 { #expect(follower.book(pair(600))?.freshness.state == .queued) }
      follower.receive(KrakenHarness.heartbeat)
      let effects = follower.wait(1000)
      #expect(!effects.contains { if case .reconnect = $0 { true } else { false } })
    }
  }

  @Test func `pairs that Kraken does not list are refused once, however many there are`() {
    var harness = KrakenHarness(until: .greeted)
    harness.input(.wanted(trades(0..<3000)))
    harness.receive(KrakenHarness.pairs())
    #expect(harness.problems.count == 3000)
    #expect(harness.tape(pair(1))?.isKnown == false)
    // One more changes nothing for the others.
    let effects = harness.input(.wanted(trades(0..<3001)))
    #expect(effects.count == 2, "\(effects)")
  }

  // MARK: BitMEX

  private func instrument(_ number: Int) -> Symbol { KrakenHarness.symbol("I\(number)USD") }

  private func topics(_ harness: SessionHarness) -> Int { harness.session.session.asked.count }

  @Test func `a BitMEX connection subscribes at a pace and never beyond its budget`() {
    let budget = BitMEXRules.profile.subscriptions
    var harness = SessionHarness()
    harness.input(.wanted(Set((0..<256).map { Subscription(.trades, instrument($0)) })))
    #expect(topics(harness) <= budget.batch)
    for _ in 0..<240 { harness.wait(250) }
    #expect(topics(harness) == budget.topics)
    let queued = (0..<256).count { harness.tape(instrument($0))?.freshness.state == .queued }
    #expect(queued >= 256 - budget.topics && queued < 256)
  }

  @Test func `a refusal for rate keeps BitMEX's connection and names its own pause`() {
    var harness = SessionHarness(wanting: .init(.trades, instrument(1)))
    let effects = harness.receive(
      #"{"status":429,"error":"Rate limit exceeded, retry in 20 seconds.","#
        + #""meta":{"retryAfter":20},"request":{"op":"subscribe","args":["trade:I1USD"]}}"#)
    #expect(!effects.contains { if case .reconnect = $0 { true } else { false } })
    #expect(harness.tape(instrument(1))?.freshness.state == .queued)
    for _ in 0..<76 {
      harness.wait(250)
      #expect(harness.sent.allSatisfy { !$0.contains(#""subscribe""#) })
    }
    harness.wait(1500)
    #expect(harness.sent == [#"{"op":"subscribe","args":["trade:I1USD"]}"#])
  }
}
