import MarketModel
import Testing
import VenueSimulator

@Suite struct SimulatedBitMEXRestTests {
  private func get(
    _ path: String, _ query: [(name: String, value: String)] = [],
    _ generation: BitMEXGeneration = .modern
  ) throws -> (response: VenueResponse, body: JSONTree) {
    var venue = SimulatedBitMEX(
      seed: 2, start: VenueDriver<SimulatedBitMEX>.start, generation: generation)
    let answer = venue.respond(
      to: VenueRequest(path: "/api/v1/" + path, query: query),
      at: VenueDriver<SimulatedBitMEX>.start)
    let response = try #require(answer)
    return (response, try JSONTree(response.body))
  }

  @Test(arguments: BitMEXGeneration.allCases)
  func `instruments have what clients read`(generation: BitMEXGeneration) throws {
    let rows = try get("instrument/active", [], generation).body.elements
    #expect(rows.compactMap { $0["symbol"]?.text } == ["XBTUSD", "ETHUSD", "SOLUSD"])
    for row in rows {
      for key in [
        "rootSymbol", "state", "typ", "underlying", "quoteCurrency", "settlCurrency", "tickSize",
        "lotSize", "multiplier", "isInverse", "isQuanto", "makerFee", "takerFee", "maxOrderQty",
        "initMargin", "bidPrice", "askPrice", "midPrice", "lastPrice", "timestamp",
      ] {
        #expect(row[key] != nil, "\(key)")
      }
      let bid = try #require(row["bidPrice"]?.decimal)
      let ask = try #require(row["askPrice"]?.decimal)
      #expect(bid < ask)
    }
    #expect(rows[0]["tickSize"]?.text == (generation == .legacy ? "0.5" : "0.1"))
    #expect(rows[0]["lotSize"]?.text == "100")
    #expect(rows[0]["fundingRate"]?.text == (generation == .legacy ? "0.0001" : "1.0E-4"))
    #expect(try get("instrument", [("symbol", "ETHUSD")]).body.elements.count == 1)
    #expect(try get("instrument", [("symbol", "NOPE")]).body.elements.isEmpty)
  }

  @Test func `currencies parse`() throws {
    #expect(try get("wallet/assets").body[0]?["currency"]?.text == "XBt")
  }

  @Test func `errors have BitMEX's body`() throws {
    let missing = try get("nothing/here")
    #expect(missing.response.status == 404)
    #expect(
      String(decoding: missing.response.body, as: UTF8.self)
        == #"{"error":{"message":"Not Found","name":"HTTPError"}}"#)
    var venue = SimulatedBitMEX(seed: 2, start: VenueDriver<SimulatedBitMEX>.start)
    let now = VenueDriver<SimulatedBitMEX>.start
    #expect(venue.respond(to: VenueRequest(path: "/elsewhere"), at: now) == nil)
    #expect(venue.refusal(of: VenueRequest(path: "/elsewhere"), at: now)?.status == 404)
    #expect(venue.refusal(of: VenueRequest(path: "/realtime"), at: now) == nil)
  }

  @Test func `the rate limit is sent in headers and enforced`() throws {
    var venue = SimulatedBitMEX(seed: 2, start: VenueDriver<SimulatedBitMEX>.start)
    let request = VenueRequest(path: "/api/v1/wallet/assets")
    var last: VenueResponse?
    for _ in 0...600 {
      last = venue.respond(to: request, at: VenueDriver<SimulatedBitMEX>.start)
    }
    #expect(last?.status == 429)
    #expect(last?.headers["x-ratelimit-remaining"] == "0")
    #expect(last?.headers["retry-after"] != nil)
    let later = Timestamp(
      nanoseconds: VenueDriver<SimulatedBitMEX>.start.nanoseconds + 60_000_000_000)
    #expect(venue.respond(to: request, at: later)?.headers["x-ratelimit-remaining"] == "599")
  }
}
