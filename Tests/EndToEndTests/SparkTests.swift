// LT13: the small 24-hour line of each row of a list.

import FeedConnections
import Foundation
import MarketModel
import NIOCore
import SimulatorServer
import SocketTransport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct SparkTests {
  private func spark(_ server: RunningServer, _ path: String) async throws -> NSDictionary {
    let response = try await server.get("/spark/\(path)")
    #expect(response.status == 200)
    let json = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
    return try #require(json as? NSDictionary)
  }

  @Test("LT13 a row's line has the closes of the venue's last 24 hours, without any chart open")
  func line() async throws {
    try await RunningServer.with { server in
      let line = try await spark(server, "kraken/ETH%2FUSD")
      #expect(line["interval"] as? String == "1h" && line["source"] as? String == "venue")
      let closes = try #require(line["closes"] as? [Any])
      #expect(closes.count == 25 && closes.allSatisfy { $0 is String })
      let from = try #require(line["from"] as? Int64)
      #expect(from % 3600 == 0)
      let again = try await spark(server, "kraken/ETH%2FUSD")
      #expect(again == line, "kept for the hour")

      var day: [[Int64]] = []
      for _ in 0..<200 where day.count < 24 {
        let response = try await server.get("/history/kraken/ETH%2FUSD?interval=3600000")
        let json = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
        let rows = (json as? NSDictionary)?["candles"] as? [[Int64]] ?? []
        day = rows.filter { $0[0] >= from * 1000 && $0[0] < (from + 24 * 3600) * 1000 }
      }
      #expect(day.count == 24)
      for (row, close) in zip(day, closes) {
        let text = try #require(close as? String)
        let units = FixedDecimal(text)?.exactly(at: Scale(clamping: 8))?.units
        #expect(units == row[4])
      }
    }
  }

  @Test("LT13 a tokenised share has a line and a chart with a past like any pair")
  func token() async throws {
    try await RunningServer.with { server in
      let line = try await spark(server, "kraken/AAPLx%2FUSD")
      #expect((line["closes"] as? [Any])?.count == 25 && line["source"] as? String == "venue")
      var minutes = 0
      for _ in 0..<200 where minutes < 721 {
        let response = try await server.get("/history/kraken/AAPLx%2FUSD?interval=60000")
        let json = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
        minutes = ((json as? NSDictionary)?["candles"] as? [Any])?.count ?? 0
      }
      #expect(minutes >= 721, "the venue's, and the forming one")
    }
  }

  @Test("LT13 a line reports what is missing: no history, no such instrument")
  func none() async throws {
    try await RunningServer.with { server in
      let share = try await spark(server, "isin/DE0007164600")
      #expect(share.count == 1 && (share["closes"] as? [Any])?.isEmpty == true)
      for path in ["kraken/NO%2FPAIR", "kraken/nonsense", "nowhere/BTC%2FUSD", "kraken"] {
        let status = try await server.get("/spark/\(path)").status
        #expect(status == 404, "\(path)")
      }
    }
  }

  @Test("LT13 a venue that can't be reached is no empty history: the line is late")
  func late() async throws {
    var configuration = LivetapeConfiguration.onFreePort()
    try await RunningVenues.with { venues in
      configuration.addresses = [
        .kraken: try .given(venues.addresses.url(of: .kraken), for: .kraken)
      ]
    }
    try await RunningServer.with(configuration) { server in
      let response = try await server.get("/spark/kraken/ETH%2FUSD")
      #expect(response.status == 503 && response.header("retry-after") == "10")
    }
  }
}
