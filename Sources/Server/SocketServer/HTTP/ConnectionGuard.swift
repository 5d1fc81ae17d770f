// Deadlines of a connection that speaks HTTP. It stands below the parser and so sees half a head,
// too.

import NIOCore

/// Ends connections that are silent, slow, or don't stop talking after the last response.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The most bytes that are read and thrown away after the last response.
  static let maximumDiscardedBytes = 64 << 10
  /// How long the other end may take to close after the last response.
  static let closeTimeout = TimeAmount.seconds(2)

  private enum State {
    /// A request is awaited.
    case idle
    /// A request has begun.
    case reading
    /// This many requests have no response yet; more bytes may have come since.
    case answering(Int, hasMore: Bool)
    /// The last response is out, and this much came after it.
    case ending(discarded: Int)
  }

  private let limits: SocketLimits
  private let note: (SocketActivity) -> Void
  private var state = State.reading
  /// Nothing is read after what is being answered: the other end has said its last, or the listener
  /// stops.
  private var isLastAnswer = false
  private var deadline: Scheduled<Void>?

  /// Makes a guard; `note` is told when a request has been read and when none is left to answer.
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
      // What came during the response may be half a request.
      state = .reading
      allow(.milliseconds(limits.requestMilliseconds), context)
      note(.idle)
    case (.answered(isLast: false), _):
      state = .idle
      allow(.milliseconds(limits.idleMilliseconds), context)
      note(.idle)
    }
  }

  /// Whether requests besides the one that is done wait for their answers.
  private var awaitsAnswers: Bool {
    if case .answering(let requests, _) = state { requests > 1 } else { false }
  }

  /// Ends a connection that brings nothing more, unless it is being answered.
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
