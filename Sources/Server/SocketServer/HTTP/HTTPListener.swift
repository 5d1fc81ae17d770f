// One listening port for plain HTTP and WebSockets: Hummingbird routes the requests, and requests
// that an acceptor takes become WebSockets handled by channel handlers on the event loop.

package import Hummingbird
package import Logging
package import NIOCore
package import NIOHTTP1
package import SocketTransport

/// Which requests become WebSockets, and what serves them.
package struct WebSocketAcceptor: Sendable {
  /// Bounds of what clients may send.
  var limits: WebSocketLimits
  /// What is spoken, for clients that name protocols; nil where none is agreed on.
  var subprotocol: String?
  /// Whether to accept an upgrade that no general rule refuses; asked on the event loop.
  ///
  /// A refused request goes on to the router as a plain GET, which answers with the reason.
  var accepts: @Sendable (HTTPRequestHead) -> Bool
  /// Adds the handler that serves the WebSocket's messages; on the event loop.
  var install: @Sendable (any NIOCore.Channel, HTTPRequestHead) throws -> Void

  /// Says which requests, and what is done with them.
  package init(
    limits: WebSocketLimits, subprotocol: String? = nil,
    accepts: @escaping @Sendable (HTTPRequestHead) -> Bool,
    install: @escaping @Sendable (any NIOCore.Channel, HTTPRequestHead) throws -> Void
  ) {
    (self.limits, self.subprotocol) = (limits, subprotocol)
    (self.accepts, self.install) = (accepts, install)
  }
}

/// Who is let in where, and what is there.
package struct HTTPDoor {
  /// The response that rejects a request from a source, or nil when it is accepted; called on the
  /// event loop.
  var refusal: @Sendable (HTTPRequestHead, SocketSource) -> PlainResponse?
  /// The routes of welcome requests.
  var router: Router<BasicRequestContext>
  /// Those that become WebSockets.
  var acceptor: WebSocketAcceptor
  /// Bounds of sockets.
  var limits: SocketLimits
  /// What every response says beside its own headers, that of an upgrade as well.
  var headers: HTTPHeaders
  /// What may be done; a request has no body whatever it does, but for those of the ``branch``.
  var methods: [HTTPMethod]
  /// Secures an accepted socket, on its event loop; nil for plain ones.
  var secure: (@Sendable (any NIOCore.Channel) throws -> Void)?
  /// Sent by the listener to itself before it reports its port; nil for no check.
  var check: SelfCheck?
  /// Paths with rules of their own; nil for none.
  var branch: HTTPBranch?

  /// Plain doors check themselves with ``SelfCheck/http(secure:)``; one with TLS needs a check that
  /// speaks it.
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
  /// A listener that speaks HTTP/1.1 and WebSocket, above TLS where the door has it.
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
