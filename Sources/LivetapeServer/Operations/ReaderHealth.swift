// How a reader is, for a supervisor on the same machine: `/healthz` and `/readyz`.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import MarketModel
import MessageBus
import NIOCore
import NIOHTTP1
import SocketServer
import VenueTape
import WireJSON

/// What keeps a reader from being ready, and what it reads.
struct ReaderReadiness: Equatable, Sendable {
  /// Whether messages travel to the servers.
  var link: BusLink
  /// The venues, in order.
  var venues: [TapeReading] = []

  /// Whether it reads, or would at once when another reader ends.
  var isReady: Bool { link == .up }

  /// `{"ready":true,"count":0,"reasons":[],"venues":[{"venue":"kraken","role":"reads",…},…]}`.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("ready")
    writer.boolean(isReady)
    writer.member("count", isReady ? 0 : 1)
    writer.key("reasons")
    writer.beginArray()
    if case .down(let why) = link {
      writer.beginObject()
      writer.member("code", "bus_down")
      writer.member("text", "the bus is down: \(why)")
      writer.endObject()
    }
    writer.endArray()
    writer.key("venues")
    writer.beginArray()
    for venue in venues { write(venue, to: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private func write(_ reading: TapeReading, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("venue", reading.venue.rawValue)
    writer.member("role", reading.epoch == nil ? "standby" : "reads")
    if let epoch = reading.epoch {
      writer.key("epoch")
      writer.integer(epoch)
      writer.member("phase", reading.phase.rawValue)
    }
    writer.endObject()
  }
}

/// Watches a reader and its bus, and answers for both.
final class ReaderHealth: Sendable {
  private let reader: TapeReader
  private let loop: any EventLoop
  private let link: NIOLoopBoundBox<BusLink>
  private let subscription: NIOLoopBoundBox<BusSubscription?>

  /// Watches from now on.
  init(of reader: TapeReader, over bus: any MessageBus) {
    self.reader = reader
    loop = bus.eventLoop
    let link = NIOLoopBoundBox.makeBoxSendingValue(BusLink.down("not started"), eventLoop: loop)
    let subscription = NIOLoopBoundBox.makeBoxSendingValue(
      nil as BusSubscription?, eventLoop: loop)
    (self.link, self.subscription) = (link, subscription)
    loop.execute { subscription.value = bus.observeLink { link.value = $0 } }
  }

  /// How it is now; from anywhere.
  func readiness() async throws -> ReaderReadiness {
    try await loop.submit { [self] in
      ReaderReadiness(link: link.value, venues: reader.readings)
    }.get()
  }

  /// Answers on a port of loopback.
  func listener(port: Int, logger: Logger) -> SocketListener {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.get("/healthz") { _, _ in
      // It has to come from the loop that everything runs on.
      _ = try await self.readiness()
      return Self.response(.ok, Array(#"{"status":"ok"}"#.utf8))
    }
    router.get("/readyz") { _, _ in
      let readiness = try await self.readiness()
      return Self.response(readiness.isReady ? .ok : .serviceUnavailable, readiness.json)
    }
    let origins = OriginPolicy(listeningOn: "127.0.0.1")
    let nothing = WebSocketAcceptor(
      limits: PageSocket.limits, accepts: { _ in false }, install: { _, _ in })
    return .http(
      host: "127.0.0.1", port: port,
      HTTPDoor(
        refusal: { origins.refusal(of: $0.headers) }, router: router, acceptor: nothing,
        limits: .small),
      on: loop, logger: logger)
  }

  private static func response(_ status: HTTPResponse.Status, _ json: [UInt8]) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }
}
