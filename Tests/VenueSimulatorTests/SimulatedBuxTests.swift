// BUX: the products, the errors and the feed.

import MarketModel
import Testing
import VenueSimulator

@Suite struct SimulatedBuxTests {
  private static let token = ["authorization": "Bearer abc"]

  private func driver(accepted: String? = nil) -> VenueDriver<SimulatedBux> {
    VenueDriver(
      SimulatedBux(seed: 4, start: VenueDriver<SimulatedBux>.start, acceptedToken: accepted))
  }

  private func connected(_ headers: [String: String] = token) -> VenueDriver<SimulatedBux> {
    var driver = driver()
    driver.connect(1, VenueRequest(path: "/subscriptions/me", headers: headers))
    return driver
  }

  private func get(
    _ driver: inout VenueDriver<SimulatedBux>, _ path: String, query: String? = nil,
    headers: [String: String] = token
  ) -> VenueResponse? {
    driver.venue.respond(
      to: VenueRequest(
        path: path, query: query.map { [(name: "q", value: $0)] } ?? [], headers: headers),
      at: driver.now)
  }

  @Test func `a product has the fields of the real answer and exact digits`() throws {
    var driver = driver()
    let response = try #require(get(&driver, "/core/23/products/sb26493"))
    #expect(response.status == 200)
    let product = try JSONTree(response.body)
    #expect(product["symbol"] == .string("GERMANY30"))
    #expect(product["displayName"] == .string("Germany 30"))
    #expect(product["currentPrice"]?.keys == ["currency", "decimals", "amount"])
    #expect(product["currentPrice"]?["currency"] == .string("EUR"))
    #expect(product["openingHours"]?["weekDays"]?.elements.count == 7)
    #expect(product["productMarketStatus"] == .string("OPEN"))
  }

  @Test
  func `the list holds the six of the assignment and at least 24 more, all with exact digits`()
    throws
  {
    var driver = driver()
    driver.run(milliseconds: 120_000)
    let list = try JSONTree(try #require(get(&driver, "/core/17/products")).body).elements
    #expect(list.count >= 30)
    let ids = list.compactMap { $0["securityId"]?.text }
    #expect(Set(ids).count == ids.count)
    for id in ["sb26493", "sb26496", "sb26502", "sb26500", "sb26513", "sb28248"] {
      #expect(ids.contains(id))
    }
    for product in list {
      let decimals = try #require(product["displayDecimals"]?.decimal?.units)
      for (group, key) in [
        ("currentPrice", "amount"), ("closingPrice", "amount"), ("dayRange", "high"),
        ("dayRange", "low"), ("yearRange", "high"), ("yearRange", "low"),
      ] {
        guard case .string(let amount)? = product[group]?[key] else {
          Issue.record("\(ids) \(group) is no string")
          continue
        }
        #expect(try Int64(#require(FixedDecimal(amount)).scale.digits) == decimals, "\(amount)")
      }
      let price = try #require(product["currentPrice"]?["amount"]?.decimal)
      #expect(price <= (try #require(product["dayRange"]?["high"]?.decimal)))
      #expect(price >= (try #require(product["dayRange"]?["low"]?.decimal)))
    }
  }

  @Test func `search finds by symbol, name and identifier in any case`() throws {
    var driver = driver()
    for (words, expected) in [("apple", "sb26513"), ("GERM", "sb26493"), ("SB26500", "sb26500")] {
      let found = try JSONTree(
        try #require(get(&driver, "/core/23/products/search", query: words)).body)
      #expect(found.elements.map { $0["securityId"]?.text } == [expected])
    }
    let none = try #require(get(&driver, "/products/search", query: "zzz"))
    #expect(String(decoding: none.body, as: UTF8.self) == "[]")
  }

  @Test(arguments: [
    (String?.none, 401, "AUTH_009"), ("Bearer wrong", 401, "AUTH_007"),
    ("Bearer expired", 401, "AUTH_008"), ("Bearer forbidden", 403, "AUTH_014"),
    ("Basic abc", 401, "AUTH_007"), ("Bearer ", 401, "AUTH_007"),
  ])
  func `a bad token is refused with its code`(header: String?, status: Int, code: String) throws {
    var driver = driver(accepted: "right")
    let headers = header.map { ["authorization": $0] } ?? [:]
    let response = try #require(get(&driver, "/core/23/products/sb26493", headers: headers))
    #expect(response.status == status)
    let body = try JSONTree(response.body)
    #expect(body.keys == ["message", "developerMessage", "errorCode"])
    #expect(body["errorCode"] == .string(code))
  }

  @Test func `unknown products are 404, unknown paths are not ours, one product always fails`() {
    var driver = driver()
    #expect(get(&driver, "/core/23/products/sb1")?.status == 404)
    #expect(get(&driver, "/core/23/products/sb00500")?.status == 500)
    for path in ["", "/", "/core", "/core/x/products", "/core/1/products/a/b", "/nothing"] {
      #expect(get(&driver, path) == nil, "\(path)")
    }
  }

  @Test func `the feed sends a welcome, or the reason why not and then nothing`() throws {
    var driver = connected()
    let hello = try JSONTree(try #require(driver.take(1).first))
    #expect(hello.keys == ["body", "t"] && hello["t"] == .string("connect.connected"))
    driver = connected([:])
    let text =
      #"{"t":"connect.failed","body":{"developerMessage":"#
      + #""Missing JWT Access Token in request","errorCode":"RTF_002"}}"#
    #expect(driver.take(1) == [text])
    driver.send(#"{"subscribeTo":["trading.product.sb26493"]}"#, from: 1)
    driver.run(milliseconds: 60_000)
    #expect(driver.take(1).isEmpty)
    #expect(driver.venue.refusal(of: VenueRequest(path: "/other"), at: driver.now)?.status == 404)
  }

  @Test func `quotes come once or twice a second, agree with REST and repeat now and then`() throws
  {
    var driver = connected()
    driver.send(
      #"{"subscribeTo":["trading.product.sb26493","trading.product.nope","x"]}"#, from: 1,
      binary: true)
    driver.run(milliseconds: 600_000)
    let events = try driver.take(1).map { try JSONTree($0) }
    let quotes = events.filter { $0["t"] == .string("trading.quote") }
    #expect((600...1200).contains(quotes.count), "\(quotes.count) in 600 s")
    #expect(quotes.allSatisfy { $0["body"]?["securityId"] == .string("sb26493") })
    let prices = quotes.compactMap { $0["body"]?["currentPrice"]?.text }
    #expect(zip(prices, prices.dropFirst()).contains { $0 == $1 })
    #expect(prices.allSatisfy { FixedDecimal($0)?.scale.digits == 1 })
    let ids = quotes.compactMap { $0["id"]?.text }
    #expect(Set(ids).count < ids.count, "some are delivered twice")
    #expect(events.count - quotes.count > 30, "events nobody asked for")
    // At the moment of a quote the response has the same price.
    var compared = 0
    for _ in 0..<4000 {
      driver.run(milliseconds: 1)
      guard let text = driver.take(1).last,
        let quoted = try JSONTree(text)["body"]?["currentPrice"]?.text
      else { continue }
      let product = try JSONTree(try #require(get(&driver, "/core/23/products/sb26493")).body)
      #expect(product["currentPrice"]?["amount"]?.text == quoted)
      compared += 1
    }
    #expect(compared >= 4)
  }

  @Test func `unsubscribing stops quotes and a closed market never quotes`() {
    var driver = connected()
    driver.send(#"{"subscribeTo":["trading.product.sb26493","trading.product.sb90114"]}"#, from: 1)
    driver.send(#"{"unsubscribeFrom":["trading.product.sb26493"]}"#, from: 1)
    _ = driver.take(1)
    driver.run(milliseconds: 10_000)
    #expect(driver.take(1).isEmpty)
  }

  @Test func `hostile messages never trap and a long pause is short work`() {
    var driver = connected()
    let valid = #"{"subscribeTo":["trading.product.sb26493"],"unsubscribeFrom":[]}"#
    for message in HostileInput.messages(around: valid) {
      _ = driver.venue.receive(message, binary: false, from: ClientID(1), at: driver.now)
    }
    let later = Timestamp(nanoseconds: driver.now.nanoseconds + 86_400_000_000_000)
    #expect(driver.venue.advance(to: later).count < 20)
  }
}
