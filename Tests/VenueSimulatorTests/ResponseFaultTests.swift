// Each fault of HTTP responses alone.

import MarketModel
import TestSupport
import Testing

@testable import VenueSimulator

struct ResponseFaultTests {
  typealias Venue = FaultyVenue<SimulatedKraken>

  private func venue(_ plan: FaultPlan, seed: UInt64 = 1) -> Venue {
    FaultyVenue(
      SimulatedKraken(
        seed: 1, start: VenueDriver<SimulatedKraken>.start, limitsCalls: false),
      plan: plan, seed: seed)
  }

  private func get(_ venue: inout Venue, _ method: String = "OHLC") throws -> VenueResponse {
    let request = VenueRequest(
      path: "/0/public/" + method,
      query: [(name: "pair", value: "XBTUSD"), (name: "interval", value: "1")])
    let response = venue.respond(to: request, at: VenueDriver<SimulatedKraken>.start)
    return try #require(response)
  }

  private func rows(_ response: VenueResponse) throws -> [[String]] {
    let result = try #require(JSONTree(response.body)["result"])
    return try #require(result[result.keys[0]]).elements.map { $0.elements.map { $0.text ?? "" } }
  }

  @Test func `faults befall the next answers in order, then nothing does`() throws {
    var faulty = venue(FaultPlan(responses: [.unavailable, nil, .limited, .truncate]))
    var sound = venue(.none)
    let whole = try get(&sound)
    #expect(try get(&faulty).status == 503)
    #expect(try get(&faulty) == whole)
    let limited = try get(&faulty)
    #expect(limited.status == 200)
    #expect(
      String(decoding: limited.body, as: UTF8.self) == #"{"error":["EGeneral:Too many requests"]}"#)
    let cut = try get(&faulty)
    #expect(cut.body.count < whole.body.count && whole.body.starts(with: cut.body))
    #expect(try get(&faulty) == whole)
    faulty.plan.responses = [.unavailable]
    #expect(try get(&faulty).status == 503, "a plan can be changed while it runs")
  }

  @Test func `an answer can be of another pair or of another interval`() throws {
    var faulty = venue(FaultPlan(responses: [.otherInstrument, .otherInterval]))
    #expect(try JSONTree(get(&faulty).body)["result"]?.keys.first == "XETHZUSD")
    let starts = try rows(get(&faulty)).map { try #require(Int64($0[0])) }
    #expect(starts[1] - starts[0] == 300)
  }

  @Test(arguments: ["OHLC", "Trades"])
  func `rows can be out of order, double or tampered with, one at a time`(method: String) throws {
    var sound = venue(.none)
    let whole = try rows(get(&sound, method))
    for seed in 1...UInt64(repetitions(6, all: 30)) {
      var faulty = venue(FaultPlan(responses: [.reorder, .duplicate, .tamper]), seed: seed)
      let disordered = try rows(get(&faulty, method))
      #expect(disordered != whole && Set(disordered) == Set(whole), "seed \(seed)")
      let doubled = try rows(get(&faulty, method))
      #expect(doubled.count == whole.count + 1 && Set(doubled) == Set(whole), "seed \(seed)")
      let tampered = try rows(get(&faulty, method))
      let changed = whole.indices.filter { tampered[$0] != whole[$0] }
      #expect(changed.count == 1 && changed.first != whole.count - 1, "seed \(seed)")
      let row = try #require(changed.first)
      let places = whole[row].indices.filter { tampered[row][$0] != whole[row][$0] }
      #expect(places == [method == "OHLC" ? 6 : 1], "only the volume, seed \(seed)")
    }
  }

  @Test func `one candle can be wrong every time`() throws {
    var sound = venue(.none)
    let whole = try rows(get(&sound))
    let start = try #require(Int64(whole[500][0]))
    var faulty = venue(FaultPlan(tamperedCandle: start * 1000))
    let first = try get(&faulty)
    #expect(try get(&faulty) == first)
    let received = try rows(first)
    let changed = whole.indices.filter { received[$0] != whole[$0] }
    #expect(changed == [500])
  }

  @Test func `chances are seeded`() throws {
    func statuses(_ seed: UInt64) throws -> [Int] {
      var faulty = venue(
        FaultPlan(responseChances: [.init(.unavailable, perMillion: 300_000)]), seed: seed)
      return try (0..<40).map { _ in try get(&faulty, "Time").status }
    }
    let some = try statuses(5)
    #expect(try some == statuses(5) && some.contains(503) && some.contains(200))
    #expect(try some != statuses(6))
  }

  @Test func `text that is no list of rows is left as it is`() {
    for text in HostileInput.texts + [#"{"result":{"a":[[1,"2"],[3"#, "[[[]],[[]]]", "[{}]"] {
      var rows = ResponseRows(Array(text.utf8))
      #expect(rows.bytes == Array(text.utf8), "\(text)")
      rows.tamper(from: 0)
      rows.tamper(start: 1)
    }
  }
}
