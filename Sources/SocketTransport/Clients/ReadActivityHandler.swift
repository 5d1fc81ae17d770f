// A megabyte on a slow line takes longer to arrive than a heartbeat allows silence. So bytes count
// as a sign of life before they are a message.

import NIOCore

/// The inbound user event that bytes have arrived, fired at most once a second.
public struct ReadActivity: Sendable, Equatable {}

/// Fires ``ReadActivity`` while bytes arrive.
final class ReadActivityHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var next: NIODeadline?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let now = context.eventLoop.now
    if next.map({ now >= $0 }) ?? true {
      next = now + .seconds(1)
      context.fireUserInboundEventTriggered(ReadActivity())
    }
    context.fireChannelRead(data)
  }
}
