// LT13: one list of all markets, the same for every page, from a simulated venue to the page.

import Foundation
import MarketModel
import TestSupport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(5))) struct MarketListTests {
  private func ids(_ topic: NSDictionary) -> Set<String> {
    Set((topic["rows"] as? [NSDictionary] ?? []).compactMap { $0["id"] as? String })
  }

  @Test
  func `all markets are listed, tokens by their name, and the survey knows the day's figures`()
    async throws
  {
    // The stream alone has the change over 24 hours.
    let needed = ["price", "at", "percent"]
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open("markets", "survey", "status")
      try await page.wait(for: "markets", "has the venue's own list", until: isLive)
      let topic = try #require(page["markets"])
      #expect(ids(topic).isSuperset(of: ["kraken/BTC/USD", "kraken/AAPLx/USD", "echo/AAPL"]))
      let token = (topic["rows"] as? [NSDictionary])?.first {
        $0["id"] as? String == "kraken/AAPLx/USD"
      }
      #expect(token?["name"] as? String == "Apple, tokenised share / US dollar")
      #expect(token?["kind"] as? String == "token" && token?["open"] as? Bool == true)
      try await page.wait(for: "survey", "has figures") { survey in
        // As a Swift dictionary, each message would convert all rows.
        let rows = survey["rows"] as? NSDictionary
        return ["kraken/BTC/USD", "kraken/AAPLx/USD"].allSatisfy { key in
          let row = rows?[key] as? NSDictionary
          return needed.allSatisfy { row?[$0] != nil }
        }
      }
    }
  }

  @Test func `a star that one page sets is there for the other, and rejections are reported`()
    async throws
  {
    try await RunningServer.with { server in
      let first = try await server.page()
      let second = try await server.page()
      first.open("lists")
      second.open("lists")
      try await second.wait(for: "lists", "has come") { $0["lists"] != nil }
      first.say(#"{"do":"list.add","list":"stars","member":"kraken/BTC/USD"}"#)
      try await second.wait(for: "lists", "has the star") { lists in
        let stars = (lists["lists"] as? [NSDictionary])?.first
        return stars?["members"] as? [String] == ["kraken/BTC/USD"]
      }
      #expect(second["lists"]?["problem"] == nil)
    }
  }

  @Test func `a pair that the venue rejects is shown as unknown`() async throws {
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open("figures/kraken/NOPE/USD", "figures/isin/US0378331005")
      try await page.wait(for: "figures/kraken/NOPE/USD", "is unknown") {
        $0["known"] as? Bool == false
      }
      try await page.wait(for: "figures/isin/US0378331005", "is live", until: isLive)
      #expect(page["figures/isin/US0378331005"]?["price"] != nil)
    }
  }
}

@Sendable private func isLive(_ state: NSDictionary) -> Bool {
  (state["freshness"] as? NSDictionary)?["state"] as? String == "live"
}
