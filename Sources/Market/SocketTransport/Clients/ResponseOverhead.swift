import NIOCore

/// Limits a response's bytes outside its body, such as tiny chunks, which would occupy a core.
///
/// It is below the HTTP decoder; the collector of the body sets ``bodyBytes``.
final class ResponseOverhead: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Allowed on top of as many as the body has: enough for chunks of six bytes and 80 KiB of
  /// headers.
  static let maximumBytes = 256 << 10

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
