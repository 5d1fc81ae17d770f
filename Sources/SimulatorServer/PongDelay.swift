// Answers to ping frames that come as late as a venue's messages: a way that is long is long for
// both.

import MarketModel
import NIOCore
import NIOWebSocket

/// Stands below the handler that answers pings, and holds what it answers.
final class PongDelay: ChannelOutboundHandler {
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Answers held at most; others are lost, as where nobody reads.
  static let maximumHeld = 64

  private let milliseconds: () -> Int64
  private var held = 0

  /// Asks for the delay of each answer, in milliseconds, on the channel's event loop.
  init(_ milliseconds: @escaping () -> Int64) { self.milliseconds = milliseconds }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let frame = Self.unwrapOutboundIn(data)
    let delay = frame.opcode == .pong ? milliseconds() : 0
    guard delay > 0 else { return context.write(data, promise: promise) }
    promise?.succeed()
    guard held < PongDelay.maximumHeld else { return }
    held += 1
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(delay)) {
      self.held -= 1
      guard context.channel.isActive else { return }
      context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
    }
  }
}
