// One listening port for plain HTTP and WebSockets: Hummingbird routes the requests, and requests
// that an acceptor takes become WebSockets handled by channel handlers on the event loop.

import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import SocketTransport

/// Which requests become WebSockets, and what serves them.
struct WebSocketAcceptor: Sendable {
  /// Bounds of what clients may send.
  var limits: WebSocketLimits
  /// Whether to accept an upgrade that no general rule refuses; asked on the event loop.
  ///
  /// A refused request goes on to the router as a plain GET, which answers with the reason.
  var accepts: @Sendable (HTTPRequestHead) -> Bool
  /// Adds the handler that serves the WebSocket's messages; on the event loop.
  var install: @Sendable (any NIOCore.Channel, HTTPRequestHead) throws -> Void
}

/// Who is let in where, and what is there.
struct HTTPDoor {
  /// The response that refuses a request, or nil when it is welcome; asked on the event loop.
  var refusal: @Sendable (HTTPRequestHead) -> PlainResponse?
  /// The routes of welcome requests.
  var router: Router<BasicRequestContext>
  /// Those that become WebSockets.
  var acceptor: WebSocketAcceptor
  /// Bounds of sockets.
  var limits = SocketLimits()
  /// What every response says beside its own headers, that of an upgrade as well.
  var headers: HTTPHeaders = [:]
}

extension SocketListener {
  /// A listener that speaks HTTP/1.1 and WebSocket.
  static func http(
    host: String, port: Int, _ door: HTTPDoor, on loop: any EventLoop, logger: Logger
  ) -> SocketListener {
    let service = HTTPService(
      refusal: door.refusal, responder: door.router.buildResponder(), headers: door.headers,
      logger: logger)
    let (refusal, acceptor, headers) = (door.refusal, door.acceptor, door.headers)
    return SocketListener(host: host, port: port, limits: door.limits, on: loop) {
      channel, sockets, number in
      try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
      let guardian = ConnectionGuard(sockets.limits) { sockets.note($0, of: number) }
      try channel.pipeline.syncOperations.addHandler(guardian)
      let here = NIOLoopBound(guardian, eventLoop: channel.eventLoop)
      try WebSocketPipeline.configureServer(
        channel, limits: acceptor.limits, headers: headers,
        accept: { refusal($0) == nil && acceptor.accepts($0) },
        http: [HTTPRequestHandler(service)],
        upgraded: { channel, head in
          sockets.note(.busy, of: number)
          channel.pipeline.syncOperations.removeHandler(here.value, promise: nil)
          try acceptor.install(channel, head)
        })
    }
  }
}
