package import NIOCore

/// The event that bytes have arrived, at most once a second: a sign of life within long messages.
public struct ReadActivity: Sendable, Equatable {}

/// Fires ``ReadActivity`` while bytes arrive, and records the time.
package final class ReadActivityHandler: ChannelInboundHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer

  /// When the latest bytes were read; nil before the first.
  package private(set) var lastRead: NIODeadline?

  private var next: NIODeadline?

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let now = context.eventLoop.now
    lastRead = now
    if next.map({ now >= $0 }) ?? true {
      next = now + .seconds(1)
      context.fireUserInboundEventTriggered(ReadActivity())
    }
    context.fireChannelRead(data)
  }
}
