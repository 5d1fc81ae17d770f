public import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Opens WebSocket connections.
public enum WebSocketClient {
  /// Connects to a ws or wss endpoint; frames in the same segment as the 101 are not lost.
  ///
  /// `Host`, `User-Agent` and those of the upgrade are added to the headers. All closures are
  /// called on the loop: `onConnected` when TCP is connected, `onUpgraded` with the headers of the
  /// 101, and `application`, before the first message, for the handler that reads and writes
  /// ``WebSocketMessage`` and receives ``WebSocketEvent``. Fails with a ``TransportError``.
  public static func connect(
    to endpoint: Endpoint, headers: HeaderFields = [], options: ClientOptions = ClientOptions(),
    on loop: any EventLoop, onConnected: @escaping @Sendable () -> Void = {},
    onUpgraded: @escaping @Sendable (HeaderFields) -> Void = { _ in },
    application: @escaping @Sendable (any Channel) throws -> any ChannelHandler
  ) -> EventLoopFuture<any Channel> {
    guard endpoint.scheme == .ws || endpoint.scheme == .wss else {
      return loop.makeFailedFuture(TransportError.wrongScheme(endpoint.scheme.rawValue))
    }
    if let name = HeaderRules.firstInvalid(headers) {
      return loop.makeFailedFuture(TransportError.invalidHeader(name: name))
    }
    let request = HTTPClient.requestHead(endpoint, headers, connection: nil)
    let limits = options.limits
    return Dialer(endpoint: endpoint, options: options, loop: loop, onConnected: onConnected)
      .open { (channel, attempt: EventLoopPromise<any Channel>) in
        try prepare(channel, request, limits, attempt, onUpgraded, application)
      }
  }

  private static func prepare(
    _ channel: any Channel, _ request: HTTPRequestHead, _ limits: WebSocketLimits,
    _ attempt: EventLoopPromise<any Channel>,
    _ onUpgraded: @escaping @Sendable (HeaderFields) -> Void,
    _ application: @escaping @Sendable (any Channel) throws -> any ChannelHandler
  ) throws {
    let host = request.headers.first(name: "host") ?? ""
    let upgrader = NIOTypedWebSocketClientUpgrader(
      maxFrameSize: limits.maximumMessageBytes, enableAutomaticErrorHandling: false
    ) { channel, response in
      channel.eventLoop.makeCompletedFuture {
        // RFC 6455 section 4.1: what was not offered must not be accepted; an empty list accepts
        // none.
        let extensions = response.headers["sec-websocket-extensions"]
        for (name, isPresent) in [
          ("sec-websocket-extensions", extensions.contains { !$0.isEmpty }),
          ("sec-websocket-protocol", response.headers.contains(name: "sec-websocket-protocol")),
        ] where isPresent {
          throw TransportError.badResponse(host, detail: "\(name) was not asked for")
        }
        onUpgraded(response.headers.map { ($0.name, $0.value) })
        try WebSocketPipeline.add(application(channel), to: channel, role: .client, limits: limits)
        return true
      }
    }
    let overhead = ResponseOverhead(host: host)
    let encoder = HTTPRequestEncoder()
    let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
    let normalizer = HeadNormalizer<HTTPResponseHead>()
    let validator = NIOHTTPRequestHeadersValidator()
    let upgrade = NIOTypedHTTPClientUpgradeHandler(
      httpHandlers: [encoder, overhead, decoder, normalizer, validator],
      upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
        upgradeRequestHead: request, upgraders: [upgrader],
        notUpgradingCompletionHandler: { collectRefusal($0, attempt) }))
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(encoder)
    try pipeline.addHandler(overhead)
    try pipeline.addHandler(decoder)
    try pipeline.addHandler(normalizer)
    try pipeline.addHandler(validator)
    try pipeline.addHandler(upgrade)
    upgrade.upgradeResultFuture.whenComplete { result in
      switch result {
      case .success(true): attempt.succeed(channel)
      case .success(false): break  // The collector completes the attempt.
      case .failure(let error): attempt.fail(error)
      }
    }
  }

  /// Fails the attempt with the whole response of a server that did not upgrade.
  private static func collectRefusal(
    _ channel: any Channel, _ attempt: EventLoopPromise<any Channel>
  ) -> EventLoopFuture<Bool> {
    channel.eventLoop.makeCompletedFuture {
      let collector = HTTPResponseCollector(
        maximumBodyBytes: UpgradeRefusal.maximumBodyBytes, excess: .cut
      ) { result in
        switch result {
        case .success(let response):
          let refusal = UpgradeRefusal(
            status: response.status, body: Array(response.body.readableBytesView),
            retryAfterSeconds: response.retryAfterSeconds)
          attempt.fail(TransportError.upgradeRefused(refusal))
        case .failure(let error): attempt.fail(error)
        }
      }
      try channel.pipeline.syncOperations.addHandler(collector)
      return false
    }
  }
}
