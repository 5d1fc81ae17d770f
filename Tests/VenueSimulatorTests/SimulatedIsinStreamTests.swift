// The ISIN stream against the behaviour of the published server.

import MarketModel
import Testing
import VenueSimulator

@Suite struct SimulatedIsinStreamTests {
  private static let start = VenueDriver<SimulatedIsinStream>.start

  private func connected(
    seed: UInt64 = 7, behaviour: IsinStreamBehaviour = .usable
  ) -> VenueDriver<SimulatedIsinStream> {
    var driver = VenueDriver(
      SimulatedIsinStream(seed: seed, start: Self.start, behaviour: behaviour))
    driver.connect(1)
    return driver
  }

  @Test func `a subscription is answered by one quote after 10 to 60 ms and then by the timer`()
    throws
  {
    var driver = connected()
    driver.send(#"{"subscribe":"US0378331005"}"#, from: 1)
    driver.run(milliseconds: 9)
    #expect(driver.take(1).isEmpty)
    driver.run(milliseconds: 51)
    let first = try JSONTree(try #require(driver.take(1).first))
    #expect(first.keys == ["isin", "price", "bid", "ask"])
    #expect(first["isin"] == .string("US0378331005"))
    driver.run(milliseconds: 35_000)
    #expect((70...140).contains(driver.take(1).count), "about one quote in 350 ms")
  }

  @Test(
    arguments: ["DE000BASF111", "US0378331005", "ANYTHING"],
    [IsinStreamBehaviour.usable, .published])
  func `the price is the middle of bid and ask, which are cents away and exact`(
    name: String, behaviour: IsinStreamBehaviour
  ) throws {
    var driver = connected(behaviour: behaviour)
    driver.send(#"{"subscribe":"\#(name)"}"#, from: 1)
    driver.run(milliseconds: 20_000)
    let quotes = try driver.take(1).map { try JSONTree($0) }
    #expect(quotes.count > 20)
    let isMarket = behaviour == .usable && name != "ANYTHING"
    for quote in quotes {
      let scale = Scale(clamping: 14)
      let price = try #require(quote["price"]?.decimal?.exactly(at: scale)?.units)
      let bid = try #require(quote["bid"]?.decimal?.exactly(at: scale)?.units)
      let ask = try #require(quote["ask"]?.decimal?.exactly(at: scale)?.units)
      #expect(price > 0 && bid < ask && (bid + ask) / 2 == price)
      // The published server's bid and ask are a cent from the price.
      if !isMarket { #expect(price - bid == 1_000_000_000_000) }
      #expect(ask - bid < 20_000_000_000_000)
    }
    let isInDollars = name != "DE000BASF111" || behaviour == .published
    #expect(quotes.contains { ($0["price"]?.text?.count ?? 0) > 14 } == isInDollars)
  }

  @Test func `everybody is quoted the same price at the same moment`() throws {
    var driver = VenueDriver(SimulatedIsinStream(seed: 2, start: Self.start))
    for client in 1...40 {
      driver.connect(client)
      driver.send(#"{"subscribe":"DE0007164600"}"#, from: client)
    }
    driver.run(milliseconds: 60)
    let prices = (1...40).compactMap { driver.take($0).first }
    #expect(prices.count == 40)
    #expect(Set(prices).count <= 2, "a step of the market may lie between")
  }

  @Test func `the mode of the brief writes two decimals`() throws {
    var driver = connected(behaviour: .spec)
    driver.send(#"{"subscribe":"US0378331005"}"#, from: 1)
    driver.run(milliseconds: 60)
    let quote = try JSONTree(try #require(driver.take(1).first))
    for key in ["price", "bid", "ask"] { #expect(quote[key]?.decimal?.scale.digits == 2) }
  }

  @Test func `start prices lie in 20 to 300 and are stable for a seed`() throws {
    for number in 0..<40 {
      let isin = "DE000000\(1000 + number)"
      var prices: [FixedDecimal] = []
      for connection in 1...2 {
        var driver = VenueDriver(SimulatedIsinStream(seed: 3, start: Self.start))
        driver.connect(connection)
        driver.send(#"{"subscribe":"\#(isin)"}"#, from: connection)
        driver.run(milliseconds: 60)
        let quote = try JSONTree(try #require(driver.take(connection).first))
        prices.append(try #require(quote["price"]?.decimal))
      }
      #expect(prices.allSatisfy { $0 > FixedDecimal(units: 19, scale: .whole) })
      #expect(prices.allSatisfy { $0 < FixedDecimal(units: 302, scale: .whole) })
      let difference = abs(
        try #require(prices[0].rounded(to: .whole)).units
          - (try #require(prices[1].rounded(to: .whole)).units))
      #expect(difference <= 4, "\(isin)")
    }
  }

  @Test func `arrays, both keys and binary messages are honoured`() {
    var driver = connected()
    driver.send(#"{"subscribe":["A1","B2","C3"],"unsubscribe":"B2"}"#, from: 1, binary: true)
    driver.run(milliseconds: 60)
    #expect(driver.take(1).count >= 3)
    driver.run(milliseconds: 20_000)
    let later = driver.take(1)
    #expect(later.contains { $0.contains("\"A1\"") } && later.contains { $0.contains("\"C3\"") })
    #expect(!later.contains { $0.contains("\"B2\"") })
  }

  @Test func `a share whose dollars are given begins at what they are in euros`() throws {
    var driver = VenueDriver(
      SimulatedIsinStream(seed: 7, start: Self.start, stockStartCents: ["US5949181045": 42_075]))
    driver.connect(1)
    driver.send(#"{"subscribe":"US5949181045"}"#, from: 1)
    driver.run(milliseconds: 60)
    let quote = try #require(driver.take(1).first)
    let digits = try #require(quote.firstMatch(of: /"price":(\d+)/))
    let price = try #require(Int(digits.1))
    #expect((385...389).contains(price))
  }

  @Test func `two commands sent together are sometimes carried out in the other order`() {
    var stillSubscribed = 0
    for number in 1...200 {
      var driver = VenueDriver(SimulatedIsinStream(seed: 11, start: Self.start))
      driver.connect(number)
      driver.send(#"{"subscribe":"X"}"#, from: number)
      driver.send(#"{"unsubscribe":"X"}"#, from: number)
      driver.run(milliseconds: 60)
      _ = driver.take(number)
      driver.run(milliseconds: 3000)
      if !driver.take(number).isEmpty { stillSubscribed += 1 }
    }
    #expect((50...150).contains(stillSubscribed), "\(stillSubscribed) of 200")
  }

  @Test func `JSON of other kinds is ignored and odd names are echoed as the server does`() {
    var driver = connected()
    for text in [#"{"foo":"bar"}"#, "[]", "42", #""x""#, "null", #"{"unsubscribe":"never"}"#] {
      driver.send(text, from: 1)
    }
    driver.run(milliseconds: 2000)
    #expect(driver.take(1).isEmpty && driver.closed.isEmpty)
    driver.send(#"{"subscribe":{"a":1}}"#, from: 1)
    driver.run(milliseconds: 60)
    #expect(driver.take(1).first?.hasPrefix(#"{"isin":{"a":1},"#) == true)
    driver.run(milliseconds: 2000)
    #expect(driver.take(1).first?.hasPrefix(#"{"isin":"[object Object]","#) == true)
  }

  @Test func `text that is not JSON cuts its sender, or everyone as the published server does`() {
    for (behaviour, expected) in [
      (IsinStreamBehaviour.usable, [1]), (.published, [1, 2]),
    ] {
      var driver = connected(behaviour: behaviour)
      driver.connect(2)
      driver.send("{ISIN}", from: 1)
      driver.run(milliseconds: 60)
      #expect(driver.closed == Set(expected.map { ClientID($0) }))
    }
  }

  @Test func `hostile messages never trap and bounds hold`() {
    for message in HostileInput.messages(around: #"{"subscribe":["US0378331005"]}"#) {
      var driver = connected()
      _ = driver.venue.receive(message, binary: false, from: ClientID(1), at: driver.now)
      driver.run(milliseconds: 700)
    }
    var driver = connected()
    for index in 0..<1000 { driver.send(#"{"subscribe":"N\#(index)"}"#, from: 1) }
    driver.run(milliseconds: 60)
    #expect(driver.closed == [ClientID(1)], "too many waiting commands")
  }

  @Test func `a long pause costs little and the stream continues`() {
    var driver = connected()
    driver.send(#"{"subscribe":"X"}"#, from: 1)
    driver.run(milliseconds: 100)
    _ = driver.take(1)
    let later = driver.now.nanoseconds + 86_400_000_000_000
    let effects = driver.venue.advance(to: Timestamp(nanoseconds: later))
    #expect(effects.count < 30)
    #expect((driver.venue.nextEvent?.nanoseconds ?? 0) > later - 1_000_000_000)
  }
}
