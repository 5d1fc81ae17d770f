// Lists at the desk: what one page does, all pages see.

import AppState
import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct PageDeskListsTests {
  private let one = PageID(number: 1)
  private let two = PageID(number: 2)
  private let start = ClockReading(milliseconds: 1000)
  private let bitcoin = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
  private let add = #"{"do":"list.add","list":"stars","member":"kraken/BTC/USD"}"#

  private func desk(_ lists: MarketListsState = MarketListsState()) -> PageDesk {
    var desk = PageDesk(catalogue: .screens(origin: .simulated), lists: lists)
    for page in [one, two] {
      _ = desk.connect(page, at: start)
      _ = say(#"{"open":["lists"]}"#, page, &desk)
    }
    _ = desk.frames(at: start)
    return desk
  }

  private func say(_ message: String, _ page: PageID, _ desk: inout PageDesk) -> [DeskEffect] {
    desk.receive(Array(message.utf8), from: page, at: start)
  }

  private func texts(_ effects: [DeskEffect], to page: PageID) -> [String] {
    effects.compactMap { effect in
      guard case .send(page, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func `a star goes to the disk and to every page`() throws {
    var desk = desk()
    let effects = say(add, one, &desk)
    var lists = MarketLists()
    try lists.add(bitcoin, to: "stars")
    #expect(effects.contains(.keep(lists)))
    let later = ClockReading(milliseconds: 2000)
    let frames = desk.frames(at: later)
    for page in [one, two] {
      let text = texts(frames, to: page).joined()
      #expect(text.contains(#""patch":{"lists":[{"id":"stars","name":"Stars","members":["kraken/"#))
    }
    let again = say(add, two, &desk)
    #expect(again.isEmpty, "what is so already is no change")
  }

  @Test func `what can't be done is answered to the page that asked, as often as it asks`() {
    var desk = desk()
    for _ in 0..<40 {
      let effects = say(#"{"do":"list.delete","list":"stars"}"#, one, &desk)
      #expect(
        texts(effects, to: one) == [
          #"{"error":{"code":"bad_list","message":"The list of stars can be neither renamed nor "#
            + #"deleted."}}"#
        ])
      #expect(effects.count == 1, "the page is not closed for it")
    }
  }

  @Test func `lists that were kept are there from the start, and trouble is said and unsaid`() {
    var lists = MarketLists()
    try? lists.add(bitcoin, to: "stars")
    var desk = PageDesk(
      catalogue: .screens(origin: .simulated), lists: MarketListsState(lists, problem: "Why"))
    _ = desk.connect(one, at: start)
    _ = say(#"{"open":["lists"]}"#, one, &desk)
    let first = texts(desk.frames(at: start), to: one).joined()
    #expect(first.contains("kraken/BTC/USD") && first.contains(#""problem":"Why""#))
    _ = desk.receive(listsProblem: nil, at: start)
    let second = texts(desk.frames(at: ClockReading(milliseconds: 2000)), to: one).joined()
    #expect(second.contains(#""patch":{"problem":null}"#))
    let third = desk.receive(listsProblem: nil, at: start)
    #expect(third.isEmpty)
  }

  @Test func `the list of all markets is sent once, and again only when it has changed`() {
    var desk = desk()
    _ = say(#"{"open":["markets"]}"#, one, &desk)
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
    _ = desk.changed(key, at: start)
    let first = texts(desk.frames(at: start, reading: values), to: one).joined()
    #expect(first.contains("kraken/C2399/USD") && first.utf8.count < 1 << 18)
    for milliseconds in stride(from: 2000, to: 4000, by: 250) {
      let now = ClockReading(milliseconds: Int64(milliseconds))
      _ = desk.timer(at: now)
      _ = desk.changed(key, at: now)
      let frames = desk.frames(at: now, reading: values)
      #expect(texts(frames, to: one).isEmpty)
    }
  }

  @Test func `the survey runs while somebody has it open, and patches what changed`() {
    var desk = desk()
    let opened = say(#"{"open":["survey"]}"#, one, &desk)
    #expect(opened.contains(.observe(.survey)))
    var survey = SurveyState()
    func figures(_ price: String, _ at: Int64) -> DayFigures {
      var figures = DayFigures(symbol: bitcoin.symbol, freshness: .waiting(.simulated))
      (figures.last, figures.at) = (FixedDecimal(price), Timestamp(milliseconds: at))
      return figures
    }
    survey.take(figures("1.5", 1000), of: bitcoin)
    survey.take(figures("7.0", 1000), of: InstrumentKey(.kraken, Symbol(known: "ETH/USD")))
    _ = desk.receive(survey, at: start)
    _ = desk.frames(at: start)
    survey.take(figures("1.6", 2000), of: bitcoin)
    let later = ClockReading(milliseconds: 2000)
    _ = desk.receive(survey, at: later)
    let text = texts(desk.frames(at: later), to: one).joined()
    #expect(text.contains(#""patch":{"rows":{"kraken/BTC/USD":{"price":"1.6","at":2000}}}"#))
    let effects = desk.disconnect(one, at: later)
    #expect(effects.contains(.release(.survey)))
    #expect(desk.survey == nil)
  }
}
