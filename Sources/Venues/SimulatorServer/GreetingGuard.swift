import NIOCore
import VenueSimulator

/// Closes a connection of the tick feed that does not send `hello`, its only message, in time.
final class GreetingGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let time: TimeAmount
  private let onHello: () -> Void
  private var greeting = HelloMatcher()
  private var deadline: Scheduled<Void>?

  /// Creates a guard; `onHello` is called once, after the word.
  init(milliseconds: Int64, onHello: @escaping () -> Void) {
    time = .milliseconds(milliseconds)
    self.onHello = onHello
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let here = NIOLoopBound(context, eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: time) { here.value.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !greeting.isComplete {
      greeting.take(Array(Self.unwrapInboundIn(data).readableBytesView))
      if greeting.isComplete {
        deadline?.cancel()
        onHello()
      }
    }
    context.fireChannelRead(data)
  }
}
