// LT15: an instrument's history, from the simulated venue's REST to the page, the disk and the
// command.

import FeedConnections
import Foundation
import MarketModel
import NIOCore
import SimulatorServer
import SocketTransport
import TestSupport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct HistoryTests {
  private let path = "/history/kraken/BTC%2FUSD"

  private func isLive(_ chart: NSDictionary?) -> Bool {
    (chart?["freshness"] as? NSDictionary)?["state"] as? String == "live"
  }

  private func candles(
    _ server: RunningServer, _ query: String
  ) async throws -> (history: NSDictionary, candles: [[Int64]]) {
    let response = try await server.get("\(path)?\(query)")
    #expect(response.status == 200)
    let json = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
    let history = try #require(json as? NSDictionary)
    return (history, try #require(history["candles"] as? [[Int64]]))
  }

  /// The history once the venue's is loaded: the server waits for it with each response, up to a
  /// limit.
  private func past(
    _ server: RunningServer, _ query: String
  ) async throws -> (history: NSDictionary, candles: [[Int64]]) {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    var answer = try await candles(server, query)
    while answer.history["status"] as? String == "loading", ContinuousClock.now < end {
      answer = try await candles(server, query)
    }
    return answer
  }

  @Test("LT15 a server that has just started shows the venue's 720 minutes and the forming one")
  func yesterday() async throws {
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open("chart/kraken/BTC/USD")
      try await page.wait(for: "chart/kraken/BTC/USD", "is live", until: isLive)
      let (history, candles) = try await past(server, "interval=60000")
      #expect(history["status"] as? String == "ready")
      try #require((721...722).contains(candles.count))
      #expect(zip(candles, candles.dropFirst()).allSatisfy { $1[0] - $0[0] == 60_000 })
      #expect(candles.dropLast(2).allSatisfy { $0[7] == 0 && $0[8] == 0 }, "whole, the venue's")
      #expect(candles.allSatisfy { $0[3] <= $0[1] && $0[1] <= $0[2] && $0[4] <= $0[2] })
      let older = try await self.candles(server, "interval=60000&before=\(candles[100][0])")
      #expect(older.candles == Array(candles[..<100]))
      let wrong = try await server.get("\(path)?interval=60000&before=yesterday")
      #expect(wrong.status == 400)
      let newest = try await self.candles(server, "interval=60000&limit=200")
      #expect(newest.candles.count == 200 && newest.history["hasOlder"] as? Bool == true)
      let rest = try await self.candles(
        server, "interval=60000&limit=300&before=\(newest.candles[0][0])")
      #expect(rest.candles.count == 300 && rest.candles.last?[0] == newest.candles[0][0] - 60_000)
    }
  }

  @Test("LT15 candles of a running venue are on disk after the server has stopped")
  func kept() async throws {
    let folder = try TemporaryFolder()
    try await RunningVenues.with { venues in
      var configuration = LivetapeConfiguration.onFreePort()
      configuration.dataFolder = folder.path
      configuration.addresses = [
        .kraken: try VenueAddress.given(venues.addresses.url(of: .kraken), for: .kraken)
      ]
      try await RunningServer.with(configuration, beside: venues) { server in
        let page = try await server.page()
        page.open("chart/kraken/BTC/USD")
        try await page.wait(for: "chart/kraken/BTC/USD", "is live", until: isLive)
        #expect(try await past(server, "interval=60000").candles.count > 700)
      }
    }
    let run = try await CommandRun.livetape(
      "history", "kraken:BTC/USD", "--data", folder.path, "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.objects.count >= 720)
    #expect(run.objects.first?["source"] as? String == "venue")
    #expect(run.objects.allSatisfy { $0["coverage"] is NSNumber })
  }

  @Test("LT15 what is recorded from the start on is there again after a restart, venue or not")
  func restored() async throws {
    let folder = try TemporaryFolder()
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.dataFolder = folder.path
    try await RunningVenues.with { venues in
      configuration.addresses = try bitmex(of: venues)
      try await RunningServer.with(configuration, beside: venues) { server in
        let count = try await count(server, .minute, atLeast: 700)
        #expect(count >= 700)
        let seconds = try await self.count(server, .second, atLeast: 8)
        #expect(seconds >= 8)
      }
    }
    try await RunningServer.with(configuration) { server in
      let count = try await count(server, .minute, atLeast: 700)
      #expect(count >= 700, "the venue is gone")
      let seconds = try await self.count(server, .second, atLeast: 4)
      #expect(seconds >= 4, "all but the last two seconds")
      let coarser = try await self.count(server, .fiveSeconds, atLeast: 1)
      #expect(coarser >= 1)
    }
  }

  @Test("LT15 a second process reads what a server keeps while it keeps it")
  func beside() async throws {
    let folder = try TemporaryFolder()
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.dataFolder = folder.path
    try await RunningVenues.with { venues in
      configuration.addresses = try bitmex(of: venues)
      try await RunningServer.with(configuration, beside: venues) { server in
        _ = try await count(server, .minute, atLeast: 700)
        var rows = 0
        for _ in 0..<600 where rows < 700 {
          let run = try await CommandRun.livetape(
            "history", "bitmex:XBTUSD", "--data", folder.path, "--json")
          // The first commit may still be pending.
          rows = run.status == 0 ? run.objects.count : 0
        }
        #expect(rows >= 700)
        let before = try await count(server, .minute, atLeast: 700)
        #expect(before >= 700, "the server goes on")
      }
    }
  }

  private func bitmex(of venues: RunningVenues) throws -> [Venue: VenueAddress] {
    [.bitmex: try VenueAddress.given(venues.addresses.url(of: .bitmex), for: .bitmex)]
  }

  /// How many candles of XBTUSD a server shows; repeats until there are enough.
  private func count(
    _ server: RunningServer, _ interval: CandleInterval, atLeast wanted: Int
  ) async throws -> Int {
    var count = 0
    for _ in 0..<20_000 where count < wanted {
      let response = try await server.get(
        "/history/bitmex/XBTUSD?interval=\(interval.milliseconds)")
      let json = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
      count = ((json as? NSDictionary)?["candles"] as? [Any])?.count ?? 0
    }
    return count
  }

  @Test("livetape history prints a candle a line, as JSON, CSV or text")
  func command() async throws {
    try await RunningVenues.with { venues in
      let url = venues.addresses.url(of: .kraken)
      let json = try await CommandRun.livetape("history", "kraken:BTC/USD", "--url", url, "--json")
      #expect(json.status == 0, "\(json.errors)")
      #expect(json.objects.count == 721)
      let candle = try #require(json.objects.first)
      #expect(
        Set(candle.allKeys.compactMap { $0 as? String }) == [
          "start", "open", "high", "low", "close", "volume", "count", "source", "coverage",
          "proven",
        ])
      for object in json.objects {
        for key in ["open", "high", "low", "close"] {
          let price = try #require(object[key] as? String)
          #expect(price.split(separator: ".").last?.count == 1 && price.contains("."), "\(price)")
        }
      }
      #expect(candle["source"] as? String == "venue" && candle["coverage"] as? Int == 1)
      #expect(candle["proven"] is NSNull)
      let last = try #require(json.objects.last?["coverage"] as? NSNumber)
      #expect(last.doubleValue < 1, "the forming candle is not whole")
      let start = try #require(json.objects[700]["start"] as? Int)
      let csv = try await CommandRun.livetape(
        "history", "kraken:BTC/USD", "--url", url, "--csv", "--from", "\(start)")
      let lines = csv.output.split(separator: "\n")
      #expect(lines.first == "start,open,high,low,close,volume,count,source,coverage,proven")
      #expect((22...23).contains(lines.count) && lines[1].hasPrefix("\(start),"))
      let days = try await CommandRun.livetape(
        "history", "bitmex:XBTUSD", "--url", venues.addresses.url(of: .bitmex), "--interval", "1d")
      #expect(days.status == 0 && days.output.contains("trades  venue"))
    }
  }

  @Test("livetape history reports missing data in one line")
  func failures() async throws {
    let none = try await CommandRun.livetape("history", "exchange:TROAD", "--url", "tcp://x:1")
    #expect(none.status == 1 && none.errors.contains("exchange gives no history"))
    let dead = try await CommandRun.livetape(
      "history", "kraken:BTC/USD", "--url", "ws://127.0.0.1:1/v2")
    #expect(dead.status == 1 && dead.errors.contains("can't be reached"))
    let empty = try await CommandRun.livetape(
      "history", "kraken:BTC/USD", "--data", "/nowhere/at/all")
    #expect(empty.status == 1 && empty.errors.contains("no kept history"))
    let usage = try await CommandRun.livetape("history", "kraken:BTC/USD", "--interval", "2m")
    #expect(usage.status == 2)
  }
}
