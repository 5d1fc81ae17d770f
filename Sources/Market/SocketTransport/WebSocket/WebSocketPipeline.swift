// Puts the handlers of a WebSocket connection in their order, for a server's accepted socket and
// for any channel that already speaks frames.

public import NIOCore
public import NIOHTTP1
import NIOWebSocket

/// Sets up channels for WebSocket.
public enum WebSocketPipeline {
  /// Adds a ``WebSocketMessageHandler`` and above it `application`, which gets
  /// ``WebSocketEvent/opened`` at once when the channel is active.
  ///
  /// Frames must already be encoded and decoded below, by the handlers of NIOWebSocket. Call it on
  /// the channel's event loop.
  ///
  /// - Throws: what the pipeline throws when the channel has been closed meanwhile.
  public static func add(
    _ application: any ChannelHandler, to channel: any Channel, role: WebSocketRole,
    limits: WebSocketLimits = WebSocketLimits()
  ) throws {
    // The application is added first: the message handler fires `opened` as soon as it is added.
    let pipeline = channel.pipeline.syncOperations
    typealias Decoder = ByteToMessageHandler<WebSocketFrameDecoder>
    try pipeline.addHandler(
      EarlyTextHandler(), position: .before(try pipeline.handler(type: Decoder.self)))
    try pipeline.addHandler(application)
    try pipeline.addHandler(
      WebSocketMessageHandler(role: role, limits: limits), position: .before(application))
  }

  /// Writes the headers of a 101, and these beside them; the subprotocol where it was named.
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
  /// Call it on the channel's event loop, from the child channel initializer. After a request that
  /// asks for an upgrade and does not get it NIO parses nothing more, so its answer must close.
  ///
  /// - Parameters:
  ///   - channel: the accepted socket.
  ///   - limits: of the WebSocket connections.
  ///   - headers: what the 101 says beside the headers of the upgrade.
  ///   - subprotocol: what is spoken, told to clients that name it; nil for none.
  ///   - accept: whether a lawful WebSocket request is welcome; called on the event loop, once for
  ///     each. All other requests are answered by HTTP.
  ///   - http: the handlers that answer requests (`HTTPServerRequestPart` in,
  ///     `HTTPServerResponsePart` out), which get a request once the one before is answered.
  ///   - upgraded: adds the application's handler with ``add(_:to:role:limits:)``; on the event
  ///     loop.
  /// - Throws: what the pipeline throws when the channel has been closed meanwhile.
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
