package import Hummingbird
package import Logging
package import NIOCore
package import NIOHTTP1
package import SocketTransport

/// Which requests become WebSockets, and their handler.
package struct WebSocketAcceptor: Sendable {
  var limits: WebSocketLimits
  /// The subprotocol for clients that offer some; nil for none.
  var subprotocol: String?
  /// Whether to accept an otherwise allowed upgrade; called on the event loop.
  ///
  /// A rejected request continues to the router as a plain GET, which responds with the reason.
  var accepts: @Sendable (HTTPRequestHead) -> Bool
  /// Adds the WebSocket's message handler; on the event loop.
  var install: @Sendable (any NIOCore.Channel, HTTPRequestHead) throws -> Void

  /// Creates an acceptor.
  package init(
    limits: WebSocketLimits, subprotocol: String? = nil,
    accepts: @escaping @Sendable (HTTPRequestHead) -> Bool,
    install: @escaping @Sendable (any NIOCore.Channel, HTTPRequestHead) throws -> Void
  ) {
    (self.limits, self.subprotocol) = (limits, subprotocol)
    (self.accepts, self.install) = (accepts, install)
  }
}

/// The rules and routes of an HTTP listener.
package struct HTTPDoor {
  /// The response that rejects a request from a source, or nil to accept it; called on the event
  /// loop.
  var refusal: @Sendable (HTTPRequestHead, SocketSource) -> PlainResponse?
  var router: Router<BasicRequestContext>
  var acceptor: WebSocketAcceptor
  var limits: SocketLimits
  /// Additional headers of every response, including upgrades.
  var headers: HTTPHeaders
  /// The allowed methods; requests have no body except those of the ``branch``.
  var methods: [HTTPMethod]
  /// Secures an accepted socket on its event loop; nil for plain ones.
  var secure: (@Sendable (any NIOCore.Channel) throws -> Void)?
  /// The listener's check of itself before it reports its port; nil for none.
  var check: SelfCheck?
  var branch: HTTPBranch?

  /// Creates a door.
  ///
  /// A plain one checks itself with ``SelfCheck/http(secure:)``; with TLS, pass a check that uses
  /// it.
  package init(
    refusal: @escaping @Sendable (HTTPRequestHead, SocketSource) -> PlainResponse?,
    router: Router<BasicRequestContext>, acceptor: WebSocketAcceptor,
    limits: SocketLimits = SocketLimits(), headers: HTTPHeaders = [:],
    methods: [HTTPMethod] = [.GET, .HEAD],
    secure: (@Sendable (any NIOCore.Channel) throws -> Void)? = nil, check: SelfCheck? = nil,
    branch: HTTPBranch? = nil
  ) {
    (self.refusal, self.router, self.acceptor) = (refusal, router, acceptor)
    (self.limits, self.headers, self.methods, self.secure) = (limits, headers, methods, secure)
    self.check = check ?? (secure == nil ? .http() : nil)
    self.branch = branch
  }
}

extension SocketListener {
  /// A listener for HTTP/1.1 and WebSocket, over TLS if the door has it.
  ///
  /// Hummingbird routes the requests; accepted upgrades become WebSockets, served by channel
  /// handlers on the event loop.
  package static func http(
    host: String, port: Int, _ door: HTTPDoor, on loop: any EventLoop, logger: Logger
  ) -> SocketListener {
    let service = HTTPService(
      refusal: door.refusal, responder: door.router.buildResponder(), headers: door.headers,
      methods: door.methods, branch: door.branch, logger: logger)
    let (refusal, acceptor, headers) = (door.refusal, door.acceptor, door.headers)
    let secure = door.secure
    return SocketListener(
      host: host, port: port, limits: door.limits, check: door.check, on: loop, logger: logger
    ) { channel, sockets, number in
      try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
      try secure?(channel)
      let guardian = ConnectionGuard(sockets.limits) { sockets.note($0, of: number) }
      try channel.pipeline.syncOperations.addHandler(guardian)
      let here = NIOLoopBound(guardian, eventLoop: channel.eventLoop)
      let source = SocketSource(channel.remoteAddress)
      try WebSocketPipeline.configureServer(
        channel, limits: acceptor.limits, headers: headers, subprotocol: acceptor.subprotocol,
        accept: { refusal($0, source) == nil && acceptor.accepts($0) },
        http: [HTTPRequestHandler(service)],
        upgraded: { channel, head in
          sockets.note(.busy, of: number)
          channel.pipeline.syncOperations.removeHandler(here.value, promise: nil)
          try acceptor.install(channel, head)
        })
    }
  }
}
