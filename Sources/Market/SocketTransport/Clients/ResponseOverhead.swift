// One-byte chunks, endless informational responses or chunk extensions would take a core until the
// deadline.

import NIOCore

/// Limits what a server sends beside the body of a response.
///
/// It is placed below the HTTP decoder; the handler that collects the body sets ``bodyBytes``.
final class ResponseOverhead: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Bytes beside the body that are allowed in addition to as many as the body has.
  ///
  /// Those frame chunks of six bytes; of headers the decoder accepts 80 KiB.
  static let maximumBytes = 256 << 10

  /// Bytes of the body so far.
  var bodyBytes = 0
  private var received = 0
  private let host: String

  init(host: String) { self.host = host }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += Self.unwrapInboundIn(data).readableBytes
    guard received - 2 * bodyBytes <= Self.maximumBytes else {
      context.fireErrorCaught(
        TransportError.badResponse(host, detail: "too much framing for its body"))
      return context.close(promise: nil)
    }
    context.fireChannelRead(data)
  }
}
