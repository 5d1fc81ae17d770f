import FeedConnections
import HTTPTypes
import HistoryStore
import Hummingbird
import HummingbirdCore
import MarketModel
import MarketStreams
import NIOCore
import WireJSON

/// Health for supervisors and scrapers: `/healthz`, `/readyz`, `/metrics`.
struct OperationsRoutes: Sendable {
  let hub: PageHub
  let history: HistoryStore
  let registry: PrometheusRegistry

  func add(to router: Router<BasicRequestContext>) {
    router.get("/healthz") { _, _ in try await self.health() }
    router.get("/readyz") { _, _ in try await self.readiness() }
    router.get("/metrics") { _, _ in try await self.metrics() }
  }

  /// Reports that the process runs and its loop turns, independent of venues and orders.
  private func health() async throws -> Response {
    let reading = try await hub.operations()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("status", "ok")
      writer.member("pages", reading.pages)
      writer.object("upstreamConnections") { writer in
        for (venue, count) in reading.connectionsOpened.sorted(by: { $0.key < $1.key }) {
          writer.key(text: venue.rawValue)
          writer.integer(count)
        }
      }
    }
    return OperationsRoutes.response(.ok, "application/json", writer.bytes)
  }

  private func readiness() async throws -> Response {
    let readiness = try await hub.operations().readiness
    return OperationsRoutes.response(
      readiness.isReady ? .ok : .serviceUnavailable, "application/json", readiness.json)
  }

  private func metrics() async throws -> Response {
    var reading = try await hub.operations()
    reading.history = history.status
    reading.historyBudget = history.limits.maximumBytes
    var text = MetricText()
    let latency = LatencyReport.families(of: await hub.latency())
    for family in reading.families + registry.families + latency { text.add(family) }
    return OperationsRoutes.response(
      .ok, "text/plain; version=0.0.4; charset=utf-8", Array(text.text.utf8))
  }

  private static func response(
    _ status: HTTPResponse.Status, _ type: String, _ bytes: [UInt8]
  ) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

extension PageHub {
  /// The server's state and counters; callable from any thread.
  ///
  /// Values are aged first, so that the reading is current. O(streams on pages).
  func operations() async throws -> OperationsReading {
    try await loop.submit {
      self.catchUp()
      var reading = OperationsReading(now: self.clock.now())
      self.box.value.server.report(into: &reading)
      reading.readiness = self.box.value.server.readiness { self.feeds.value(of: $0) }
      reading.traffic = self.feeds.traffic
      reading.connectionsOpened = self.box.value.connectionsOpened
      reading.bytesSent = self.box.value.bytesSent
      return reading
    }.get()
  }
}
