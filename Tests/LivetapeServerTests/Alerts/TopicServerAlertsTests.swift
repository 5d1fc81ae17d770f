// Alerts at the topic server: a page requests, the service reports the result, all pages see it.

import AppState
import FeedConnections
import MarketModel
import PriceAlerts
import Testing

@testable import LivetapeServer

@Suite struct TopicServerAlertsTests {
  private let one = PageID(number: 1)
  private let two = PageID(number: 2)
  private let start = ClockReading(milliseconds: 1000)
  private let bitcoin = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))

  private func server() -> TopicServer {
    var server = TopicServer(catalogue: .screens(origin: .simulated))
    for page in [one, two] {
      _ = server.connect(page, at: start)
      _ = server.receive(Array(#"{"open":["alerts"]}"#.utf8), from: page, at: start)
    }
    _ = server.frames(at: start)
    return server
  }

  private func texts(_ effects: [TopicEffect], to page: PageID) -> String {
    effects.compactMap { effect in
      guard case .send(page, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }.joined()
  }

  @Test func `a change goes to the service with the page that asked, and comes back to all`() throws
  {
    var server = server()
    let text = #"{"do":"alert.add","market":"kraken/BTC/USD","price":"64000","again":false}"#
    let asked = server.receive(Array(text.utf8), from: one, at: start)
    #expect(
      asked == [.change(one, .add(bitcoin, .price("64000"), repeats: false, cooldownSeconds: 60))])
    var book = AlertBook()
    let level = try #require(FixedDecimal("64000"))
    try book.add(bitcoin, .price(level), repeats: false, at: start.wall)
    _ = server.publish(AlertsState(book), as: .alerts, at: start)
    let frames = server.frames(at: ClockReading(milliseconds: 2000))
    for page in [one, two] {
      let text = texts(frames, to: page)
      #expect(
        text.contains(
          #""patch":{"rows":[{"id":"1","venue":"kraken","symbol":"BTC/USD","kind":"price","#
            + #""level":"64000","again":false,"armed":true,"createdAt":1000}]}"#))
    }
    let again = server.publish(AlertsState(book), as: .alerts, at: start)
    #expect(again.isEmpty, "what is so already is no change")
  }

  @Test func `a rejected command is reported to the page that sent it`() {
    let message = "You already have an alert at this price."
    let effects = server().refuse("bad_alert", Sentence(key: message), to: one)
    let text = #"{"error":{"code":"bad_alert","message":"\#(message)"}}"#
    #expect(texts(effects, to: one) == text && texts(effects, to: two).isEmpty)
  }
}
