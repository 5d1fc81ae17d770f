// End to end in one process over real sockets: simulated venue, feed hub, topics, page.

import Foundation
import MarketModel
import NIOCore
import SocketTransport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct ServerTests {
  @Test func `every screen shows live values soon after the start`() async throws {
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open(
        "status", "feed", "symbol/AAPL", "stocks", "stock/US0378331005", "products",
        "product/sb26493", "books", "book/XBTUSD", "trades/XBTUSD", "exchange")
      try await page.wait("live values everywhere") { state in
        ["feed", "symbol/AAPL", "stock/US0378331005", "product/sb26493", "exchange"].allSatisfy {
          isLive(state.topics[$0])
        } && isLive(state.topics["book/XBTUSD"]) && rows(state.topics["book/XBTUSD"], "bids") == 20
          && rows(state.topics["book/XBTUSD"], "asks") == 20
          && rows(state.topics["trades/XBTUSD"], "trades") > 0
      }
      #expect(page["feed"]?["order"].map { ($0 as? [String])?.count } == 25)
      #expect((page["status"]?["order"] as? [String])?.count == Venue.allCases.count)
      #expect(page.seen.gaps == 0)
    }
  }

  @Test func `a second page and a second screen open no second connection to a venue`() async throws
  {
    try await RunningServer.with { server in
      let first = try await server.page()
      first.open("status", "feed", "book/XBTUSD")
      try await first.wait(for: "book/XBTUSD", "is live", until: isLive)
      try await first.wait(for: "status", "has all connected") {
        connected($0) == Venue.allCases.count
      }
      let before = try await server.connectionsOpened()
      let second = try await server.page()
      second.open("feed", "symbol/AAPL", "book/XBTUSD", "trades/XBTUSD")
      try await second.wait(for: "book/XBTUSD", "is live", until: isLive)
      try await second.wait(for: "symbol/AAPL", "is live", until: isLive)
      let after = try await server.connectionsOpened()
      #expect(after == before)
      #expect(Set(after.keys) == Set(Venue.allCases.map(\.rawValue)))
      #expect(try await server.health()["pages"] as? Int == 2)
    }
  }

  @Test func `stop ends the feed for all pages and start brings it back`() async throws {
    try await RunningServer.with { server in
      let first = try await server.page()
      let second = try await server.page()
      first.open("feed")
      second.open("feed", "status")
      try await second.wait(for: "feed", "is live", until: isLive)
      first.say(#"{"do":"feed.stop"}"#)
      try await second.wait(for: "feed", "is stopped") { feed in
        feed["running"] as? Bool == false && feed["connection"] as? String == "disconnected"
      }
      let rows = try #require(second["feed"]?["rows"] as? [String: NSDictionary])
      #expect(rows.values.allSatisfy { $0["price"] != nil }, "the last prices stay")
      second.say(#"{"do":"feed.start"}"#)
      try await first.wait(for: "feed", "is live again", until: isLive)
    }
  }

  @Test func `EX2 a chart's history reaches back before the page was opened`() async throws {
    try await RunningServer.with { server in
      let early = try await server.page()
      early.open("trades/XBTUSD")
      try await early.wait(for: "trades/XBTUSD", "has three trades") { rows($0, "trades") > 2 }
      let page = try await server.page()
      page.open("chart/bitmex/XBTUSD", "chart/exchange/TROAD")
      try await page.wait("both charts") { state in
        isLive(state.topics["chart/bitmex/XBTUSD"])
          && rows(state.topics["chart/bitmex/XBTUSD"], "ticks") > 2
          && rows(state.topics["chart/exchange/TROAD"], "ticks") > 0
      }
      let history = try await server.json("/history/bitmex/XBTUSD?interval=1000")
      #expect(rows(history, "candles") > 0)
      #expect((history["lastArrival"] as? Int).map { $0 > 2 } == true)
    }
  }

  @Test func `EX2 a chart that does not exist is reported, for any path`() async throws {
    try await RunningServer.with { server in
      for (path, status) in [
        ("/history/bitmex/N%2CO", 404), ("/history/nowhere/XBTUSD", 404), ("/history", 404),
        ("/history/bitmex/%zz", 404), ("/history/bitmex/XBTUSD?interval=17", 400),
        ("/history/bitmex/XBTUSD?interval=x", 400), ("/history/bitmex/XBTUSD?limit=0", 400),
        ("/history/bitmex/XBTUSD?limit=1001", 400), ("/history/bitmex/XBTUSD?limit=-1", 400),
        ("/history/bitmex/XBTUSD?limit=", 400), ("/history/bitmex/XBTUSD?limit=2.5", 400),
        ("/history/bitmex/XBTUSD?limit=9223372036854775807", 400),
      ] {
        let answer = try await server.get(path)
        #expect(answer.status == status, "\(path)")
      }
    }
  }

  @Test func `a page of another origin is refused and the server's own is let in`() async throws {
    try await RunningServer.with { server in
      await #expect(throws: (any Error).self) {
        _ = try await server.page(origin: "http://evil.example")
      }
      let page = try await server.page(origin: "http://127.0.0.1:\(server.port)")
      page.say(#"{"ping":3}"#)
      try await page.wait("an answered ping") { $0.pongs == [3] }
    }
  }

  @Test func `a hostile page is answered and closed and harms no other`() async throws {
    try await RunningServer.with { server in
      let good = try await server.page()
      good.open("book/XBTUSD")
      let hostile = try await server.page()
      for number in 0..<25 { hostile.say("nonsense \(number)") }
      try await hostile.wait("the close") { $0.closeCode == 1008 }
      #expect(hostile.seen.errors.contains("bad_message"))
      let huge = try await server.page()
      huge.say(String(repeating: "x", count: 40_000))
      try await huge.wait("the close") { $0.closeCode == 1009 }
      let before = good.seen.frames
      try await good.wait("more frames") { $0.frames > before + 3 }
    }
  }
}

private func isLive(_ state: NSDictionary?) -> Bool {
  (state?["freshness"] as? NSDictionary)?["state"] as? String == "live"
}

@Sendable private func isLive(_ state: NSDictionary) -> Bool { isLive(Optional(state)) }

/// The number of connected venues in the topic of connections.
@Sendable private func connected(_ status: NSDictionary) -> Int {
  (status["venues"] as? [String: NSDictionary] ?? [:]).values
    .count { $0["connected"] as? Bool == true }
}

private func rows(_ state: NSDictionary?, _ key: String) -> Int {
  (state?[key] as? [Any])?.count ?? 0
}

extension RunningServer {
  func health() async throws -> NSDictionary { try await json("/healthz") }

  func connectionsOpened() async throws -> [String: Int] {
    try #require(try await health()["upstreamConnections"] as? [String: Int])
  }

  func json(_ path: String) async throws -> NSDictionary {
    let answer = try await get(path)
    let object = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
    return try #require(object as? NSDictionary)
  }
}
