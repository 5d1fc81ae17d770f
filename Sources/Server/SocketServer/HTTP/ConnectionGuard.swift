import NIOCore

/// Ends HTTP connections that are silent, slow, or keep sending after the last response.
///
/// It is below the parser, so that it also sees an incomplete head.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The maximum bytes discarded after the last response.
  static let maximumDiscardedBytes = 64 << 10
  /// How long the client may take to close after the last response.
  static let closeTimeout = TimeAmount.seconds(2)

  private enum State {
    case idle
    case reading
    /// The number of requests without a response, and whether more bytes have arrived.
    case answering(Int, hasMore: Bool)
    /// The last response was sent; bytes received since.
    case ending(discarded: Int)
  }

  private let limits: SocketLimits
  private let note: (SocketActivity) -> Void
  private var state = State.reading
  /// No more input is expected: the client has closed its side, or the listener stops.
  private var isLastAnswer = false
  private var deadline: Scheduled<Void>?

  /// `note` is called when a request has been read and when no response is pending.
  init(_ limits: SocketLimits, note: @escaping (SocketActivity) -> Void) {
    self.limits = limits
    self.note = note
  }

  func handlerAdded(context: ChannelHandlerContext) {
    allow(.milliseconds(limits.requestMilliseconds), context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .idle:
      state = .reading
      allow(.milliseconds(limits.requestMilliseconds), context)
      context.fireChannelRead(data)
    case .answering(let requests, _):
      state = .answering(requests, hasMore: true)
      context.fireChannelRead(data)
    case .reading: context.fireChannelRead(data)
    case .ending(let discarded):
      let sum = discarded + Self.unwrapInboundIn(data).readableBytes
      state = .ending(discarded: sum)
      if sum > Self.maximumDiscardedBytes { context.close(promise: nil) }
    }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let progress = event as? RequestProgress else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    promise?.succeed()
    switch (progress, state) {
    case (_, .ending): break
    case (.received, .answering(let requests, let hasMore)):
      state = .answering(requests + 1, hasMore: hasMore)
    case (.received, _):
      state = .answering(1, hasMore: false)
      allow(.milliseconds(limits.idleMilliseconds), context)
      note(.busy)
    case (.answered(isLast: true), _),
      (.answered, _) where isLastAnswer && !awaitsAnswers:
      state = .ending(discarded: 0)
      allow(Self.closeTimeout, context)
      context.close(mode: .output, promise: nil)
    case (.answered(isLast: false), .answering(let requests, let hasMore)) where requests > 1:
      state = .answering(requests - 1, hasMore: hasMore)
      allow(.milliseconds(limits.idleMilliseconds), context)
    case (.answered(isLast: false), .answering(_, hasMore: true)):
      // Bytes received during the response may be part of a request.
      state = .reading
      allow(.milliseconds(limits.requestMilliseconds), context)
      note(.idle)
    case (.answered(isLast: false), _):
      state = .idle
      allow(.milliseconds(limits.idleMilliseconds), context)
      note(.idle)
    }
  }

  private var awaitsAnswers: Bool {
    if case .answering(let requests, _) = state { requests > 1 } else { false }
  }

  /// Ends a connection without further input unless a response is pending.
  private func endUnlessAnswering(_ context: ChannelHandlerContext) {
    isLastAnswer = true
    if case .answering = state { return }
    context.close(promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed {
      endUnlessAnswering(context)
    } else if event is ChannelShouldQuiesceEvent {
      if case .ending = state {} else { endUnlessAnswering(context) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func allow(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let here = NIOLoopBound(context, eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: time) { here.value.close(promise: nil) }
  }
}
