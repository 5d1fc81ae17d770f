// Orders at the topic server: which page receives what, and a page's request limit.

import AppState
import Foundation
import MarketModel
import OrderService
import PaperTrading
import Testing

@testable import LivetapeServer

@Suite struct TopicServerOrdersTests {
  private let one = PageID(number: 1)
  private let two = PageID(number: 2)
  private let start = ClockReading(milliseconds: 1000)
  private let rules = TradingRules(oneStock: Symbol("TROAD") ?? TopicServerOrdersTests.unknown())

  private static func unknown() -> Symbol { preconditionFailure("a literal that is no symbol") }

  private func server() -> TopicServer {
    var server = TopicServer(catalogue: .screens(origin: .simulated))
    for page in [one, two] { _ = server.connect(page, at: start) }
    return server
  }

  private func cancel(_ id: UInt64) -> (message: String, ask: PageAsk) {
    (
      #"{"do":"order.cancel","id":"\#(id)"}"#,
      PageAsk(command: .cancel(OrderIdentifier(number: id)))
    )
  }

  @Test func `a command goes to the order service and its response to the page that asked`() throws
  {
    var server = server()
    let (message, ask) = cancel(17)
    let effects = server.say(message, from: one, at: start)
    #expect(effects == [.ask(one, ask)])
    let answer = OrderResponse.cancelled(OrderIdentifier(number: 17))
    let told = server.receive(answer, to: ask, from: one)
    #expect(told == [.send(one, try #require(OrderReplies.reply(to: ask, answer)))])
    _ = server.disconnect(one, at: start)
    let gone = server.receive(answer, to: ask, from: one)
    #expect(gone == [])
  }

  @Test func `one page may have 32 commands without an answer and others are not touched by it`() {
    var server = server()
    for number in 1...UInt64(TopicServer.maximumAsksUnderWay) {
      let effects = server.say(cancel(number).message, from: one, at: start)
      #expect(effects == [.ask(one, cancel(number).ask)])
    }
    let over = server.say(cancel(99).message, from: one, at: start)
    let refusal = over.texts(to: one)
    #expect(over.count == 1 && refusal.first?.contains(#""ok":false"#) == true, "\(over)")
    let other = server.say(cancel(99).message, from: two, at: start)
    #expect(other == [.ask(two, cancel(99).ask)])
    _ = server.receive(.cancelled(OrderIdentifier(number: 1)), to: cancel(1).ask, from: one)
    let again = server.say(cancel(99).message, from: one, at: start)
    #expect(again == [.ask(one, cancel(99).ask)])
  }

  @Test func `notices go to pages that show orders and can take them`() throws {
    var trader = PaperTrader(rules: rules)
    _ = trader.handle(.feed(.tick(snapshot(ask: 60)), of: trader.rules.symbol), at: start)
    var server = server()
    _ = server.say(#"{"open":["orders"]}"#, from: one, at: start)
    let notice = try #require(notices(&trader).first)
    let told = server.receive([notice])
    #expect(told == [.send(one, OrderReplies.notice(notice))])
    server.pause(one)
    let behind = server.receive([notice])
    #expect(behind == [])
  }

  @Test func `the history is there for a page that opens it later and its rows are patched`() throws
  {
    var trader = PaperTrader(rules: rules)
    _ = trader.handle(.feed(.tick(snapshot(ask: 60)), of: trader.rules.symbol), at: start)
    var server = server()
    _ = server.receive(overview(trader), at: start)
    _ = notices(&trader)
    _ = server.receive(overview(trader), at: start)
    _ = server.say(#"{"open":["orders"]}"#, from: one, at: start)
    let first = try #require(text(server.frames(at: start)))
    #expect(
      first.contains(#""snapshot":{"loaded":true,"order":["1"],"orders":{"1":{"clientId":"a""#))
    #expect(first.contains(#""average":"45.10""#) && first.contains(#""slippage":"0.00""#))
    #expect(first.contains(#""levels":[["45.10","60"]]"#))
    #expect(first.contains(#""fills":[[1000,"45.10","60","",false,["a level of {0}","60"]]]"#))
    #expect(first.contains(#""reason":["Cancelled: {0}.",["only {0} offered","60"]]"#))
    #expect(first.contains(#""status":"CANCELLED","placedAt":1000,"changedAt":1000"#))
    #expect(first.contains(#""total":1,"openCount":0,"counts":{"PENDING":0"#))
    #expect(first.contains(#""ledger":{"events":3,"head":"abc","intact":true}"#))
    _ = server.receive(overview(trader, failure: "Disk full."), at: start)
    let second = try #require(text(server.frames(at: start)))
    #expect(second.contains(#""patch":{"failure":"Disk full."}"#))
  }

  @Test func `orders that wait have a topic of their own, in which the market is no news`() throws {
    var trader = PaperTrader(rules: rules)
    _ = trader.handle(.feed(.tick(snapshot(ask: 60)), of: trader.rules.symbol), at: start)
    let ticket = OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier("patient")), side: .buy,
      kind: .limit(price: "44"), quantity: "5")
    let request = try TicketParser(rules: rules).request(ticket, market: trader.liveMarket)
    _ = trader.handle(.place(request), at: start)
    _ = notices(&trader)
    var server = server()
    _ = server.receive(overview(trader), at: start)
    _ = server.say(#"{"open":["openOrders"]}"#, from: one, at: start)
    let first = try #require(text(server.frames(at: start)))
    #expect(first.contains(#""snapshot":{"loaded":true,"order":["1"],"orders":{"1":{"clientId":"#))
    #expect(!first.contains(#""reason""#) && !first.contains(#""wouldHaveFilled""#))
    _ = trader.handle(.feed(.tick(snapshot(ask: 61)), of: trader.rules.symbol), at: start)
    _ = server.receive(overview(trader), at: start)
    #expect(text(server.frames(at: start)) == nil)
    _ = trader.handle(.cancel(OrderIdentifier(number: 1)), at: start)
    _ = server.receive(overview(trader), at: start)
    let last = try #require(text(server.frames(at: start)))
    #expect(last.contains(#""patch":{"order":[],"orders":{"1":null}}"#))
  }

  @Test func `responses follow the page protocol`() throws {
    var trader = PaperTrader(rules: rules)
    _ = trader.handle(.feed(.tick(snapshot(ask: 36)), of: trader.rules.symbol), at: start)
    let ticket = try ticket("100")
    func text(_ ask: PageAsk, _ answer: OrderResponse) -> String {
      String(decoding: OrderReplies.reply(to: ask, answer) ?? [], as: UTF8.self)
    }
    let place = PageAsk(command: .place(ticket))
    #expect(
      text(place, .placed(OrderIdentifier(number: 17), isRepeated: false))
        == #"{"reply":{"to":"order.place","clientId":"a","ok":true,"id":"17","repeated":false}}"#)
    #expect(
      text(place, .refused(.init("No \"x\".", field: .quantity)))
        == #"{"reply":{"to":"order.place","clientId":"a","ok":false,"#
        + #""message":"No \"x\".","field":"quantity"}}"#)
    let (_, cancel) = cancel(17)
    #expect(
      text(cancel, .cancelled(OrderIdentifier(number: 17)))
        == #"{"reply":{"to":"order.cancel","id":"17","ok":true}}"#)
    #expect(
      text(cancel, .refused(.init("Too late.", order: OrderIdentifier(number: 17))))
        == #"{"reply":{"to":"order.cancel","id":"17","ok":false,"message":"Too late."}}"#)
    let all = PageAsk(command: .cancelAll(through: OrderIdentifier(number: 17)))
    #expect(
      text(all, .cancelledAll(count: 12))
        == #"{"reply":{"to":"orders.cancelAll","id":"17","ok":true,"count":12}}"#)
    let request = try TicketParser(rules: rules).request(ticket, market: trader.liveMarket)
    guard case .shown(let figures) = trader.preview(request) else {
      Issue.record("no figures")
      return
    }
    let preview = PageAsk(command: .preview(ticket), number: 4)
    #expect(
      text(preview, .preview(figures))
        == #"{"reply":{"to":"order.preview","ask":4,"ok":true,"fill":["45.10","36"],"#
        + #""worst":"45.10","position":"36","leavesQuantity":"64","#
        + #""remainderRests":false,"tick":1}}"#)
    let waiting = OrderResponse.refused(.init("Late.", usual: FixedDecimal("2.5")))
    #expect(
      text(preview, waiting)
        == #"{"reply":{"to":"order.preview","ask":4,"ok":false,"message":"Late.","usual":"2.5"}}"#)
    #expect(!text(place, waiting).contains("usual"))
  }

  private func text(_ effects: [TopicEffect]) -> String? {
    effects.compactMap { effect -> String? in
      guard case .send(one, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }.first
  }

  private func ticket(_ quantity: String) throws -> OrderTicket {
    OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier("a")), side: .buy, kind: .market,
      quantity: quantity)
  }

  private func snapshot(ask quantity: Int64) -> TopOfBook {
    TopOfBook(
      number: 1, venueTime: 1, bid: nil,
      ask: PriceLevel(price: Price(units: 45_100_000), quantity: Quantity(units: quantity)))
  }

  private func notices(_ trader: inout PaperTrader) -> [OrderNotice] {
    guard let ticket = try? ticket("100"),
      let request = try? TicketParser(rules: rules).request(ticket, market: trader.liveMarket)
    else { return [] }
    return trader.handle(.place(request), at: start).notices
  }

  private func overview(_ trader: PaperTrader, failure: Sentence? = nil) -> TradingOverview {
    trader.overview(
      storage: StorageStatus(
        eventCount: trader.history.lastSequence, head: "abc", isIntact: true),
      failure: failure, skippedTicks: 0)
  }
}
