// One listening port for plain HTTP and WebSockets: Hummingbird routes the requests, and requests
// that an acceptor takes become WebSockets handled by channel handlers on the event loop.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import SocketTransport

/// Which requests become WebSockets, and what serves them.
struct WebSocketAcceptor: Sendable {
  /// Bounds of what clients may send.
  var limits: WebSocketLimits
  /// Whether to accept an upgrade; asked on the connection's event loop.
  ///
  /// A refused request goes on to the router as a plain GET, which answers with the reason.
  var accepts: @Sendable (HTTPRequestHead) -> Bool
  /// Adds the handler that serves the WebSocket's messages; on the event loop.
  var install: @Sendable (any NIOCore.Channel, HTTPRequestHead) throws -> Void
}

/// What a connection has become.
enum AcceptedConnection: Sendable {
  case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
  case webSocket
}

/// A connection whose kind is known once its first request has been read.
struct PendingConnection: ServerChildChannelValue {
  let channel: any NIOCore.Channel
  let accepted: EventLoopFuture<AcceptedConnection>
}

/// Hummingbird's child channel for HTTP/1.1 with WebSockets.
struct HTTPWebSocketChannel: ServerChildChannel, HTTPChannelHandler {
  /// Time without a request before a plain connection is closed.
  static let idleTimeout = Duration.seconds(60)

  let responder: HTTPChannelHandler.Responder
  let acceptor: WebSocketAcceptor

  func setup(channel: any NIOCore.Channel, logger: Logger) -> EventLoopFuture<PendingConnection> {
    channel.eventLoop.makeCompletedFuture {
      let accepted = try configure(channel, logger: logger)
      return PendingConnection(channel: channel, accepted: accepted)
    }
  }

  func handle(value: PendingConnection, logger: Logger) async {
    guard let accepted = try? await value.accepted.get() else {
      value.channel.close(promise: nil)
      return
    }
    switch accepted {
    case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
    case .webSocket: try? await value.channel.closeFuture.get()
    }
  }

  private func configure(
    _ channel: any NIOCore.Channel, logger: Logger
  ) throws -> EventLoopFuture<AcceptedConnection> {
    let acceptor = acceptor
    return try WebSocketPipeline.configureServer(
      channel, limits: acceptor.limits, accept: acceptor.accepts,
      http: { channel in
        channel.eventLoop.makeCompletedFuture { try Self.servePlain(channel, logger) }
      },
      upgraded: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          try acceptor.install(channel, head)
          return .webSocket
        }
      })
  }

  private static func servePlain(
    _ channel: any NIOCore.Channel, _ logger: Logger
  ) throws -> AcceptedConnection {
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    try pipeline.addHandler(
      HTTPConnectionStateHandler(idleTimeout: Self.idleTimeout, logger: logger))
    return .http(
      try NIOAsyncChannel(
        wrappingChannelSynchronously: channel,
        configuration: .init(isOutboundHalfClosureEnabled: true)))
  }
}
