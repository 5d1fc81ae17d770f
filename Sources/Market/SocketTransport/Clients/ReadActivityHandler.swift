// A megabyte on a slow line takes longer to arrive than a heartbeat allows silence. So bytes count
// as a sign of life before they are a message.

package import NIOCore

/// The inbound user event that bytes have arrived, fired at most once a second.
public struct ReadActivity: Sendable, Equatable {}

/// Fires ``ReadActivity`` while bytes arrive, and remembers when that was.
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
