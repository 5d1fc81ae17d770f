// BitMEX's candles over HTTP: bins named by their ends, of the same trades as the stream.

import MarketModel
import Testing

@testable import VenueSimulator

struct BitMEXBucketTests {
  typealias Driver = VenueDriver<SimulatedBitMEX>

  private func get(
    _ driver: inout Driver, _ path: String, _ query: [(name: String, value: String)]
  ) throws -> (status: Int, rows: [JSONTree]) {
    let request = VenueRequest(path: "/api/v1/" + path, query: query)
    let answer = driver.venue.respond(to: request, at: driver.now)
    let response = try #require(answer)
    return (response.status, try JSONTree(response.body).elements)
  }

  private func time(_ row: JSONTree) throws -> Int64 {
    try #require(row["timestamp"]?.text.flatMap { Timestamp(iso8601: $0) }).milliseconds
  }

  @Test(arguments: BitMEXGeneration.allCases)
  func `a bin is the trades before its end`(generation: BitMEXGeneration) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var driver = VenueDriver(
        SimulatedBitMEX(seed: seed, start: Driver.start, generation: generation))
      driver.connect(1, VenueRequest(path: "/realtime", query: [("subscribe", "trade:SOLUSD")]))
      driver.run(milliseconds: 250_000)
      let trades = try driver.take(1).flatMap { try JSONTree($0)["data"]?.elements ?? [] }
      let bins = try get(
        &driver, "trade/bucketed",
        [
          (name: "binSize", value: "1m"), (name: "symbol", value: "SOLUSD"),
          (name: "count", value: "3"), (name: "reverse", value: "true"),
        ]
      ).rows
      #expect(bins.count == 3)
      #expect(try time(bins[0]) == driver.now.milliseconds / 60_000 * 60_000)
      for bin in bins {
        let end = try time(bin)
        let inside = try trades.filter { ((end - 60_000)..<end).contains(try time($0)) }
        let prices = try inside.map { try #require($0["price"]?.decimal) }
        let case_ = "seed \(seed), \(generation), \(end)"
        #expect(bin["open"]?.decimal == prices.first, "\(case_)")
        #expect(bin["high"]?.decimal == prices.max(), "\(case_)")
        #expect(bin["low"]?.decimal == prices.min(), "\(case_)")
        #expect(bin["close"]?.decimal == prices.last, "\(case_)")
        #expect(bin["trades"]?.text == "\(inside.count)", "\(case_)")
        let sizes = try inside.map { try #require($0["size"]?.text.flatMap { Int64($0) }) }
        #expect(bin["volume"]?.text == "\(sizes.reduce(0, +))", "\(case_)")
        #expect(bin["lastSize"]?.text == sizes.last.map { "\($0)" }, "\(case_)")
        #expect(
          bin.keys == [
            "timestamp", "symbol", "open", "high", "low", "close", "trades", "volume", "vwap",
            "lastSize", "turnover", "homeNotional", "foreignNotional",
          ])
      }
    }
  }

  @Test(arguments: [("1m", 60_000), ("5m", 300_000), ("1h", 3_600_000), ("1d", 86_400_000)])
  func `bins of each size are consecutive, from the first, the last or a time on`(
    size: String, length: Int64
  ) throws {
    var driver = VenueDriver(SimulatedBitMEX(seed: 1, start: Driver.start))
    func bins(_ more: [(name: String, value: String)]) throws -> [Int64] {
      try get(
        &driver, "trade/bucketed", [("binSize", size), ("symbol", "XBTUSD")] + more
      ).rows.map { try time($0) }
    }
    let newest = try bins([("reverse", "true"), ("count", "50")])
    #expect(newest.count == 50)
    #expect(zip(newest, newest.dropFirst()).allSatisfy { $0 - $1 == length })
    #expect(newest.first == Driver.start.milliseconds / length * length)
    let partial = try bins([("reverse", "true"), ("count", "1"), ("partial", "true")])
    #expect(partial.first == newest[0] + length)
    let oldest = try bins([("count", "3")])
    #expect(oldest.count == 3 && oldest[0] % length == 0)
    #expect(driver.now.milliseconds - oldest[0] > 89 * 86_400_000)
    let since = Timestamp(milliseconds: newest[4]).description
    #expect(try bins([("startTime", since)]) == Array(newest.prefix(5).reversed()))
    #expect(try bins([("startTime", "2999-01-01")]).isEmpty)
  }

  @Test func `what is asked wrongly is refused, an unknown instrument has no bins`() throws {
    var driver = VenueDriver(SimulatedBitMEX(seed: 1, start: Driver.start))
    #expect(try get(&driver, "trade/bucketed", [("symbol", "NOPE")]).rows.isEmpty)
    #expect(try get(&driver, "trade/bucketed", []).status == 400)
    for (name, value) in [
      ("binSize", "2m"), ("count", "1001"), ("count", "x"), ("startTime", "yesterday"),
      ("start", "-1"),
    ] {
      let answer = try get(&driver, "trade/bucketed", [("symbol", "XBTUSD"), (name, value)])
      #expect(answer.status == 400, "\(name) \(value)")
    }
  }
}
