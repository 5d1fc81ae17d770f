// Puts the handlers of a WebSocket connection in their order, for a server's accepted socket and
// for any channel that already speaks frames.

public import NIOCore
public import NIOHTTP1
public import NIOWebSocket

/// Sets up channels for WebSocket.
public enum WebSocketPipeline {
  /// Adds a ``WebSocketMessageHandler`` and above it `application`, which gets
  /// ``WebSocketEvent/opened`` at once when the channel is active.
  ///
  /// Frames must already be encoded and decoded below. Call it on the channel's event loop.
  ///
  /// - Throws: what the pipeline throws when the channel has been closed meanwhile.
  public static func add(
    _ application: any ChannelHandler, to channel: any Channel, role: WebSocketRole,
    limits: WebSocketLimits = WebSocketLimits()
  ) throws {
    // The application is added first: the message handler fires `opened` as soon as it is added.
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(application)
    try pipeline.addHandler(
      WebSocketMessageHandler(role: role, limits: limits), position: .before(application))
  }

  /// A server's upgrader whose errors, limits and frames are left to ``WebSocketMessageHandler``.
  ///
  /// - Parameters:
  ///   - limits: of the connection.
  ///   - upgraded: adds the application's handler with ``add(_:to:role:limits:)``.
  /// - Returns: an upgrader that accepts whatever ``UpgradeGate`` lets through.
  public static func serverUpgrader<Result: Sendable>(
    limits: WebSocketLimits,
    upgraded: @escaping @Sendable (any Channel, HTTPRequestHead) -> EventLoopFuture<Result>
  ) -> NIOTypedWebSocketServerUpgrader<Result> {
    NIOTypedWebSocketServerUpgrader(
      maxFrameSize: limits.maximumMessageBytes, enableAutomaticErrorHandling: false,
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: upgraded)
  }

  /// Prepares an accepted socket for HTTP/1 whose first request may become a WebSocket.
  ///
  /// Call it on the channel's event loop, from the child channel initializer.
  ///
  /// - Parameters:
  ///   - channel: the accepted socket.
  ///   - limits: of the WebSocket connections.
  ///   - accept: whether a lawful WebSocket request is welcome; others are answered by HTTP.
  ///   - http: adds the handlers for HTTP (`HTTPServerRequestPart` in, `HTTPServerResponsePart`
  ///     out).
  ///   - upgraded: adds the application's handler with ``add(_:to:role:limits:)``.
  /// - Returns: what `http` or `upgraded` returned, once the first request has decided.
  /// - Throws: what the pipeline throws when the channel has been closed meanwhile.
  public static func configureServer<Result: Sendable>(
    _ channel: any Channel, limits: WebSocketLimits = WebSocketLimits(),
    accept: @escaping @Sendable (HTTPRequestHead) -> Bool,
    http: @escaping @Sendable (any Channel) -> EventLoopFuture<Result>,
    upgraded: @escaping @Sendable (any Channel, HTTPRequestHead) -> EventLoopFuture<Result>
  ) throws -> EventLoopFuture<Result> {
    let pipeline = channel.pipeline.syncOperations
    let encoder = HTTPResponseEncoder()
    let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
    let errors = HTTPServerProtocolErrorHandler()
    let gate = UpgradeGate(accept: accept)
    let upgrade = NIOTypedHTTPServerUpgradeHandler(
      httpEncoder: encoder, extraHTTPHandlers: [decoder, errors, gate],
      upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
        upgraders: [serverUpgrader(limits: limits, upgraded: upgraded)],
        notUpgradingCompletionHandler: http))
    try pipeline.addHandler(encoder)
    try pipeline.addHandler(decoder)
    try pipeline.addHandler(errors)
    try pipeline.addHandler(gate)
    try pipeline.addHandler(upgrade)
    return upgrade.upgradeResultFuture
  }
}
