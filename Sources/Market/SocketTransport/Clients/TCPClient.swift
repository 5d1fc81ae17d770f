public import NIOCore

/// Opens plain TCP connections.
public enum TCPClient {
  /// Connects.
  ///
  /// - Parameters:
  ///   - endpoint: with the scheme tcp.
  ///   - options: only the deadline is used.
  ///   - loop: the connection's event loop.
  ///   - application: makes the handler, which reads and writes `ByteBuffer`; called on the loop.
  /// - Returns: the channel, with the handler added before the first byte, or a ``TransportError``.
  public static func connect(
    to endpoint: Endpoint, options: ClientOptions = ClientOptions(), on loop: any EventLoop,
    application: @escaping @Sendable (any Channel) throws -> any ChannelHandler
  ) -> EventLoopFuture<any Channel> {
    guard endpoint.scheme == .tcp else {
      return loop.makeFailedFuture(TransportError.wrongScheme(endpoint.scheme.rawValue))
    }
    return Dialer(endpoint: endpoint, options: options, loop: loop)
      .open { (channel, attempt: EventLoopPromise<any Channel>) in
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ActiveSignal { attempt.succeed(channel) })
        try pipeline.addHandler(application(channel))
      }
  }
}

/// Signals that the channel is active.
private final class ActiveSignal: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let signal: () -> Void

  init(_ signal: @escaping () -> Void) { self.signal = signal }

  func channelActive(context: ChannelHandlerContext) {
    signal()
    context.fireChannelActive()
  }
}
