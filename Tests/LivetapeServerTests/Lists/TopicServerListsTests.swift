// Lists at the topic server: one page's changes reach all pages.

import AppState
import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct TopicServerListsTests {
  private let one = PageID(number: 1)
  private let two = PageID(number: 2)
  private let start = ClockReading(milliseconds: 1000)
  private let bitcoin = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
  private let add = #"{"do":"list.add","list":"stars","member":"kraken/BTC/USD"}"#

  private func server(_ lists: MarketListsState = MarketListsState()) -> TopicServer {
    var server = TopicServer(catalogue: .screens(origin: .simulated), lists: lists)
    for page in [one, two] {
      _ = server.connect(page, at: start)
      _ = server.say(#"{"open":["lists"]}"#, from: page, at: start)
    }
    _ = server.frames(at: start)
    return server
  }

  @Test func `a star goes to the disk and to every page`() throws {
    var server = server()
    let effects = server.say(add, from: one, at: start)
    var lists = MarketLists()
    try lists.add(bitcoin, to: "stars")
    #expect(effects.contains(.keep(lists)))
    let later = ClockReading(milliseconds: 2000)
    let frames = server.frames(at: later)
    for page in [one, two] {
      let text = frames.texts(to: page).joined()
      #expect(text.contains(#""patch":{"lists":[{"id":"stars","name":"Stars","members":["kraken/"#))
    }
    let again = server.say(add, from: two, at: start)
    #expect(again.isEmpty, "what is so already is no change")
  }

  @Test func `what can't be done is answered to the page that asked, as often as it asks`() {
    var server = server()
    for _ in 0..<40 {
      let effects = server.say(#"{"do":"list.delete","list":"stars"}"#, from: one, at: start)
      #expect(
        effects.texts(to: one) == [
          #"{"error":{"code":"bad_list","message":"The list of stars can be neither renamed nor "#
            + #"deleted."}}"#
        ])
      #expect(effects.count == 1, "the page is not closed for it")
    }
  }

  @Test func `stored lists are there from the start, and a problem is shown and cleared`() {
    var lists = MarketLists()
    try? lists.add(bitcoin, to: "stars")
    var server = TopicServer(
      catalogue: .screens(origin: .simulated), lists: MarketListsState(lists, problem: "Why"))
    _ = server.connect(one, at: start)
    _ = server.say(#"{"open":["lists"]}"#, from: one, at: start)
    let first = server.frames(at: start).texts(to: one).joined()
    #expect(first.contains("kraken/BTC/USD") && first.contains(#""problem":"Why""#))
    _ = server.receive(listsProblem: nil, at: start)
    let second = server.frames(at: ClockReading(milliseconds: 2000)).texts(to: one).joined()
    #expect(second.contains(#""patch":{"problem":null}"#))
    let third = server.receive(listsProblem: nil, at: start)
    #expect(third.isEmpty)
  }

  @Test func `the list of all markets is sent once, and again only when it has changed`() {
    var server = server()
    _ = server.say(#"{"open":["markets"]}"#, from: one, at: start)
    let key = MarketKey.listing(of: .kraken)
    let listed = (0..<1400).map { number in
      ListedInstrument(
        symbol: Symbol("C\(number + 1000)/USD") ?? Subscription.listing.symbol,
        base: "C\(number + 1000)", quote: "USD", kind: .spot, isOpen: true)
    }
    let fresh = Freshness(state: .live, origin: .simulated, confirmedAt: start)
    let values: [MarketKey: MarketValue] = [
      key: .listing(VenueListing(instruments: listed, freshness: fresh))
    ]
    _ = server.changed(key, at: start)
    let first = server.frames(at: start, reading: values).texts(to: one).joined()
    #expect(first.contains("kraken/C2399/USD") && first.utf8.count < 1 << 18)
    for milliseconds in stride(from: 2000, to: 4000, by: 250) {
      let now = ClockReading(milliseconds: Int64(milliseconds))
      _ = server.timer(at: now)
      _ = server.changed(key, at: now)
      let frames = server.frames(at: now, reading: values)
      #expect(frames.texts(to: one).isEmpty)
    }
  }

  @Test func `the survey runs while a page has it open, and patches what changed`() {
    var server = server()
    let opened = server.say(#"{"open":["survey"]}"#, from: one, at: start)
    #expect(opened.contains(.observe(.survey)))
    var survey = SurveyState()
    func figures(_ price: String, _ at: Int64) -> DayFigures {
      var figures = DayFigures(symbol: bitcoin.symbol, freshness: .waiting(.simulated))
      (figures.last, figures.at) = (FixedDecimal(price), Timestamp(milliseconds: at))
      return figures
    }
    survey.take(figures("1.5", 1000), of: bitcoin)
    survey.take(figures("7.0", 1000), of: InstrumentKey(.kraken, Symbol(known: "ETH/USD")))
    _ = server.receive(survey, at: start)
    _ = server.frames(at: start)
    survey.take(figures("1.6", 2000), of: bitcoin)
    let later = ClockReading(milliseconds: 2000)
    _ = server.receive(survey, at: later)
    let text = server.frames(at: later).texts(to: one).joined()
    #expect(text.contains(#""patch":{"rows":{"kraken/BTC/USD":{"price":"1.6","at":2000}}}"#))
    let effects = server.disconnect(one, at: later)
    #expect(effects.contains(.release(.survey)))
    #expect(server.survey == nil)
  }
}
