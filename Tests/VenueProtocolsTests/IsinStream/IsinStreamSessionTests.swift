// The ISIN stream from subscription to silence: WL1 and the fault table.

import MarketModel
import Testing
import VenueProtocols

struct IsinStreamSessionTests: QuoteVenueTests {
  let apple: Symbol
  let basf: Symbol

  init() throws {
    apple = try #require(Symbol("US0378331005"))
    basf = try #require(Symbol("DE000BASF111"))
  }

  func open(wanting symbols: [Symbol]) -> SessionDriver<IsinStreamSession> {
    var driver = SessionDriver(IsinStreamSession(origin: .simulated))
    driver.want(symbols)
    driver.give(.opened)
    return driver
  }

  func quote(_ symbol: Symbol, _ price: String) -> String {
    #"{"isin":"\#(symbol)","price":\#(price)}"#
  }

  @Test func `WL1 one subscription a message, one unsubscription a message`() {
    var driver = open(wanting: [apple, basf])
    #expect(
      driver.takeSent() == [#"{"subscribe":"DE000BASF111"}"#, #"{"subscribe":"US0378331005"}"#])
    driver.pass(milliseconds: 1000)
    driver.want([apple])
    #expect(driver.takeSent() == [#"{"unsubscribe":"DE000BASF111"}"#])
  }

  @Test func `WL1 a quote changes the price, its direction and the count of changes`() throws {
    var driver = open(wanting: [apple])
    #expect(try driver.quote(apple).freshness.state == .waiting)
    #expect(driver.receive(quote(apple, "240.32")) == [changed(apple)])
    #expect(try driver.quote(apple).direction == .unchanged && driver.quote(apple).changes == 0)
    driver.receive(quote(apple, "240.33"))
    #expect(try driver.quote(apple).direction == .up && driver.quote(apple).changes == 1)
    #expect(driver.receive(quote(apple, "240.330")) == [], "the same value is no change")
    driver.receive(quote(apple, "240.3"))
    let view = try driver.quote(apple)
    #expect(view.direction == .down && view.changes == 2 && view.price?.description == "240.3")
    #expect(view.freshness.state == .live && view.freshness.origin == .simulated)
  }

  @Test func `the session is ready as soon as it is open, and quiet before`() {
    var driver = SessionDriver(IsinStreamSession(origin: .venue))
    #expect(driver.want([apple]) == [])
    #expect(driver.give(.timer) == [])
    #expect(driver.give(.opened).first == .ready)
    #expect(driver.takeSent() == [#"{"subscribe":"US0378331005"}"#])
  }

  @Test func `wanting the same again sends nothing: it would reset the price`() {
    var driver = open(wanting: [apple])
    driver.receive(quote(apple, "5"))
    _ = driver.takeSent()
    for _ in 0..<100 {
      driver.want([apple])
      driver.pass(milliseconds: 250)
      driver.receive(quote(apple, "5"))
    }
    #expect(driver.takeSent() == [])
  }

  @Test func `commands for one ISIN are kept apart, and the last request wins`() {
    var driver = open(wanting: [apple])
    driver.milliseconds += 10
    driver.want([])
    driver.milliseconds += 10
    driver.want([apple])
    driver.milliseconds += 10
    driver.want([])
    #expect(driver.takeSent() == [#"{"subscribe":"US0378331005"}"#])
    driver.pass(milliseconds: 150)
    #expect(driver.takeSent() == [], "too early for a second command")
    driver.pass(milliseconds: 250)
    #expect(driver.takeSent() == [#"{"unsubscribe":"US0378331005"}"#])
    driver.pass(milliseconds: 5000)
    #expect(driver.takeSent() == [])
  }

  @Test func `a request that returns in time needs no command`() {
    var driver = open(wanting: [apple])
    _ = driver.takeSent()
    driver.milliseconds += 10
    driver.want([])
    driver.milliseconds += 10
    driver.want([apple])
    driver.pass(milliseconds: 1000)
    #expect(driver.takeSent() == [])
  }

  @Test func `a row that was gone for a moment is not subscribed a second time`() {
    var driver = open(wanting: [apple])
    driver.milliseconds += 50
    driver.receive(quote(apple, "240.32"))
    driver.want([])
    driver.want([apple, basf])
    _ = driver.takeSent()
    for step in 0..<28 {
      driver.pass(milliseconds: 250)
      driver.receive(quote(basf, "\(40 + step)"))
    }
    #expect(driver.takeSent() == [])
  }

  @Test func `the only ISIN is subscribed again when the stream has long been silent`() {
    var driver = open(wanting: [apple])
    driver.receive(quote(apple, "240.32"))
    _ = driver.takeSent()
    driver.pass(milliseconds: 6_000)
    #expect(driver.takeSent() == [])
    driver.pass(milliseconds: 250)
    #expect(driver.takeSent() == [#"{"subscribe":"US0378331005"}"#])
  }

  @Test func `WL1 after a reconnect each wanted ISIN is subscribed once`() throws {
    var driver = open(wanting: [apple, basf])
    driver.receive(quote(apple, "240.32"))
    _ = driver.takeSent()
    driver.milliseconds += 1000
    #expect(driver.give(.closed) == [changed(basf), changed(apple)])
    driver.want([apple])
    #expect(driver.takeSent() == [])
    #expect(try driver.quote(apple).freshness.state == .disconnected)
    #expect(try driver.quote(apple).price == decimal("240.32"))
    driver.give(.opened)
    #expect(driver.takeSent() == [#"{"subscribe":"US0378331005"}"#])
    #expect(try driver.quote(apple).freshness.state == .stale, "nothing has confirmed it yet")
    #expect(driver.receive(quote(apple, "240.32")) == [changed(apple)], "freshness came back")
    #expect(try driver.quote(apple).freshness.state == .live)
    #expect(try driver.quote(apple).changes == 0)
  }

  @Test func `a quote for an ISIN that is not wanted is ignored without error`() throws {
    var driver = open(wanting: [apple])
    #expect(driver.receive(quote(basf, "1")) == [])
    #expect(driver.receive(#"{"isin":"","price":1}"#) == [])
    #expect(driver.receive(#"{"isin":"[object Object]","price":1}"#) == [])
    #expect(try driver.quote(basf).price == nil)
  }

  @Test func `quotes that go on after an unsubscription bring another one`() {
    var driver = open(wanting: [apple])
    driver.pass(milliseconds: 500)
    driver.want([])
    _ = driver.takeSent()
    driver.milliseconds += 60
    driver.receive(quote(apple, "1"))
    #expect(driver.takeSent() == [], "within the server's own delay")
    driver.milliseconds += 2000
    driver.receive(quote(apple, "1"))
    driver.receive(quote(apple, "1"))
    #expect(driver.takeSent() == [#"{"unsubscribe":"US0378331005"}"#])
  }

  @Test func `a subscription without its first quote is repeated ever more rarely`() {
    var driver = open(wanting: [apple])
    driver.pass(milliseconds: 120_000)
    let subscription = #"{"subscribe":"US0378331005"}"#
    #expect(driver.takeSent() == Array(repeating: subscription, count: 5), "0, 5, 15, 35, 75 s")
  }

  @Test func `an ISIN that is passed over far too often is stale and subscribed again`() throws {
    var driver = open(wanting: [apple, basf])
    driver.receive(quote(apple, "240.32"))
    driver.receive(quote(basf, "40"))
    _ = driver.takeSent()
    var staleAfter = 0
    while try driver.quote(apple).freshness.state == .live, staleAfter < 1000 {
      driver.pass(milliseconds: 250)
      driver.receive(quote(basf, "\(41 + staleAfter)"))
      staleAfter += 1
    }
    #expect(staleAfter == 32)
    #expect(try driver.quote(basf).freshness.state == .live)
    #expect(driver.pass(milliseconds: 250).contains(changed(apple)))
    #expect(driver.takeSent() == [#"{"subscribe":"US0378331005"}"#])
  }

  @Test func `a silent server makes prices late, then stale, and a quote brings them back`() throws
  {
    var driver = open(wanting: [apple])
    for step in 0..<20 {
      driver.receive(quote(apple, "\(100 + step)"))
      driver.pass(milliseconds: 350)
    }
    #expect(try driver.quote(apple).freshness.state == .live)
    let confirmed = try driver.quote(apple).freshness.confirmedAt
    #expect(driver.pass(milliseconds: 1500).contains(changed(apple)))
    #expect(try driver.quote(apple).freshness.state == .late)
    driver.pass(milliseconds: 6000)
    #expect(try driver.quote(apple).freshness.state == .stale)
    #expect(try driver.quote(apple).freshness.confirmedAt == confirmed)
    #expect(driver.receive(quote(apple, "119")) == [changed(apple)])
    #expect(try driver.quote(apple).freshness.state == .live)
  }

  @Test func `a rejected message is counted and changes no value`() throws {
    var driver = open(wanting: [apple])
    driver.receive(quote(apple, "240.32"))
    let before = try driver.quote(apple)
    for text in [#"{"isin":"US0378331005","price":"1"}"#, "oops", #"{"isin":7,"price":1}"#] {
      guard case .rejected(let problem)? = driver.receive(text).first else {
        Issue.record("accepted \(text)")
        continue
      }
      #expect(problem.venue == .isin && problem.kind == .malformed)
    }
    driver.receive(bytes: [0xff, 0xfe, 0x00])
    let after = try driver.quote(apple)
    #expect(after.price == before.price && after.changes == before.changes)
    #expect(after.freshness.state == .late && driver.rejected.count == 4)
  }

  @Test func `messages after the close are not taken`() throws {
    var driver = open(wanting: [apple])
    driver.give(.closed)
    #expect(driver.receive(quote(apple, "1")) == [])
    #expect(try driver.quote(apple).price == nil)
  }

  @Test func `only quotes exist here`() throws {
    var driver = open(wanting: [])
    driver.give(.wanted([Subscription(.book, apple), Subscription(.trades, apple)]))
    #expect(driver.takeSent() == [])
    #expect(driver.session.value(for: Subscription(.book, apple), at: driver.now) == nil)
  }

  @Test func `memory stays bounded while a user scrolls through thousands of rows`() throws {
    var driver = open(wanting: [])
    for index in 0..<2_000 {
      let row = try symbol("ISIN\(index)")
      driver.want([row])
      driver.receive(quote(row, "1"))
      driver.milliseconds += 250
    }
    #expect(try driver.quote(symbol("ISIN0")).price == nil, "long forgotten")
    #expect(try driver.quote(symbol("ISIN1999")).price != nil)
    #expect(try driver.quote(symbol("ISIN1998")).freshness.state == .stale)
  }

  @Test func `the recorded session replays to its last prices`() throws {
    var driver = SessionDriver(IsinStreamSession(origin: .replay))
    driver.give(.opened)
    var wanted: [Symbol] = []
    var last: [Symbol: String] = [:]
    for line in try QuotePayloads.session("session-basic") {
      driver.milliseconds = line.milliseconds
      if line.isSent {
        for known in [apple, basf] where line.text.contains(known.text) {
          wanted.removeAll { $0 == known }
          if line.text.contains(#""subscribe""#) { wanted.append(known) }
        }
        driver.want(wanted)
        #expect(driver.takeSent().last == line.text)
      } else {
        driver.receive(line.text)
        let parts = line.text.split(whereSeparator: { ":,\"".contains($0) }).map(String.init)
        if let isin = Symbol(parts[2]), wanted.contains(isin) { last[isin] = parts[4] }
      }
    }
    #expect(driver.rejected == [] && last.count >= 2)
    for (isin, price) in last {
      #expect(try driver.quote(isin).price?.description == price)
    }
  }

  @Test func `odd inputs of the recorded session never stop it`() throws {
    var driver = open(wanting: [try symbol("not-an-isin")])
    for line in try QuotePayloads.session("session-odd-inputs") where !line.isSent {
      driver.milliseconds = line.milliseconds
      driver.receive(line.text)
    }
    #expect(driver.rejected.count == 2, "isin as a number and as an object")
    #expect(try driver.quote(symbol("not-an-isin")).price?.description == "68.36788397841488")
  }
}
