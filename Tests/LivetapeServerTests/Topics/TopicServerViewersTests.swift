// A page that may view everything and change nothing.

import AppState
import MarketModel
import OrderService
import Testing

@testable import LivetapeServer

@Suite struct TopicServerViewersTests {
  private let viewer = PageID(number: 1)
  private let trader = PageID(number: 2)
  private let start = ClockReading(milliseconds: 1000)

  private func server() -> TopicServer {
    var server = TopicServer(catalogue: .screens(origin: .simulated))
    _ = server.connect(viewer, isViewer: true, at: start)
    _ = server.connect(trader, at: start)
    return server
  }

  @Test func `only its own frames are marked as read-only`() {
    var server = server()
    for page in [viewer, trader] { _ = server.say(#"{"open":["status"]}"#, from: page, at: start) }
    let effects = server.frames(at: start)
    let (seen, others) = (effects.texts(to: viewer), effects.texts(to: trader))
    #expect(!seen.isEmpty && seen.allSatisfy { $0.contains(#""access":"view""#) }, "\(seen)")
    #expect(!others.isEmpty && !others.contains { $0.contains("access") }, "\(others)")
  }

  @Test(arguments: [
    #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"buy","quantity":"1"}}"#,
    #"{"do":"order.cancel","id":"17"}"#, #"{"do":"orders.cancelAll","id":"17"}"#,
  ])
  func `its orders are rejected with a reply, and reach no service`(message: String) {
    var server = server()
    let effects = server.say(message, from: viewer, at: start)
    let refusal = effects.texts(to: viewer).first
    #expect(effects.count == 1 && refusal?.contains("for looking") == true, "\(effects)")
    guard case .ask(trader, _)? = server.say(message, from: trader, at: start).first else {
      Issue.record("the other token's order did not go through")
      return
    }
  }

  @Test(arguments: [
    #"{"do":"feed.stop"}"#, #"{"do":"venue.retry","venue":"kraken"}"#,
    #"{"do":"list.add","list":"stars","member":"kraken/BTC/USD"}"#,
    #"{"do":"fault.clear","venue":"kraken"}"#,
  ])
  func `every other change is an error with a reason`(message: String) {
    var server = server()
    let effects = server.say(message, from: viewer, at: start)
    #expect(effects.count == 1)
    let said = effects.texts(to: viewer)
    #expect(said.first?.contains(#""code":"view_only""#) == true, "\(effects)")
  }

  @Test(arguments: [PageReader.page, .script])
  func `viewers' pages and streams leave a quarter of the places to the access token`(
    reader: PageReader
  ) {
    var server = TopicServer(catalogue: .screens(origin: .simulated), pageLimit: 8)
    func connect(_ number: Int, isViewer: Bool) -> Bool {
      let page = PageID(number: number)
      return server.connect(page, isViewer: isViewer, reader: reader, at: start).isEmpty
    }
    for number in 0..<6 { #expect(connect(number, isViewer: true)) }
    #expect(!server.hasRoom(forViewer: true) && !connect(6, isViewer: true))
    for number in 7..<9 { #expect(connect(number, isViewer: false)) }
    #expect(!server.hasRoom(forViewer: false) && !connect(9, isViewer: false))
    _ = server.disconnect(PageID(number: 0), at: start)
    #expect(server.hasRoom(forViewer: true))
  }

  @Test func `it may ask what an order would take`() {
    var server = server()
    let message =
      #"{"do":"order.preview","ask":3,"order":{"type":"market","side":"buy","quantity":"1"}}"#
    guard case .ask(viewer, _)? = server.say(message, from: viewer, at: start).first else {
      Issue.record("no preview")
      return
    }
  }
}
