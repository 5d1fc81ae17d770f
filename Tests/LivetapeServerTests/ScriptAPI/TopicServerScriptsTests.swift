// Scripts at the topic server: whole objects, numbers that count up, no way into pages' topics.

@testable import AppState
import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct TopicServerScriptsTests {
  private let script = PageID(number: 1)
  private let page = PageID(number: 2)
  private let now = ClockReading(milliseconds: 1000)
  private var server = TopicServer(catalogue: .screens(origin: .simulated))
  private let key = MarketKey(.kraken, .figures, Symbol(known: "BTC/USD"))

  init() {
    _ = server.connect(script, reader: .script, at: now)
    _ = server.connect(page, at: now)
  }

  private func figures(_ price: String, confirmedAt: ClockReading) -> MarketValue {
    var figures = DayFigures(
      symbol: Symbol(known: "BTC/USD"),
      freshness: Freshness(state: .live, origin: .simulated, confirmedAt: confirmedAt))
    figures.last = FixedDecimal(price)
    return .figures(figures)
  }

  private static let subscription =
    #"{"do":"subscribe","channel":"ticker","instrument":"kraken/BTC/USD","request":3}"#

  @Test mutating func `a subscription is answered, and brings the whole object each time`() {
    let answers = server.say(Self.subscription, from: script, at: now)
    #expect(answers.contains(.observe(.values(key))))
    #expect(
      answers.texts(to: script) == [
        #"{"type":"subscribed","channel":"ticker","instrument":"kraken/BTC/USD","request":3,"#
          + #""at":1000}"#
      ])
    var status = ConnectionStatus(venue: .kraken, origin: .simulated, since: now)
    status.phase = .live
    _ = server.receive(status, at: now)
    var numbers: [Int64] = []
    for (milliseconds, price) in [(2000, "64000.5"), (3000, "64001.0")] {
      let then = ClockReading(milliseconds: Int64(milliseconds))
      _ = server.changed(key, at: then)
      let texts = server.frames(at: then, reading: [key: figures(price, confirmedAt: now)])
        .texts(to: script)
      #expect(texts.count == 1, "\(texts)")
      let text = texts.first ?? ""
      #expect(text.contains(#""price":"\#(price)""#) && text.contains(#""origin":"simulated""#))
      #expect(text.contains(#""age":\#(milliseconds - 1000)"#), "\(text)")
      numbers.append(server.lastSequence)
    }
    #expect(numbers[0] < numbers[1])
  }

  @Test mutating func `what has not changed is not sent again`() {
    _ = server.say(Self.subscription, from: script, at: now)
    _ = server.frames(at: now)
    let later = ClockReading(milliseconds: 5000)
    _ = server.timer(at: later)
    #expect(server.frames(at: later).texts(to: script).isEmpty)
  }

  @Test(arguments: [
    ("{", 400), (#"{"do":"order.place"}"#, 422), (#"{"open":["orders"]}"#, 400),
    (#"{"do":"subscribe","channel":"book"}"#, 422), (#"{"do":"ping","channel":"book"}"#, 422),
    (#"{"do":"subscribe","channel":"book","instrument":"kraken/NOPE"}"#, 404),
    (#"{"do":"subscribe","channel":"orders","instrument":"kraken/BTC/USD"}"#, 422),
    (#"{"do":"subscribe","channel":"ticker","instrument":"kraken/BTC/USD","interval":1}"#, 422),
    (#"{"do":"subscribe","channel":"candles","instrument":"kraken/BTC/USD","interval":1}"#, 422),
  ])
  mutating func `a malformed message is a problem`(message: String, status: Int) {
    let texts = server.say(message, from: script, at: now).texts(to: script)
    #expect(texts.count == 1)
    #expect(texts.first?.contains(#""status":\#(status)"#) == true, "\(texts)")
  }

  @Test mutating func `no page opens what is for scripts`() {
    let texts = server.say(#"{"open":["api/orders"]}"#, from: page, at: now).texts(to: page)
    #expect(texts.first?.contains("unknown_topic") == true, "\(texts)")
  }

  @Test mutating func `the last unsubscription lets the stream go`() {
    _ = server.say(Self.subscription, from: script, at: now)
    let message = Self.subscription.replacing("subscribe", with: "unsubscribe")
    #expect(server.say(message, from: script, at: now).contains(.release(.values(key))))
  }

  @Test mutating func `a socket has no more subscriptions than a page has topics`() {
    for number in 0..<TopicServer.maximumTopicsPerPage {
      _ = server.say(
        #"{"do":"subscribe","channel":"ticker","instrument":"kraken/A\#(number)/USD"}"#,
        from: script, at: ClockReading(milliseconds: Int64(1000 + number * 100)))
    }
    let texts = server.say(
      Self.subscription, from: script, at: ClockReading(milliseconds: 60_000)
    ).texts(to: script)
    #expect(texts.first?.contains(#""status":429"#) == true, "\(texts)")
  }

  @Test mutating func `numbers continue from the clock, and always rise`() {
    let first = server.nextSequence(at: ClockReading(milliseconds: 5000))
    let back = server.nextSequence(at: ClockReading(milliseconds: 1000))
    #expect(first == 5_000_000 && back == 5_000_001)
  }

  @Test func `a list is not continued after an instrument that has left it`() throws {
    let waiting = MarketListScreen().state
    let live = MarketListState(
      rows: waiting.rows,
      freshness: Freshness(state: .live, origin: .simulated, confirmedAt: now))
    let gone = try #require(ScriptListing(text: "5/kraken/kraken/GONE/USD"))
    #expect(gone.canContinue(in: waiting), "it may still come")
    #expect(!gone.canContinue(in: live))
    for text in ["5/kraken/kraken/BTC/USD", "5/-/-"] {
      #expect(try #require(ScriptListing(text: text)).canContinue(in: live))
    }
  }

  @Test(arguments: [
    "api/instruments/100/kraken/kraken/BTC/USD", "api/instruments/5/-/-", "api/connections",
    "api/orders", "api/positions", "api/ticker/kraken/BTC/USD", "api/candles/60000/kraken/BTC/USD",
  ])
  func `a subject is read back from the name of its topic`(topic: String) {
    #expect(ScriptSubject(topic: topic)?.topic == topic)
  }
}
