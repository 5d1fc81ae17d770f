public import NIOCore
public import NIOHTTP1
import NIOWebSocket

/// Adds the handlers of a WebSocket connection to a channel.
public enum WebSocketPipeline {
  /// Adds a ``WebSocketMessageHandler`` and above it `application`, on the channel's event loop.
  ///
  /// That receives ``WebSocketEvent/opened`` at once if the channel is active. NIOWebSocket's frame
  /// encoder and decoder must be below. Throws if the channel was closed meanwhile.
  public static func add(
    _ application: any ChannelHandler, to channel: any Channel, role: WebSocketRole,
    limits: WebSocketLimits = WebSocketLimits()
  ) throws {
    // The application goes first: the message handler fires `opened` when added.
    let pipeline = channel.pipeline.syncOperations
    typealias Decoder = ByteToMessageHandler<WebSocketFrameDecoder>
    try pipeline.addHandler(
      EarlyTextHandler(), position: .before(try pipeline.handler(type: Decoder.self)))
    try pipeline.addHandler(application)
    try pipeline.addHandler(
      WebSocketMessageHandler(role: role, limits: limits), position: .before(application))
  }

  /// Adds these headers to a 101, and the subprotocol if the client names it.
  static func responseBuilder(
    limits: WebSocketLimits, headers: HTTPHeaders, subprotocol: String?
  ) -> NIOTypedWebSocketServerUpgrader<Void> {
    NIOTypedWebSocketServerUpgrader(
      maxFrameSize: limits.maximumMessageBytes, enableAutomaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        var headers = headers
        let named = head.headers[canonicalForm: "sec-websocket-protocol"]
        if let subprotocol, named.contains(Substring(subprotocol)) {
          headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol)
        }
        return channel.eventLoop.makeSucceededFuture(headers)
      },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
  }

  /// Prepares an accepted socket for HTTP/1, any request of which may become a WebSocket.
  ///
  /// Call it on the channel's event loop, from the child channel initializer. After a refused
  /// upgrade NIO parses no further requests, so the response must close the connection. Throws if
  /// the channel was closed meanwhile.
  ///
  /// - `headers` are added to the 101, and `subprotocol` if the client names it.
  /// - `accept` decides on valid WebSocket requests; HTTP responds to all others.
  /// - `http` are the handlers that respond to requests (`HTTPServerRequestPart` in,
  ///   `HTTPServerResponsePart` out), one at a time.
  /// - `upgraded` adds the application's handler with ``add(_:to:role:limits:)``; on the event
  ///   loop.
  public static func configureServer(
    _ channel: any Channel, limits: WebSocketLimits = WebSocketLimits(),
    headers: HTTPHeaders = [:], subprotocol: String? = nil,
    accept: @escaping @Sendable (HTTPRequestHead) -> Bool,
    http: [any RemovableChannelHandler],
    upgraded: @escaping @Sendable (any Channel, HTTPRequestHead) throws -> Void
  ) throws {
    let encoder = HTTPResponseEncoder()
    let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
    let normalizer = HeadNormalizer<HTTPRequestHead>()
    let oneByOne = HTTPServerPipelineHandler()
    let upgrade = UpgradeHandler(
      limits: limits, headers: headers, subprotocol: subprotocol,
      surroundings: .init(encoder: encoder, others: http + [oneByOne, normalizer, decoder]),
      accept: accept, upgraded: upgraded)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(encoder)
    try pipeline.addHandler(decoder)
    try pipeline.addHandler(normalizer)
    try pipeline.addHandler(oneByOne)
    try pipeline.addHandler(upgrade)
    for handler in http { try pipeline.addHandler(handler) }
  }
}
