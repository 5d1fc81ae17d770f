import NIOCore
import SocketTransport

/// Connects a WebSocket to the page hub.
final class PageSocket: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage

  /// Unsent bytes at which a page counts as behind; it receives whole states once it has caught up.
  static let highWaterMark = 1 << 20

  private let hub: PageHub
  private let visitor: Visitor
  private let reader: PageReader
  private var page: PageID?
  private var liveness: PageLiveness?

  init(hub: PageHub, visitor: Visitor, reader: PageReader) {
    (self.hub, self.visitor, self.reader) = (hub, visitor, reader)
  }

  /// Adds the handlers to an upgraded channel; on its event loop.
  static func install(
    on channel: any NIOCore.Channel, hub: PageHub, visitor: Visitor, reader: PageReader = .page
  ) throws {
    try channel.syncOptions?.setOption(
      .writeBufferWaterMark, value: .init(low: highWaterMark / 4, high: highWaterMark))
    try WebSocketPipeline.add(
      PageSocket(hub: hub, visitor: visitor, reader: reader), to: channel, role: .server,
      limits: limits)
  }

  /// A message above 4 KiB gets an error and one above 16 KiB closes the socket.
  ///
  /// A slow page that is being closed has time to read up to the close frame, which follows all
  /// unread data.
  static let limits = WebSocketLimits(
    maximumMessageBytes: 4 * PageRequest.maximumBytes, closeTimeoutMilliseconds: 20_000)

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event as? WebSocketEvent {
    case .opened:
      page = hub.connect(
        context.channel, isViewer: visitor.isViewer, visitor: visitor, reader: reader)
      watch(context)
    case .closed:
      liveness?.stop()
      if let page { hub.disconnect(page) }
      page = nil
    case .ping, .pong, .numberedPong: liveness?.heard()
    case nil: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let page else { return }
    liveness?.heard()
    switch unwrapInboundIn(data) {
    case .text(let buffer), .binary(let buffer):
      hub.receive(Array(buffer.readableBytesView), from: page)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    liveness?.writable(context.channel.isWritable)
    if context.channel.isWritable, let page { hub.resume(page) }
    context.fireChannelWritabilityChanged()
  }

  private func watch(_ context: ChannelHandlerContext) {
    let channel = context.channel
    let liveness = PageLiveness(loop: context.eventLoop) {
      channel.triggerUserOutboundEvent(WebSocketCommand.ping, promise: nil)
    } drop: { end in
      switch end {
      case .silent: channel.close(promise: nil)
      case .behind:
        // The page receives the reason after the data already sent.
        channel.triggerUserOutboundEvent(
          WebSocketCommand.close(code: 1008, reason: "it reads too slowly"), promise: nil)
      }
    }
    liveness.start()
    self.liveness = liveness
  }

  func handlerRemoved(context: ChannelHandlerContext) { liveness?.stop() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Watches one page's socket; used on its event loop.
final class PageLiveness {
  enum End {
    case silent
    case behind
  }

  static let pingInterval = TimeAmount.seconds(20)
  /// Unanswered pings after which the page is considered gone.
  static let maximumUnansweredPings = 3
  /// How long a page may stay behind, from a full socket until it has caught up.
  static let maximumTimeBehind = TimeAmount.seconds(30)

  private let loop: any EventLoop
  private let ping: () -> Void
  private let drop: (End) -> Void
  private var unanswered = 0
  private var next: Scheduled<Void>?
  private var behind: Scheduled<Void>?

  /// Watches from ``start()`` on; `ping` requests a sign of life, `drop` closes the socket.
  init(loop: any EventLoop, ping: @escaping () -> Void, drop: @escaping (End) -> Void) {
    self.loop = loop
    self.ping = ping
    self.drop = drop
  }

  func start() {
    let here = NIOLoopBound(self, eventLoop: loop)
    next = loop.scheduleTask(in: Self.pingInterval) { here.value.ask() }
  }

  func heard() { unanswered = 0 }

  func writable(_ isWritable: Bool) {
    behind?.cancel()
    behind = nil
    guard !isWritable else { return }
    let here = NIOLoopBound(self, eventLoop: loop)
    behind = loop.scheduleTask(in: Self.maximumTimeBehind) { here.value.drop(.behind) }
  }

  func stop() {
    next?.cancel()
    behind?.cancel()
  }

  /// Counts pings, not time, so that after a pause of the whole process a page is pinged first.
  private func ask() {
    guard unanswered < Self.maximumUnansweredPings else { return drop(.silent) }
    unanswered += 1
    ping()
    start()
  }
}
