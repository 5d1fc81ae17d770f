import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import MessageBus
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import SocketServer
import WireJSON

/// Whether a process fulfils its task, and why not.
protocol ProcessReadiness: Sendable {
  var link: BusLink { get }
  var isReady: Bool { get }
  var json: [UInt8] { get }
}

extension ProcessReadiness {
  var busReasons: [(code: String, text: String)] {
    if case .down(let why) = link { [("bus_down", "the bus is down: \(why)")] } else { [] }
  }

  /// Begins ``json``: `{"ready":true,"count":0,"reasons":[]`.
  func begin(_ writer: inout JSONWriter, _ reasons: [(code: String, text: String)]) {
    writer.beginObject()
    writer.member("ready", isReady)
    writer.member("count", reasons.count)
    writer.objects("reasons", reasons) { writer, reason in
      writer.member("code", reason.code)
      writer.member("text", reason.text)
    }
  }
}

extension LeaseProblem {
  var reason: (code: String, text: String) {
    switch self {
    case .refused: ("lease_refused", description)
    case .noLeader: ("no_leader", description)
    }
  }
}

/// Serves `/healthz` and `/readyz` of a process without pages, for a supervisor on the same
/// machine.
final class ProcessHealth: Sendable {
  private let loop: any EventLoop
  private let link: NIOLoopBoundBox<BusLink>
  private let subscription: NIOLoopBoundBox<BusSubscription?>
  private let judge: @Sendable (BusLink) -> any ProcessReadiness

  /// Starts watching the bus; `readiness` is called on its loop.
  init(
    over bus: any MessageBus, readiness judge: @escaping @Sendable (BusLink) -> any ProcessReadiness
  ) {
    loop = bus.eventLoop
    self.judge = judge
    let link = NIOLoopBoundBox.makeBoxSendingValue(BusLink.down("not started"), eventLoop: loop)
    let subscription = NIOLoopBoundBox.makeBoxSendingValue(nil as BusSubscription?, eventLoop: loop)
    (self.link, self.subscription) = (link, subscription)
    loop.execute { subscription.value = bus.observeLink { link.value = $0 } }
  }

  /// Serves on a loopback port, if one is given, until graceful shutdown.
  ///
  /// `started` receives the port once it listens, or the thrown ``SocketServer/ListenError``.
  func answer(on port: Int?, started: EventLoopPromise<Int?>, logger: Logger) async throws {
    guard let port else {
      started.succeed(nil)
      try? await gracefulShutdown()
      return
    }
    let listener = listener(port: port, logger: logger)
    listener.port.map(Optional.some).cascade(to: started)
    try await listener.run()
  }

  private func readiness() async throws -> any ProcessReadiness {
    try await loop.submit { [self] in judge(link.value) }.get()
  }

  private func listener(port: Int, logger: Logger) -> SocketListener {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.get("/healthz") { _, _ in
      // The response must come from the main loop to prove that it turns.
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
        refusal: { head, _ in origins.refusal(of: head.headers) }, router: router,
        acceptor: nothing,
        limits: .small),
      on: loop, logger: logger)
  }

  private static func response(_ status: HTTPResponse.Status, _ json: [UInt8]) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }
}
