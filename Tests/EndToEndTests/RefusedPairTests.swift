// Pairs that Kraken lacks, lists later, or rejects: what a page receives about them, through the
// whole server.

import FeedConnections
import Foundation
import MarketModel
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(5))) struct RefusedPairTests {
  /// A server that reads the test's Kraken, and a page with a book of it.
  private func with(
    listing pairs: [String], _ body: (ScriptedKraken, PageClient) async throws -> Void
  ) async throws {
    try await withThreads(1) { group in
      let kraken = try await ScriptedKraken.start(listing: pairs, on: group)
      var configuration = LivetapeConfiguration.onFreePort()
      configuration.addresses[.kraken] = try VenueAddress.given(kraken.url, for: .kraken)
      try await RunningServer.with(configuration) { server in
        let page = try await server.page()
        page.open("book/BTC/USD")
        try await body(kraken, page)
        await page.close()
      }
      await kraken.stop()
    }
  }

  @Test func `a pair that Kraken lists while connected is unknown before, and live after`()
    async throws
  {
    try await with(listing: ["ETH/USD"]) { kraken, page in
      try await page.wait(for: "book/BTC/USD", "is none") { $0["known"] as? Bool == false }
      kraken.list("BTC/USD")
      try await page.wait(for: "book/BTC/USD", "is live") { isLive($0) }
      #expect(page["book/BTC/USD"]?["known"] as? Bool == true)
    }
  }

  @Test func `a pair that Kraken rejects after a reconnect is unknown from then on`() async throws {
    try await with(listing: ["BTC/USD"]) { kraken, page in
      try await page.wait(for: "book/BTC/USD", "is live") { isLive($0) }
      kraken.refuse("BTC/USD")
      try await page.wait(for: "book/BTC/USD", "is none") { $0["known"] as? Bool == false }
      #expect(page.seen.gaps == 0 && page.seen.errors.isEmpty)
    }
  }
}

private func isLive(_ topic: NSDictionary) -> Bool {
  (topic["freshness"] as? NSDictionary)?["state"] as? String == "live"
}
