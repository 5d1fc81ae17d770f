import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Upgrades an HTTP connection to a WebSocket when a request asks for it and is accepted.
///
/// Any request may upgrade, not only the first as with NIO's handler, because proxies reuse
/// connections. It is between the handlers that parse requests one by one and those that respond,
/// and removes both.
final class UpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The maximum reads and events during an upgrade; a client has nothing to send before its end
  /// but its first frames.
  static let maximumHeld = 64

  private enum Held {
    case read(NIOAny)
    case event(Any)
  }

  private enum State {
    case http
    case accepted(HTTPRequestHead)
    case upgrading
    case over
  }

  /// HTTP handlers below and above this one; the encoder is removed last.
  struct Surroundings {
    var encoder: HTTPResponseEncoder
    var others: [any RemovableChannelHandler]
  }

  private let limits: WebSocketLimits
  private let headers: HTTPHeaders
  private let subprotocol: String?
  private let surroundings: Surroundings
  private let accept: @Sendable (HTTPRequestHead) -> Bool
  private let upgraded: @Sendable (any Channel, HTTPRequestHead) throws -> Void
  private var state = State.http
  /// Input that came during the upgrade.
  private var held: [Held] = []

  init(
    limits: WebSocketLimits, headers: HTTPHeaders, subprotocol: String?,
    surroundings: Surroundings,
    accept: @escaping @Sendable (HTTPRequestHead) -> Bool,
    upgraded: @escaping @Sendable (any Channel, HTTPRequestHead) throws -> Void
  ) {
    self.limits = limits
    self.headers = headers
    self.subprotocol = subprotocol
    self.surroundings = surroundings
    self.accept = accept
    self.upgraded = upgraded
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .http:
      if case .head(let head) = Self.unwrapInboundIn(data), UpgradeRequest(head) == .lawful,
        accept(head)
      {
        state = .accepted(head)
      } else {
        context.fireChannelRead(data)
      }
    case .accepted(let head): if case .end = Self.unwrapInboundIn(data) { upgrade(head, context) }
    case .upgrading: hold(.read(data), context)
    case .over: context.fireChannelRead(data)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .upgrading = state {
      hold(.event(event), context)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func hold(_ item: Held, _ context: ChannelHandlerContext) {
    guard held.count < UpgradeHandler.maximumHeld else { return context.close(promise: nil) }
    held.append(item)
  }

  private func upgrade(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    state = .upgrading
    let (loop, channel) = (context.eventLoop, context.channel)
    let here = NIOLoopBound((handler: self, context: context), eventLoop: loop)
    let pipeline = context.pipeline.syncOperations
    let upgrader = WebSocketPipeline.responseBuilder(
      limits: limits, headers: headers, subprotocol: subprotocol)
    EventLoopFuture.andAllSucceed(
      surroundings.others.map { pipeline.removeHandler($0) }, on: loop
    ).flatMap {
      upgrader.buildUpgradeResponse(
        channel: channel, upgradeRequest: head,
        initialResponseHeaders: ["connection": "upgrade", "upgrade": "websocket"])
    }.flatMap { headers in
      let response = HTTPResponseHead(
        version: .http1_1, status: .switchingProtocols, headers: headers)
      return here.value.context.writeAndFlush(Self.wrapOutboundOut(.head(response)))
    }.flatMap {
      let (handler, context) = here.value
      return context.pipeline.syncOperations.removeHandler(handler.surroundings.encoder)
    }.flatMapThrowing {
      try here.value.handler.install(head, channel)
    }.whenComplete { result in
      here.value.handler.finish(result, here.value.context)
    }
  }

  private func install(_ head: HTTPRequestHead, _ channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(WebSocketFrameEncoder())
    try pipeline.addHandler(
      ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.maximumMessageBytes)))
    try upgraded(channel, head)
  }

  /// Passes on held input, possibly the first frames, and leaves the pipeline.
  private func finish(_ result: Result<Void, any Error>, _ context: ChannelHandlerContext) {
    guard case .upgrading = state else { return }
    state = .over
    defer { held = [] }
    guard case .success = result else { return context.close(promise: nil) }
    for item in held {
      switch item {
      case .read(let data): context.fireChannelRead(data)
      case .event(let event): context.fireUserInboundEventTriggered(event)
      }
    }
    context.fireChannelReadComplete()
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}
