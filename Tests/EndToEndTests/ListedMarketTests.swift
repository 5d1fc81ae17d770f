// Every place of the server that takes an instrument, with random markets of the simulated listing.

import FeedConnections
import Foundation
import MarketModel
import SocketTransport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct ListedMarketTests {
  private func listed(_ server: RunningServer) async throws -> [String] {
    var (ids, after) = ([String](), "")
    repeat {
      let page = try await server.json("/api/v1/instruments?venue=kraken&limit=500\(after)")
      let rows = page["instruments"] as? [NSDictionary] ?? []
      ids += rows.filter { $0["open"] as? Bool == true }.compactMap { $0["symbol"] as? String }
      after = (page["next"] as? String).map { "&after=" + Self.escaped($0) } ?? ""
    } while !after.isEmpty
    return ids
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "/", with: "%2F")
  }

  @Test func `a market picked at random has everything that a built-in one has`() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix64(seed: seed)
    try await RunningServer.with { server in
      let all = try await listed(server)
      #expect(all.count > 1000, "seed \(seed)")
      let page = try await server.page()
      for _ in 0..<6 {
        let symbol = all[Int(random.below(Int64(all.count)))]
        let place: Comment = "seed \(seed): \(symbol)"
        let path = "kraken/" + Self.escaped(symbol)
        page.open(
          "book/" + symbol, "trades/" + symbol, "chart/kraken/" + symbol, "figures/kraken/" + symbol
        )
        try await page.wait(for: "book/" + symbol, "is live") { isKnownAndLive($0) }
        try await page.wait(for: "trades/" + symbol, "is live") { isKnownAndLive($0) }
        try await page.wait(for: "figures/kraken/" + symbol, "is live") { isLive($0) }
        #expect(page["chart/kraken/" + symbol] != nil, place)
        for request in [
          "/history/\(path)?interval=60000", "/spark/\(path)", "/api/v1/instruments/\(path)/book",
          "/api/v1/instruments/\(path)/trades", "/api/v1/instruments/\(path)/ticker",
          "/api/v1/instruments/\(path)/candles",
        ] {
          #expect(try await server.get(request).status == 200, "\(request), seed \(seed)")
        }
      }
      #expect(page.seen.errors.isEmpty)
      await page.close()
    }
  }

  @Test func `a name with a dash or an underscore goes to its venue`() async throws {
    try await RunningServer.with { server in
      for symbol in ["XBTM26-XBTU26", "XBT_USDT"] {
        let page = try await server.page()
        page.open("book/" + symbol)
        // The simulated venue lists three contracts, and sends no rows of others.
        try await page.wait(for: "book/" + symbol, "is unknown") { $0["known"] as? Bool == false }
        let book = try await server.get("/api/v1/instruments/bitmex%2F\(symbol)/book")
        #expect(book.status == 404)
        await page.close()
      }
    }
  }
}

private func isLive(_ topic: NSDictionary) -> Bool {
  (topic["freshness"] as? NSDictionary)?["state"] as? String == "live"
}

private func isKnownAndLive(_ topic: NSDictionary) -> Bool {
  topic["known"] as? Bool == true && isLive(topic)
}
