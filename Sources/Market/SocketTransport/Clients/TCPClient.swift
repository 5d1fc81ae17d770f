public import NIOCore

/// Opens plain TCP connections.
public enum TCPClient {
  /// Connects to an endpoint with the scheme tcp; of the options only the deadline is used.
  ///
  /// `application` makes the handler, which reads and writes `ByteBuffer`; called on the loop,
  /// before the first byte. Fails with a ``TransportError``.
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
