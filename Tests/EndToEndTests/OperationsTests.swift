// A running server's health, as supervisors and scrapers see it, with venues that break.

import Foundation
import NIOCore
import SocketTransport
import TestSupport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct OperationsTests {
  @Test func `readiness follows a page's book and its venue through each fault`() async throws {
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open("book/BTC/USD")
      try await page.wait(for: "book/BTC/USD", "is live", until: isLive)
      try await server.waitUntilReady(true)
      for (fault, code) in [
        ("refuse=503, cut", "venue_disconnected"), ("stall", "book_not_live"),
        ("checksum=100%", "book_not_live"), ("half-open", "book_not_live"),
      ] {
        page.say(#"{"do":"fault.inject","venue":"kraken","faults":"\#(fault)"}"#)
        let begin = ContinuousClock.now
        let answer = try await server.waitUntilReady(false)
        // Informative only; the check is that it arrives.
        print("readyz: \(fault): not ready after \(ContinuousClock.now - begin)")
        let reasons = answer["reasons"] as? [[String: String]] ?? []
        #expect(
          reasons.contains { $0["code"] == code && $0["venue"] == "kraken" }, "\(fault): \(answer)")
        page.say(#"{"do":"fault.clear","venue":"kraken"}"#)
        page.say(#"{"do":"venue.retry","venue":"kraken"}"#)
        try await server.waitUntilReady(true)
        #expect(try await server.get("/healthz").status == 200, "the process was well all the time")
      }
      page.say(#"{"close":["book/BTC/USD"]}"#)
      await page.close()
    }
  }

  @Test func `a page that sees a book late is never ahead of readiness`() async throws {
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open("book/BTC/USD")
      try await page.wait(for: "book/BTC/USD", "is live", until: isLive)
      page.say(#"{"do":"fault.inject","venue":"kraken","faults":"stall"}"#)
      try await page.wait(for: "book/BTC/USD", "is not live") { !isLive($0) }
      #expect(try await server.get("/readyz").status == 503)
    }
  }

  @Test func `a server with a foreign ledger is not ready and gives the reason`() async throws {
    let folder = try TemporaryFolder()
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.dataFolder = folder.path
    try await RunningServer.with(configuration) { first in
      try await first.waitUntilReady(true)
      try await RunningServer.with(configuration) { second in
        let answer = try await second.waitUntil("orders are refused") { answer in
          let reasons = answer["reasons"] as? [[String: String]] ?? []
          return reasons.map { $0["code"] } == ["orders_refused"]
        }
        #expect(answer["ready"] as? Bool == false)
        #expect(try await second.metric("livetape_ledger_accepting") == "0")
        #expect(try await first.metric("livetape_ledger_accepting") == "1")
      }
    }
  }

  @Test func `metrics count what venues sent and pages got`() async throws {
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open("book/BTC/USD", "exchange")
      try await page.wait(for: "book/BTC/USD", "is live", until: isLive)
      try await server.waitUntilReady(true)
      let answer = try await server.get("/metrics")
      #expect(
        answer.headers.first { $0.name.lowercased() == "content-type" }?.value
          == "text/plain; version=0.0.4; charset=utf-8")
      let frames = try #require(
        try await server.metric(#"livetape_venue_frames_total{venue="kraken"}"#))
      #expect(try #require(Int(frames)) > 0)
      #expect(try await server.metric(#"livetape_venue_connected{venue="kraken"}"#) == "1")
      #expect(try await server.metric("livetape_pages") == "1")
      #expect(try await server.metric("livetape_ready") == "1")
      let bytes = try #require(try await server.metric("livetape_page_bytes_total"))
      #expect(try #require(Int(bytes)) > 1000)
      let proven = try await server.metric(
        #"livetape_venue_book_seconds_today{venue="kraken",level="proven"}"#)
      #expect(proven != nil)
      #expect(
        try await server.metric(
          #"livetape_venue_value_age_seconds{venue="kraken",quantile="0.99"}"#)
          != nil)
      #expect(try await server.metric("livetape_history_budget_bytes") == "2000000000")
    }
  }

  @Test func `the dashboard names only metrics that a server has from its start`() async throws {
    let file = repositoryFolder().appending(path: "packaging/grafana/livetape.json")
    let dashboard = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let panels = try #require(dashboard["panels"] as? [[String: Any]])
    let expressions = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }
      .compactMap { $0["expr"] as? String }
    #expect(expressions.count > 10)
    let named = Set(
      expressions.flatMap { $0.matches(of: /livetape_[a-z0-9_]+/).map { String($0.output) } })
    try await RunningServer.with { server in
      let text = String(buffer: try await server.get("/metrics").body)
      let families = Set(
        text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
          .map { String($0.split(separator: " ")[2]) })
      let known = families.union(families.flatMap { ["\($0)_sum", "\($0)_count"] })
      #expect(named.subtracting(known).sorted() == [])
      let doc = try String(
        contentsOf: repositoryFolder().appending(path: "docs/operations.md"), encoding: .utf8)
      #expect(families.filter { !doc.contains("`\($0)`") }.sorted() == [], "each is explained")
    }
  }

  @Test func `without a token a server on loopback serves its health, and nothing else`()
    async throws
  {
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.pageToken = try PageToken("0123456789abcdef")
    try await RunningServer.with(configuration) { server in
      try await server.waitUntilReady(true)
      #expect(try await server.get("/healthz").status == 200)
      #expect(try await server.get("/metrics").status == 401)
      let bearer = [(name: "Authorization", value: "Bearer 0123456789abcdef")]
      #expect(try await server.get("/metrics", headers: bearer).status == 200)
    }
  }
}

@Sendable private func isLive(_ topic: NSDictionary) -> Bool {
  (topic["freshness"] as? NSDictionary)?["state"] as? String == "live"
}

extension RunningServer {
  /// Polls `/readyz` until it has this status.
  @discardableResult
  fileprivate func waitUntilReady(_ isReady: Bool) async throws -> NSDictionary {
    try await waitUntil("ready is \(isReady)") { $0["ready"] as? Bool == isReady }
  }

  /// Polls `/readyz` until its response matches; status and body never contradict each other.
  fileprivate func waitUntil(
    _ what: String, _ isDone: (NSDictionary) -> Bool
  ) async throws -> NSDictionary {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    var last: NSDictionary = [:]
    while ContinuousClock.now < end {
      let answer = try await get("/readyz")
      let object = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
      last = object as? NSDictionary ?? [:]
      #expect((answer.status == 200) == (last["ready"] as? Bool))
      if isDone(last) { return last }
      try await group.next().scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
    }
    Issue.record("\(what): \(last)")
    throw WaitTimeout(what: what)
  }

  /// The value of a series at `/metrics`; nil without one.
  fileprivate func metric(_ series: String) async throws -> String? {
    let text = String(buffer: try await get("/metrics").body)
    return text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
      .map { String($0.dropFirst(series.count + 1)) }
  }
}
