// Orders end to end: a tick feed over TCP, the server, a page, the disk.

import FeedConnections
import Foundation
import MarketModel
import NIOCore
import NIOPosix
import SocketTransport
import TestSupport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct OrderTests {
  /// Venues that these tests don't need; simulating them costs time.
  private static let others: [(venue: Venue, scheme: Endpoint.Scheme)] = [
    (.bitmex, .ws), (.kraken, .ws), (.isin, .ws), (.bux, .http), (.echo, .ws),
  ]

  /// A server on a scripted exchange, with orders in a folder; the other venues refuse connections.
  private static func withServer(
    data: TemporaryFolder, _ body: (RunningServer, ScriptedExchange) async throws -> Void
  ) async throws {
    let nobody = try SilentPort.hold()
    defer { nobody.release() }
    try await withThreads(1) { group in
      let exchange = try await ScriptedExchange.start(on: group)
      var configuration = LivetapeConfiguration.onFreePort()
      configuration.dataFolder = data.path
      configuration.addresses[.exchange] = try .given(exchange.url, for: .exchange)
      for other in others {
        configuration.addresses[other.venue] = try .given(
          nobody.endpoint(other.scheme), for: other.venue)
      }
      try await RunningServer.with(configuration) { try await body($0, exchange) }
      await exchange.stop()
    }
  }

  @Test func `buying 100 when 60 are offered buys 60, reports it, and is in every page's history`()
    async throws
  {
    let data = try TemporaryFolder()
    try await Self.withServer(data: data) { server, exchange in
      exchange.tick(bid: "101.40", 17, ask: "101.50", 60)
      let page = try await server.page()
      let other = try await server.page()
      let blind = try await server.page()
      page.open("exchange", "orders")
      other.open("orders")
      blind.open("exchange")
      try await page.wait(for: "exchange", "is live", until: isLive)
      #expect(page["exchange"]?["priceStep"] as? String == "0.01")
      #expect(page["exchange"]?["quantityStep"] as? String == "1")
      try await page.wait(for: "orders", "is loaded") { $0["loaded"] as? Bool == true }
      page.say(preview("100"))
      page.say(order("click-1", "100"))
      try await page.wait("both replies") { $0.replies.count == 2 }
      let (preview, placed) = (page.seen.replies[0], page.seen.replies[1])
      #expect(preview["fill"] as? [String] == ["101.50", "60"])
      #expect(preview["leavesQuantity"] as? String == "40")
      #expect(preview["remainderRests"] as? Bool == false)
      #expect(placed["clientId"] as? String == "click-1" && placed["id"] as? String == "1")
      #expect(placed["ok"] as? Bool == true && placed["repeated"] as? Bool == false)
      try await other.wait("the notice") { !$0.notices.isEmpty }
      let text = "Bought {60} of {100} TROAD at {$101.50}; {40} cancelled: only {60} offered."
      #expect(other.seen.notices.map { english($0["text"]) } == [text])
      #expect(other.seen.notices.first?["warning"] as? Bool == true)
      try await other.wait(for: "orders", "has the order") { $0["total"] as? Int == 1 }
      let row = try #require((other["orders"]?["orders"] as? NSDictionary)?["1"] as? NSDictionary)
      #expect(row["status"] as? String == "CANCELLED" && row["filled"] as? String == "60")
      #expect(row["cancelled"] as? String == "40" && row["average"] as? String == "101.50")
      #expect(other.seen.replies.isEmpty && blind.seen.notices.isEmpty)
      page.say(order("click-1", "100"))
      try await page.wait("the third reply") { $0.replies.count == 3 }
      #expect(page.seen.replies[2]["repeated"] as? Bool == true)
      #expect(page.seen.replies[2]["id"] as? String == "1")
      page.say(order("click-2", "100"))
      try await page.wait("the fourth reply") { $0.replies.count == 4 }
      try await page.wait("news of the second order") { $0.notices.count == 2 }
      #expect(
        english(page.seen.notices[1]["text"])
          == "Bought {0} of {100} TROAD; {100} cancelled: earlier orders took all {60} offered.")
    }
  }

  @Test func `a limit order waits over a restart, fills in parts and can be cancelled`()
    async throws
  {
    let data = try TemporaryFolder()
    try await Self.withServer(data: data) { server, exchange in
      exchange.tick(bid: "45.01", 17, ask: "45.10", 36)
      let page = try await server.page()
      page.open("exchange", "orders")
      try await page.wait(for: "exchange", "is live", until: isLive)
      page.say(order("patient", "10", limit: "44.50"))
      page.say(order("unwanted", "10", limit: "44.00"))
      try await page.wait("both replies") { $0.replies.count == 2 }
    }
    try await Self.withServer(data: data) { server, exchange in
      let page = try await server.page()
      page.open("orders")
      try await page.wait(for: "orders", "holds both") { $0["openCount"] as? Int == 2 }
      #expect(status(page["orders"], "1") == "PENDING")
      page.say(#"{"do":"order.cancel","id":"2"}"#)
      try await page.wait("the reply") { $0.replies.first?["ok"] as? Bool == true }
      exchange.tick(bid: "44.40", 17, ask: "44.45", 4)
      try await page.wait(for: "orders", "has the first part") {
        status($0, "1") == "PARTIALLY FILLED"
      }
      exchange.tick(bid: "44.40", 17, ask: "44.50", 36)
      try await page.wait(for: "orders", "is filled") { status($0, "1") == "FILLED" }
      #expect(status(page["orders"], "2") == "CANCELLED")
      let row = (page["orders"]?["orders"] as? NSDictionary)?["1"] as? NSDictionary
      #expect(row?["levels"] as? [[String]] == [["44.45", "4"], ["44.50", "6"]])
      #expect(row?["average"] as? String == "44.48")
      page.say(#"{"do":"order.cancel","id":"1"}"#)
      try await page.wait("the refusal") { $0.replies.count == 2 }
      #expect(
        english(page.seen.replies[1]["message"])
          == "Too late to cancel: the order is already filled.")
    }
  }

  @Test func `slips get a sentence and a field, and hostile orders an error`() async throws {
    try await Self.withServer(data: try TemporaryFolder()) { server, exchange in
      exchange.tick(bid: "45.01", 17, ask: "45.10", 36)
      let page = try await server.page()
      page.open("exchange", "orders")
      try await page.wait(for: "exchange", "is live", until: isLive)
      for (index, (quantity, price)) in [
        ("0", "45.00"), ("1.5", "45.00"), ("abc", "45.00"), ("10", "45.001"), ("10", "0"),
        ("10", "9999"), ("9999999", "45.00"),
      ].enumerated() {
        page.say(order("slip-\(index)", quantity, limit: price))
      }
      try await page.wait("seven replies") { $0.replies.count == 7 }
      let fields = page.seen.replies.map { $0["field"] as? String ?? "-" }
      #expect(
        fields == ["quantity", "quantity", "quantity", "price", "price", "price", "quantity"])
      #expect(page.seen.replies.allSatisfy { $0["ok"] as? Bool == false && $0["id"] == nil })
      page.say(#"{"do":"order.place","order":{"clientId":"x","type":"market","side":"up"}}"#)
      try await page.wait("the error") { $0.errors == ["bad_message"] }
      try await page.wait(for: "orders", "is loaded") { $0["total"] as? Int == 0 }
    }
  }

  @Test func `without live prices a market order is refused and noted and a limit order waits`()
    async throws
  {
    try await Self.withServer(data: try TemporaryFolder()) { server, exchange in
      exchange.tick(bid: "45.01", 17, ask: "45.10", 36)
      let page = try await server.page()
      page.open("exchange", "orders")
      try await page.wait(for: "exchange", "is live", until: isLive)
      await exchange.stop()
      try await page.wait(for: "exchange", "is disconnected") { state in
        (state["freshness"] as? NSDictionary)?["state"] as? String == "disconnected"
      }
      page.say(order("now", "10"))
      page.say(order("later", "10", limit: "45.10"))
      page.say(preview("10"))
      try await page.wait("three replies") { $0.replies.count == 3 }
      let sentence =
        "A market order needs live prices: the exchange is disconnected. "
        + "A limit order can wait for them."
      #expect(english(page.seen.replies[0]["message"]) == sentence)
      #expect(page.seen.replies[0]["id"] as? String == "1")
      #expect(page.seen.replies[1]["ok"] as? Bool == true)
      #expect(english(page.seen.replies[2]["message"]) == sentence)
      try await page.wait(for: "orders", "has both") { $0["total"] as? Int == 2 }
      #expect(status(page["orders"], "1") == "REJECTED")
      #expect(status(page["orders"], "2") == "PENDING")
    }
  }

  @Test func `the whole history is a file for the user's own page and for no other`() async throws {
    try await Self.withServer(data: try TemporaryFolder()) { server, exchange in
      exchange.tick(bid: "45.01", 17, ask: "45.10", 36)
      let page = try await server.page()
      page.open("exchange")
      try await page.wait(for: "exchange", "is live", until: isLive)
      page.say(order("a", "10"))
      page.say(order("b", "5", limit: "44"))
      try await page.wait("both replies") { $0.replies.count == 2 }
      let csv = try await server.get("/orders.csv")
      let lines = String(buffer: csv.body).split(separator: "\n")
      #expect(csv.status == 200 && csv.header("cache-control") == "no-store")
      #expect(
        csv.header("content-disposition") == "attachment; filename=\"livetape-orders.csv\"")
      #expect(lines.count == 3 && lines[2].hasPrefix("1,a,TROAD,buy,market,10,10,45.1,,FILLED,"))
      let fills = try await server.get("/fills.csv")
      #expect(fills.status == 200 && fills.header("content-type") == "text/csv; charset=utf-8")
      #expect(
        fills.header("content-disposition") == "attachment; filename=\"livetape-fills.csv\"")
      let rows = String(buffer: fills.body).split(separator: "\r\n")
      #expect(rows.count == 2 && rows[1].hasSuffix("Z,TROAD,1,buy,10,45.1,,"))
      let scripted = try await server.get("/api/v1/fills.csv")
      #expect(scripted.status == 200 && scripted.body == fills.body)
      #expect(scripted.header("content-type") == "text/csv; charset=utf-8")
      let json = try await server.get(
        "/orders.json", headers: [("Origin", "http://127.0.0.1:\(server.port)")])
      let orders = try JSONSerialization.jsonObject(with: Data(json.body.readableBytesView))
      #expect(
        (orders as? [NSDictionary])?.map { $0["status"] as? String } == ["PENDING", "FILLED"])
      for foreign in [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
        for path in ["/orders.json", "/fills.csv", "/api/v1/fills.csv"] {
          let refused = try await server.get(path, headers: [foreign])
          #expect(refused.status == 403, "\(path) \(foreign)")
        }
      }
      let older = try await server.get("/history/orders?before=2")
      let list = try JSONSerialization.jsonObject(with: Data(older.body.readableBytesView))
      #expect((list as? NSDictionary)?["order"] as? [String] == ["1"])
      #expect(status(list as? NSDictionary, "1") == "FILLED")
      let wrong = try await server.get("/history/orders?before=x")
      let foreign = try await server.get(
        "/history/orders?before=2", headers: [("Sec-Fetch-Site", "cross-site")])
      #expect(wrong.status == 400 && foreign.status == 403)
      let known = try await server.get("/orders")
      let unknown = try await server.get("/no/such/page")
      #expect(known.status == 200 && unknown.status == 404)
    }
  }

  @Test func `a second server on the same folder shows prices and rejects orders with a reason`()
    async throws
  {
    let data = try TemporaryFolder()
    try await Self.withServer(data: data) { first, _ in
      let held = try await first.page()
      held.open("orders")
      try await held.wait(for: "orders", "is loaded") { $0["loaded"] as? Bool == true }
      try await Self.withServer(data: data) { second, exchange in
        exchange.tick(bid: "45.01", 17, ask: "45.10", 36)
        let page = try await second.page()
        page.open("exchange", "orders")
        try await page.wait(for: "exchange", "is live", until: isLive)
        try await page.wait(for: "orders", "says why") { $0["failure"] != nil }
        page.say(order("a", "10"))
        try await page.wait("the refusal") { $0.replies.count == 1 }
        let words = "Another Livetape uses this order history."
        #expect((page.seen.replies[0]["message"] as? String)?.hasPrefix(words) == true)
        let file = try await second.get("/orders.csv")
        #expect(file.status == 503)
      }
    }
  }

  @Test func `what was acknowledged survives a kill, and the page finds it again`() async throws {
    let data = try TemporaryFolder()
    let nobody = try SilentPort.hold()
    defer { nobody.release() }
    try await withThreads(1) { group in
      let exchange = try await ScriptedExchange.start(on: group)
      exchange.tick(bid: "45.01", 17, ask: "45.10", 36)
      let flags =
        ["--data", data.path, "--exchange-url", exchange.url]
        + Self.others.flatMap { ["--url", "\($0.venue)=\(nobody.endpoint($0.scheme))"] }
      try await Self.killAndFindAgain(flags, data: data, on: group)
      await exchange.stop()
    }
  }

  private static func killAndFindAgain(
    _ flags: [String], data: TemporaryFolder, on group: any EventLoopGroup
  ) async throws {
    let server = try await ServerProcess.start(flags)
    let page = try await PageClient.connect(port: server.port, origin: nil, on: group.next())
    page.open("exchange", "orders")
    try await page.wait(for: "exchange", "is live", until: isLive)
    for number in 1...30 { page.say(order("order-\(number)", "7", limit: "44.0\(number % 10)")) }
    try await page.wait("some replies") { $0.replies.count >= 10 }
    await server.kill()
    let acknowledged = page.seen.replies.filter { $0["ok"] as? Bool == true }
    #expect(acknowledged.count >= 10)
    let again = try await ServerProcess.start(flags)
    let endpoint = try Endpoint("http://127.0.0.1:\(again.port)/orders.json")
    let answer = try await HTTPClient.get(endpoint, options: .patient(), on: group.next()).get()
    let stored = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
    let names = Set((stored as? [NSDictionary] ?? []).map { $0["client_id"] as? String })
    for reply in acknowledged {
      #expect(names.contains(reply["clientId"] as? String), "\(reply)")
    }
    let second = try await PageClient.connect(port: again.port, origin: nil, on: group.next())
    second.open("orders")
    try await second.wait(for: "orders", "is loaded") { $0["loaded"] as? Bool == true }
    #expect(second["orders"]?["openCount"] as? Int == names.count)
    let status = await again.stop()
    #expect(status == 0)
    #expect(!FileManager.default.fileExists(atPath: data.path + "/orders.sqlite-wal"), "closed")
  }
}

private func order(_ name: String, _ quantity: String, limit: String? = nil) -> String {
  let kind = limit.map { #""type":"limit","price":"\#($0)""# } ?? #""type":"market""#
  return #"{"do":"order.place","order":{"clientId":"\#(name)",\#(kind),"side":"buy","#
    + #""quantity":"\#(quantity)"}}"#
}

private func preview(_ quantity: String) -> String {
  #"{"do":"order.preview","ask":1,"order":{"type":"market","side":"buy","#
    + #""quantity":"\#(quantity)"}}"#
}

@Sendable private func isLive(_ state: NSDictionary) -> Bool {
  (state["freshness"] as? NSDictionary)?["state"] as? String == "live"
}

private func status(_ orders: NSDictionary?, _ id: String) -> String? {
  ((orders?["orders"] as? NSDictionary)?[id] as? NSDictionary)?["status"] as? String
}
