// BUX's feed from welcome to weekend: PD4 to PD6 and the fault table.

import Foundation
import MarketModel
import Testing
import VenueProtocols

struct BuxSessionTests: QuoteVenueTests {
  let germany: Symbol
  let gold: Symbol
  let connected =
    #"{"body":{"userId":"u","sessionId":"s","time":1512230145965},"t":"connect.connected"}"#

  init() throws {
    germany = try #require(Symbol("sb26493"))
    gold = try #require(Symbol("sb26500"))
  }

  func open(wanting symbols: [Symbol]) -> SessionDriver<BuxSession> {
    var driver = SessionDriver(BuxSession(origin: .simulated))
    driver.want(symbols)
    driver.give(.opened)
    driver.receive(connected)
    return driver
  }

  func quote(_ symbol: Symbol, _ price: String, identifier: String? = nil) -> String {
    let name = identifier.map { #""id":"\#($0)","# } ?? ""
    let body = #"{"securityId":"\#(symbol)","currentPrice":"\#(price)"}"#
    return #"{"t":"trading.quote",\#(name)"body":\#(body)}"#
  }

  func request(to: [Symbol] = [], from: [Symbol] = []) -> String {
    let names = [to, from].map { $0.map { "\"trading.product.\($0)\"" }.joined(separator: ",") }
    return #"{"subscribeTo":[\#(names[0])],"unsubscribeFrom":[\#(names[1])]}"#
  }

  @Test func `PD4 nothing is requested before the welcome`() {
    var driver = SessionDriver(BuxSession(origin: .simulated))
    driver.give(.opened)
    driver.want([germany])
    #expect(driver.takeSent() == [])
    let effects = driver.receive(connected)
    #expect(effects.first == .ready && effects.count == 2)
    #expect(driver.takeSent() == [request(to: [germany])])
    #expect(driver.receive(connected) == [], "a second greeting means nothing")
  }

  @Test func `PD5 one message carries what is new and what is no longer wanted`() {
    var driver = open(wanting: [germany])
    _ = driver.takeSent()
    driver.want([gold])
    #expect(driver.takeSent() == [request(to: [gold], from: [germany])])
    driver.want([gold])
    #expect(driver.takeSent() == [])
    driver.want([])
    #expect(driver.takeSent() == [request(from: [gold])])
  }

  @Test func `PD6 a quote updates price, direction and count`() throws {
    var driver = open(wanting: [germany])
    #expect(driver.receive(quote(germany, "12352.8")) == [changed(germany)])
    #expect(driver.receive(quote(germany, "12352.8")) == [])
    driver.receive(quote(germany, "12352.9"))
    let view = try driver.quote(germany)
    #expect(view.price?.description == "12352.9" && view.direction == .up && view.changes == 1)
    #expect(view.bid == nil && view.ask == nil)
  }

  @Test func `PD6 other types are ignored without error`() {
    var driver = open(wanting: [germany])
    _ = driver.takeSent()
    for type in ["portfolio.performance", "incentives.promotion.banner", "notifications.update.v2"]
    {
      #expect(driver.receive(#"{"t":"\#(type)","id":"1","v":1,"body":{"a":[{}]}}"#) == [])
    }
    #expect(driver.rejected == [] && driver.takeSent() == [])
  }

  @Test func `PD4 PD7 a rejected connection gives the reason and is not retried`() throws {
    var driver = SessionDriver(BuxSession(origin: .simulated))
    driver.give(.opened)
    let effects = driver.receive(
      #"{"t":"connect.failed","body":{"developerMessage":"Missing JWT","errorCode":"RTF_002"}}"#)
    guard case .refuse(let problem)? = effects.first, effects.count == 1 else {
      Issue.record("expected a refusal, found \(effects)")
      return
    }
    #expect(problem.kind == .unauthorized)
    #expect(problem.userMessage.description.contains("needs an access token"))
    #expect(problem.description == "connect.failed: RTF_002, Missing JWT")
    driver.want([germany])
    #expect(driver.receive(connected) == [] && driver.takeSent() == [])
    driver.give(.closed)
    driver.give(.opened)
    #expect(driver.receive(connected).first == .ready, "with a new token it may work")
  }

  @Test func `PD4 a refusal in words that are not known is shown with its code`() {
    var driver = SessionDriver(BuxSession(origin: .simulated))
    driver.give(.opened)
    let text = #"{"body":{"errorCode":"RTF_999"},"t":"connect.failed"}"#
    guard case .refuse(let problem)? = driver.receive(text).first else {
      Issue.record("not refused")
      return
    }
    #expect(problem.userMessage.description.contains("RTF_999"))
  }

  @Test func `a greeting that never comes ends the attempt`() {
    var driver = SessionDriver(BuxSession(origin: .simulated))
    driver.give(.opened)
    #expect(driver.pass(milliseconds: 9_750) == [])
    guard case .reconnect? = driver.pass(milliseconds: 250).first else {
      Issue.record("still waiting")
      return
    }
    #expect(driver.pass(milliseconds: 20_000) == [], "once is enough")
  }

  @Test func `a message that is delivered twice counts once among the latest fifteen`() throws {
    var driver = open(wanting: [germany])
    driver.receive(quote(germany, "1", identifier: "a"))
    driver.receive(quote(germany, "2", identifier: "b"))
    #expect(driver.receive(quote(germany, "1", identifier: "a")) == [])
    #expect(try driver.quote(germany).price?.description == "2")
    for index in 0..<14 { driver.receive(quote(germany, "3", identifier: "\(index)")) }
    #expect(driver.receive(quote(germany, "4", identifier: "b")) == [], "b is the fifteenth")
    driver.receive(quote(germany, "5", identifier: "a"))
    #expect(try driver.quote(germany).price?.description == "5", "a is long forgotten")
  }

  @Test func `a damaged message does not shadow its good repetition`() throws {
    var driver = open(wanting: [germany])
    driver.receive(quote(germany, "x", identifier: "a"))
    #expect(driver.rejected.count == 1)
    driver.receive(quote(germany, "7", identifier: "a"))
    #expect(try driver.quote(germany).price?.description == "7")
  }

  @Test func `PD8 after a reconnect it waits for the greeting and subscribes once`() throws {
    var driver = open(wanting: [germany, gold])
    driver.receive(quote(germany, "12352.8", identifier: "a"))
    _ = driver.takeSent()
    driver.give(.closed)
    #expect(try driver.quote(germany).freshness.state == .disconnected)
    #expect(try driver.quote(germany).price?.description == "12352.8")
    driver.want([germany])
    driver.give(.opened)
    #expect(driver.takeSent() == [])
    driver.receive(connected)
    #expect(driver.takeSent() == [request(to: [germany])])
    #expect(try driver.quote(germany).freshness.state == .stale)
    #expect(driver.receive(quote(germany, "12352.8", identifier: "a")) == [changed(germany)])
    #expect(try driver.quote(germany).freshness.state == .live)
  }

  @Test func `a quiet market with a live connection is late and not stale`() throws {
    var driver = open(wanting: [germany])
    driver.receive(quote(germany, "12352.8"))
    driver.pass(milliseconds: 3_600_000)
    #expect(try driver.quote(germany).freshness.state == .late)
  }

  @Test func `a rhythm that breaks off is late, never stale, and a quote brings it back`() throws {
    var driver = open(wanting: [germany])
    for price in 100..<120 {
      driver.receive(quote(germany, "\(price)"))
      driver.pass(milliseconds: 1000)
    }
    #expect(try driver.quote(germany).freshness.state == .live)
    #expect(driver.pass(milliseconds: 15_000).contains(changed(germany)))
    #expect(try driver.quote(germany).freshness.state == .late)
    driver.pass(milliseconds: 3_600_000)
    #expect(try driver.quote(germany).freshness.state == .late)
    #expect(driver.receive(quote(germany, "119")) == [changed(germany)])
    #expect(try driver.quote(germany).freshness.state == .live)
  }

  @Test func `unrequested quotes are ignored`() throws {
    var driver = SessionDriver(BuxSession(origin: .simulated))
    driver.want([germany])
    driver.give(.opened)
    #expect(driver.receive(quote(germany, "1")) == [], "before the greeting")
    driver.receive(connected)
    #expect(driver.receive(quote(gold, "1")) == [])
    #expect(try driver.quote(gold).price == nil && driver.quote(germany).price == nil)
  }

  @Test func `many products are requested in messages of bounded size`() throws {
    let products = try (0..<250).map { try symbol("sb\(1000 + $0)") }
    var driver = open(wanting: products)
    let sent = driver.takeSent()
    #expect(sent.count == 3)
    #expect(sent.joined().components(separatedBy: "trading.product.").count == 251)
    driver.want([])
    #expect(driver.takeSent().count == 3)
  }

  @Test func `damaged messages are counted and change no value`() throws {
    var driver = open(wanting: [germany])
    driver.receive(quote(germany, "12352.8"))
    let before = try driver.quote(germany)
    for text in ["", "{", "hello", quote(germany, "-1"), #"{"body":{}}"#] {
      driver.receive(text)
      let after = try driver.quote(germany)
      #expect(after.price == before.price && after.changes == before.changes)
    }
    #expect(driver.rejected.count == 5)
  }

  @Test func `PD6 a price whose later quotes can't be read is late at once`() throws {
    var driver = open(wanting: [germany, gold])
    driver.receive(quote(germany, "12352.8"))
    driver.receive(quote(gold, "1800"))
    driver.receive(quote(germany, "-1"))
    #expect(try driver.quote(germany).freshness.state == .late)
    #expect(try driver.quote(gold).freshness.state == .live, "the message named the other")
    let effects = driver.receive(#"{"t":"trading.quote","body":{"securityId":"sb2"#)
    #expect(effects.contains(changed(gold)))
    #expect(try driver.quote(gold).freshness.state == .late, "it may have been this one")
    driver.receive(quote(gold, "1801"))
    #expect(try driver.quote(gold).freshness.state == .live)
  }

  @Test func `PD6 a quote of something that can't be followed casts no doubt on others`() throws {
    var driver = open(wanting: [germany])
    driver.receive(quote(germany, "12352.8"))
    for name in ["", "a b", String(repeating: "x", count: 49)] {
      driver.receive(#"{"t":"trading.quote","body":{"securityId":"\#(name)","currentPrice":"-1"}}"#)
    }
    #expect(driver.rejected.count == 3)
    #expect(try driver.quote(germany).freshness.state == .live)
  }

  @Test func `PD6 a price is late after a minute of silence when no rhythm is known`() throws {
    var driver = open(wanting: [germany])
    driver.receive(quote(germany, "12352.8"))
    driver.pass(milliseconds: 60_000)
    #expect(try driver.quote(germany).freshness.state == .live)
    driver.pass(milliseconds: 250)
    #expect(try driver.quote(germany).freshness.state == .late)
  }
}
