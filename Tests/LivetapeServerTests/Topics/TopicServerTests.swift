// Topics by reference count, snapshots then patches, one message a frame, encoded once, and
// misbehaving pages.

import AppState
import MarketModel
import MarketHistory
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct TopicServerTests {
  private let one = PageID(number: 1)
  private let two = PageID(number: 2)
  private let start = ClockReading(milliseconds: 1000)

  private func text(_ effects: [TopicEffect], to page: PageID) -> [String] {
    effects.compactMap { effect in
      guard case .send(page, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func quote(_ price: String, of symbol: Symbol) -> MarketValue {
    .quote(QuoteView(symbol: symbol, price: FixedDecimal(price), freshness: .waiting(.simulated)))
  }

  private func say(
    _ message: String, _ page: PageID, _ server: inout TopicServer, at now: ClockReading? = nil
  ) -> [TopicEffect] {
    server.receive(Array(message.utf8), from: page, at: now ?? start)
  }

  private func server(with pages: PageID...) -> TopicServer {
    var server = TopicServer(catalogue: .scripted)
    for page in pages {
      let effects = server.connect(page, at: start)
      #expect(effects == [])
    }
    return server
  }

  @Test func `a topic comes whole first and then only what changed`() throws {
    var server = server(with: one)
    let symbol = try #require(Symbol("X"))
    let key = MarketKey(.isin, .quote, symbol)
    let opened = say(#"{"open":["quote/X"]}"#, one, &server)
    #expect(opened.contains(.observe(.values(key))))
    #expect(opened.contains(.wake(at: MonotonicTime(milliseconds: 1033))), "its values may come")
    let first = text(server.frames(at: start), to: one)
    #expect(
      first == [
        #"{"frame":1,"now":1000,"topics":["#
          + #"{"topic":"quote/X","seq":0,"snapshot":{"note":"quiet"}}]}"#
      ])
    let later = ClockReading(milliseconds: 2000)
    let changed = server.changed(key, at: later)
    #expect(changed == [.wake(at: later.monotonic)])
    let second = text(server.frames(at: later, reading: [key: quote("1.50", of: symbol)]), to: one)
    #expect(
      second == [
        #"{"frame":2,"now":2000,"topics":[{"topic":"quote/X","seq":1,"patch":{"price":"1.50"}}]}"#
      ])
    let third = text(server.frames(at: later), to: one)
    #expect(third.isEmpty)
  }

  @Test func `two changes before a frame are one message with the latest value`() throws {
    var server = server(with: one)
    let symbol = try #require(Symbol("X"))
    let key = MarketKey(.isin, .quote, symbol)
    _ = say(#"{"open":["quote/X","plain/a"]}"#, one, &server)
    _ = server.frames(at: start)
    let later = ClockReading(milliseconds: 2000)
    let effects = [server.changed(key, at: later), server.changed(key, at: later)]
    #expect(effects == [[.wake(at: later.monotonic)], []])
    let sent = text(server.frames(at: later, reading: [key: quote("1.60", of: symbol)]), to: one)
    #expect(sent.count == 1)
    #expect(sent.first?.contains(#""patch":{"price":"1.60"}"#) == true)
  }

  @Test func `a second page opens no second stream and the last to close ends it`() throws {
    var server = server(with: one, two)
    let key = MarketKey(.isin, .quote, try #require(Symbol("X")))
    let first = say(#"{"open":["quote/X"]}"#, one, &server)
    let second = say(#"{"open":["quote/X"]}"#, two, &server)
    let closed = say(#"{"close":["quote/X"]}"#, one, &server)
    let left = server.disconnect(two, at: start)
    #expect(first.contains(.observe(.values(key))))
    #expect(!second.contains(.observe(.values(key))))
    #expect(!closed.contains(.release(.values(key))))
    #expect(left == [.release(.values(key))])
  }

  @Test func `a second topic of a stream shows its present value at once`() throws {
    var server = server(with: one)
    let symbol = try #require(Symbol("X"))
    let key = MarketKey(.isin, .quote, symbol)
    _ = say(#"{"open":["quote/X"]}"#, one, &server)
    _ = server.changed(key, at: start)
    _ = server.frames(at: start, reading: [key: quote("1.50", of: symbol)])
    let opened = say(#"{"open":["quote/X/again"]}"#, one, &server)
    #expect(!opened.contains(.observe(.values(key))))
    let frame = text(server.frames(at: start), to: one)
    #expect(frame.first?.contains(#""snapshot":{"note":"quiet","price":"1.50"}"#) == true)
    _ = say(#"{"close":["quote/X","quote/X/again"]}"#, one, &server)
    _ = say(#"{"open":["quote/X"]}"#, one, &server)
    let later = text(server.frames(at: start), to: one)
    #expect(later.first?.contains(#""snapshot":{"note":"quiet"}"#) == true, "that value is old")
  }

  @Test func `a late page gets the present state, and both go on from what they have`() throws {
    var server = server(with: one, two)
    let symbol = try #require(Symbol("X"))
    let key = MarketKey(.isin, .quote, symbol)
    _ = say(#"{"open":["quote/X"]}"#, one, &server)
    _ = server.frames(at: start)
    for (price, seq) in [("2", 1), ("3", 2)] {
      _ = server.changed(key, at: start)
      let sent = text(server.frames(at: start, reading: [key: quote(price, of: symbol)]), to: one)
      #expect(sent.first?.contains(#""seq":\#(seq),"patch":{"price":"\#(price)"}"#) == true)
    }
    _ = say(#"{"open":["quote/X"]}"#, two, &server)
    let opened = server.frames(at: start)
    #expect(text(opened, to: one).isEmpty)
    #expect(
      text(opened, to: two).first?.contains(
        #""seq":0,"snapshot":{"note":"quiet","price":"3"}"#) == true)
    _ = server.changed(key, at: start)
    let frame = server.frames(at: start, reading: [key: quote("4", of: symbol)])
    #expect(text(frame, to: one).first?.contains(#""seq":3,"patch":{"price":"4"}"#) == true)
    #expect(text(frame, to: two).first?.contains(#""seq":1,"patch":{"price":"4"}"#) == true)
  }

  @Test func `candles are followed while a page has them, and a second page gets them at once`()
    throws
  {
    var server = server(with: one, two)
    let instrument = InstrumentKey(.exchange, try #require(Symbol("FIRST")))
    let begun = say(#"{"open":["candles/FIRST"]}"#, one, &server)
    #expect(begun.contains(.observe(.candles(instrument))))
    _ = server.receive(candles(revision: 4), of: instrument, at: start)
    let first = text(server.frames(at: start), to: one)
    #expect(first.first?.contains(#""snapshot":{"note":"revision 4"}"#) == true)
    let again = say(#"{"open":["candles/FIRST"]}"#, two, &server)
    #expect(!again.contains(.observe(.candles(instrument))))
    let second = text(server.frames(at: start), to: two)
    #expect(second.first?.contains(#""snapshot":{"note":"revision 4"}"#) == true)
    _ = say(#"{"close":["candles/FIRST"]}"#, one, &server)
    let left = say(#"{"close":["candles/FIRST"]}"#, two, &server)
    #expect(left == [.release(.candles(instrument))])
  }

  private func candles(revision: UInt64) -> CandleStreamState {
    CandleStreamState(
      priceScale: .whole, quantityScale: .whole, priceDecimals: nil,
      freshness: .waiting(.simulated), ticks: [], history: .none, revision: revision)
  }

  @Test func `a page that is behind gets whole states once it has caught up`() throws {
    var server = server(with: one)
    let symbol = try #require(Symbol("X"))
    let key = MarketKey(.isin, .quote, symbol)
    _ = say(#"{"open":["quote/X"]}"#, one, &server)
    _ = server.frames(at: start)
    server.pause(one)
    _ = server.changed(key, at: start)
    let whileBehind = text(
      server.frames(at: start, reading: [key: quote("2", of: symbol)]), to: one)
    let resumed = server.resume(one, at: start)
    let after = text(server.frames(at: start, reading: [key: quote("2", of: symbol)]), to: one)
    #expect(whileBehind.isEmpty)
    #expect(resumed == [.wake(at: start.monotonic)])
    #expect(after.first?.contains(#""seq":1,"snapshot":{"note":"quiet","price":"2"}"#) == true)
  }

  @Test func `a page that is behind is answered once it has whole states`() throws {
    var server = server(with: one)
    let symbol = try #require(Symbol("X"))
    let key = MarketKey(.isin, .quote, symbol)
    _ = say(#"{"open":["quote/X"]}"#, one, &server)
    _ = server.frames(at: start)
    server.pause(one)
    #expect(say(#"{"ping":7}"#, one, &server) == [])
    #expect(say(#"{"ping":9}"#, one, &server) == [])
    _ = server.changed(key, at: start)
    _ = server.resume(one, at: start)
    let after = text(server.frames(at: start, reading: [key: quote("2", of: symbol)]), to: one)
    try #require(after.count == 2)
    #expect(after[0].contains(#""price":"2""#) && after[1] == #"{"pong":9,"at":0}"#)
    #expect(say(#"{"ping":10}"#, one, &server) == [.send(one, Array(#"{"pong":10,"at":0}"#.utf8))])
  }

  @Test func `actions reach their screen whether or not a page has it open`() {
    var server = server(with: one)
    let closed = say(#"{"do":"feed.stop"}"#, one, &server)
    _ = say(#"{"open":["feed"]}"#, one, &server)
    let opened = say(#"{"do":"feed.stop"}"#, one, &server)
    let retried = say(#"{"do":"venue.retry","venue":"bitmex"}"#, one, &server)
    #expect(closed == [.perform(.stopVenue(.echo))])
    #expect(opened.contains(.perform(.stopVenue(.echo))))
    #expect(retried == [.perform(.retryVenue(.bitmex))])
  }

  @Test func `a ping is answered at once`() {
    var server = server(with: one)
    let answer = text(say(#"{"ping":17}"#, one, &server), to: one)
    #expect(answer == [#"{"pong":17,"at":0}"#])
  }

  @Test func `a topic name that is too long is refused alone, those beside it are opened`() {
    var server = server(with: one)
    let long = String(repeating: "x", count: PageRequest.maximumNameBytes + 1)
    let effects = say(#"{"open":["plain/\#(long)","plain/a"]}"#, one, &server)
    let sent = text(effects, to: one) + text(server.frames(at: start), to: one)
    #expect(sent.first?.contains(#""code":"unknown_topic""#) == true)
    #expect(sent.contains { $0.contains(#""topic":"plain/a","seq":0,"snapshot""#) })
  }

  @Test func `errors name the topic and twenty of them close the page and no other`() {
    var server = server(with: one, two)
    let first = text(say(#"{"open":["nonsense"]}"#, one, &server), to: one)
    #expect(first.first?.contains(#""code":"unknown_topic""#) == true)
    #expect(first.first?.contains(#""topic":"nonsense""#) == true)
    var last: [TopicEffect] = []
    for index in 1..<20 {
      let now = ClockReading(milliseconds: 1000 + Int64(index) * 100)
      last = say("garbage", one, &server, at: now)
    }
    #expect(last.contains(.close(one, code: 1008, reason: "too many errors")))
    let other = text(say(#"{"ping":1}"#, two, &server), to: two)
    #expect(other == [#"{"pong":1,"at":0}"#])
  }

  @Test func `a page that talks too fast is closed`() {
    var server = server(with: one)
    var effects: [TopicEffect] = []
    for _ in 0...TopicServer.maximumMessagesPerSecond {
      effects = say(#"{"ping":1}"#, one, &server)
    }
    #expect(effects == [.close(one, code: 1008, reason: "too many messages")])
  }

  @Test func `topics of a page are bounded`() {
    var server = server(with: one)
    for group in 0..<3 {
      let names = (0..<60).map { "\"plain/\(group)-\($0)\"" }.joined(separator: ",")
      let sent = text(say(#"{"open":[\#(names)]}"#, one, &server), to: one)
      #expect(sent.contains { $0.contains("too_many_topics") } == (group == 2))
    }
    #expect(server.slots.count == TopicServer.maximumTopicsPerPage)
  }

  @Test func `products of a page are bounded, open and opened`() {
    var server = server(with: one)
    let first = (0..<9).map { "\"product/p\($0)\"" }.joined(separator: ",")
    let sent = text(say(#"{"open":[\#(first)]}"#, one, &server), to: one)
    #expect(sent.count { $0.contains("8 products open") } == 1)
    #expect(server.slots.count == 8)
    for round in 0..<8 {
      let effects = say(#"{"close":["product/p0"],"open":["product/p0"]}"#, one, &server)
      #expect(text(effects, to: one).isEmpty, "round \(round)")
    }
    let hasty = say(#"{"close":["product/p0"],"open":["product/p0"]}"#, one, &server)
    #expect(text(hasty, to: one).contains { $0.contains("16 products in a second") })
    let later = ClockReading(milliseconds: start.wall.milliseconds + 1000)
    let patient = say(#"{"open":["product/p0"]}"#, one, &server, at: later)
    #expect(text(patient, to: one).isEmpty)
  }

  @Test func `a request for a product ends with its topic`() {
    let product = Symbol("p1").map { TopicEffect.perform(.fetchProduct($0)) }
    var server = server(with: one, two)
    let opened = say(#"{"open":["product/p1"]}"#, one, &server)
    #expect(opened.contains { $0 == product })
    let shared = say(#"{"open":["product/p1"]}"#, two, &server)
    #expect(!shared.contains { if case .perform = $0 { true } else { false } })
    #expect(say(#"{"close":["product/p1"]}"#, one, &server) == [])
    let closed = say(#"{"close":["product/p1"]}"#, two, &server)
    #expect(closed == Symbol("p1").map { [.abandon($0)] })
    #expect(say(#"{"do":"product.retry","id":"p1"}"#, one, &server) == [], "nobody has it open")
  }

  @Test func `a product that has come is not abandoned`() throws {
    var server = server(with: one)
    let symbol = try #require(Symbol("p1"))
    _ = say(#"{"open":["product/p1"]}"#, one, &server)
    let failure = ProductFailure(code: "X", userMessage: "x", canRetry: false)
    _ = server.receive(.failure(failure), for: symbol, at: start)
    #expect(say(#"{"close":["product/p1"]}"#, one, &server) == [])
  }

  @Test func `answers that a full socket holds are bounded`() {
    var server = server(with: one)
    #expect(server.sent(10 << 20, to: one) == [], "what the socket takes is not counted")
    server.pause(one)
    #expect(server.sent(TopicServer.maximumWaitingBytes, to: one) == [])
    let closed: [TopicEffect] = [
      .close(one, code: 1008, reason: "too many answers wait to be read")
    ]
    #expect(server.sent(1, to: one) == closed)
    _ = server.resume(one, at: start)
    #expect(server.sent(TopicServer.maximumWaitingBytes, to: one) == [])
    server.pause(one)
    #expect(server.sent(TopicServer.maximumWaitingBytes, to: one) == [], "counted from zero")
  }

  @Test func `pages are bounded`() {
    var server = TopicServer(catalogue: .scripted)
    for number in 0..<TopicServer.maximumPages {
      let effects = server.connect(PageID(number: number), at: start)
      #expect(effects == [])
    }
    let refused = PageID(number: TopicServer.maximumPages)
    let effects = server.connect(refused, at: start)
    #expect(effects == [.close(refused, code: 1013, reason: "too many pages are open")])
  }

  @Test func `random messages of a hostile page never trap and never reach another page`() {
    let seed: UInt64 = 99
    var random = SplitMix64(seed: seed)
    var server = server(with: one, two)
    _ = say(#"{"open":["plain/a"]}"#, two, &server)
    _ = server.frames(at: start)
    for round in 0..<3000 {
      let bytes = (0..<random.below(200)).map { _ in UInt8(random.below(256)) }
      let now = ClockReading(milliseconds: 1000 + Int64(round) * 30)
      let effects = server.receive(bytes, from: one, at: now)
      #expect(text(effects, to: two).isEmpty, "seed \(seed), round \(round)")
    }
  }
}
