import MarketModel
package import NIOCore
import SocketTransport
package import VenueProtocols

/// A transport over a WebSocket or TCP, by the endpoint's scheme.
package final class SocketFeed: FeedTransport {
  /// Messages waiting in a full socket before the connection counts as congested.
  static let maximumWaitingMessages = 1024

  private let loop: any EventLoop
  private var deliver: ((TransportEvent) -> Void)?
  private var channel: (any NIOCore.Channel)?
  private var reads: ReadActivityHandler?
  private var waitingMessages = 0
  private let isWebSocket: Bool
  private let request: TransportRequest
  /// Cancels requests over HTTP when the transport is closed.
  private let abandoned: EventLoopPromise<Void>

  /// Opens a transport: ``FeedConnector``.
  package static let connector: FeedConnector = { request, loop, deliver in
    SocketFeed(request, loop, deliver)
  }

  private init(
    _ request: TransportRequest, _ loop: any EventLoop,
    _ deliver: @escaping (TransportEvent) -> Void
  ) {
    self.loop = loop
    self.deliver = deliver
    self.request = request
    abandoned = loop.makePromise()
    isWebSocket = request.endpoint.scheme != .tcp
    let feed = NIOLoopBound(self, eventLoop: loop)
    let application: @Sendable (any NIOCore.Channel) throws -> any ChannelHandler = { channel in
      try feed.value.adopt(channel)
    }
    let attempt =
      isWebSocket
      ? WebSocketClient.connect(
        to: request.endpoint, headers: request.headers, options: request.options, on: loop,
        onConnected: { feed.value.deliver?(.connected) },
        onUpgraded: { headers in
          feed.value.deliver?(.accepted(SimulationHeader.isIn(headers) ? .simulated : nil))
        }, application: application)
      : TCPClient.connect(
        to: request.endpoint, options: request.options, on: loop, application: application)
    attempt.assumeIsolated().whenFailure { [self] error in
      let known = error as? TransportError
      let host = request.endpoint.host
      let problem = known ?? .badResponse(host, detail: String(describing: error))
      // A wrong scheme fails within this initializer, which must not deliver.
      loop.assumeIsolated().execute { [self] in end(.transport(problem)) }
    }
  }

  /// The handler of a new channel; throws if the transport was closed meanwhile.
  private func adopt(_ channel: any NIOCore.Channel) throws -> any ChannelHandler {
    guard deliver != nil else { throw ChannelError.ioOnClosedChannel }
    self.channel = channel
    reads = try? channel.pipeline.syncOperations.handler(type: ReadActivityHandler.self)
    let take: (TransportEvent) -> Void = { [weak self] event in self?.take(event) }
    return isWebSocket ? WebSocketFeedHandler(take) : StreamFeedHandler(take)
  }

  private func take(_ event: TransportEvent) {
    if case .ended(let problem) = event { end(problem) } else { deliver?(event) }
  }

  deinit { abandoned.succeed() }

  private func end(_ problem: ConnectionProblem) {
    let last = deliver
    deliver = nil
    abandoned.succeed()
    last?(.ended(problem))
  }

  package func send(_ message: OutboundMessage) {
    guard deliver != nil, let channel, channel.isActive else { return }
    waitingMessages = channel.isWritable ? 0 : waitingMessages + 1
    guard waitingMessages <= SocketFeed.maximumWaitingMessages else {
      channel.close(promise: nil)
      return end(.congested(waitingMessages: waitingMessages))
    }
    let payload = channel.allocator.buffer(bytes: message.bytes)
    switch (isWebSocket, message.kind) {
    case (true, .text): channel.writeAndFlush(WebSocketMessage.text(payload), promise: nil)
    case (true, _): channel.writeAndFlush(WebSocketMessage.binary(payload), promise: nil)
    case (false, _): channel.writeAndFlush(payload, promise: nil)
    }
  }

  package func ping() {
    guard isWebSocket else { return }
    channel?.triggerUserOutboundEvent(WebSocketCommand.ping, promise: nil)
  }

  package func ping(number: Int64) {
    guard isWebSocket else { return }
    channel?.triggerUserOutboundEvent(WebSocketCommand.numberedPing(number), promise: nil)
  }

  package var nanosecondsSinceRead: Int64 {
    guard let read = reads?.lastRead else { return 0 }
    return (loop.now - read).nanoseconds
  }

  package func fetch(_ fetched: FetchRequest) {
    let feed = NIOLoopBound(self, eventLoop: loop)
    let response =
      request.requests.map { base in
        HTTPClient.get(
          base.appending(fetched.path), options: request.options,
          maximumBodyBytes: fetched.maximumBytes, on: loop, abandoned: abandoned.futureResult)
      } ?? loop.makeFailedFuture(TransportError.abandoned)
    response.map { response in
      FetchedResponse(
        path: fetched.path, status: response.status,
        retryAfterSeconds: response.retryAfterSeconds,
        body: Array(response.body.readableBytesView))
    }.flatMapErrorThrowing { _ in FetchedResponse(path: fetched.path, status: 0) }
      .whenSuccess { response in
        feed.value.take(.message(ByteBuffer(bytes: response.message), .text))
      }
  }

  package func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    deliver = nil
    abandoned.succeed()
    guard let channel else { return loop.makeSucceededVoidFuture() }
    if isWebSocket {
      channel.triggerUserOutboundEvent(
        WebSocketCommand.close(code: code, reason: reason), promise: nil)
    } else {
      channel.close(promise: nil)
    }
    return channel.closeFuture
  }
}

/// Converts a WebSocket's messages and events to transport events.
///
/// Reports the open connection in the next turn of the loop: until NIO's upgrade is complete, sent
/// messages would be silently lost.
private final class WebSocketFeedHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage

  private let deliver: (TransportEvent) -> Void
  private var lastError: (any Error)?
  /// Events during the end of the upgrade; nil after it.
  private var held: [TransportEvent]?

  init(_ deliver: @escaping (TransportEvent) -> Void) { self.deliver = deliver }

  private func take(_ event: TransportEvent) {
    if held != nil { held?.append(event) } else { deliver(event) }
  }

  private func open(_ context: ChannelHandlerContext) {
    held = [.opened]
    context.eventLoop.assumeIsolated().execute {
      let events = self.held ?? []
      self.held = nil
      for event in events { self.deliver(event) }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .text(let payload): take(.message(payload, .text))
    case .binary(let payload): take(.message(payload, .binary))
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case WebSocketEvent.opened: open(context)
    case WebSocketEvent.ping, is ReadActivity: take(.alive)
    case WebSocketEvent.pong(let roundTrip):
      // An unsolicited or old pong only shows that bytes arrive.
      take(roundTrip.map { .pong(roundTripMicroseconds: $0.nanoseconds / 1000) } ?? .alive)
    case WebSocketEvent.numberedPong(let number): take(.numberedPong(number))
    case WebSocketEvent.closed(let closure):
      let detail = lastError.map { String(describing: $0) } ?? ""
      let reason = closure.code == 1006 ? detail : closure.reason
      take(.ended(.closed(code: closure.code, reason: reason)))
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { lastError = error }
}

private final class StreamFeedHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let take: (TransportEvent) -> Void
  private var lastError: (any Error)?

  init(_ take: @escaping (TransportEvent) -> Void) { self.take = take }

  func channelActive(context: ChannelHandlerContext) {
    take(.connected)
    take(.opened)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    take(.message(Self.unwrapInboundIn(data), .stream))
  }

  func channelInactive(context: ChannelHandlerContext) {
    let detail = lastError.map { String(describing: $0) } ?? ""
    take(.ended(.closed(code: 1006, reason: detail)))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    lastError = error
    context.close(promise: nil)
  }
}
