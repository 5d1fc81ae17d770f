package import NIOCore
import NIOPosix

/// A request that a listener sends to its own port before it reports that it serves.
///
/// A listener that closes every accepted connection looks healthy from inside: the port is bound
/// and the loop turns. Only a request over a socket proves that clients are served.
package struct SelfCheck: Sendable {
  /// Generous, so that a busy machine does not fail.
  static let timeout = TimeAmount.seconds(60)

  /// The request; any response byte passes.
  let request: String
  /// Adds TLS to the connection, on its event loop; nil for a plain one.
  let secure: (@Sendable (any NIOCore.Channel) throws -> Void)?

  /// A health request.
  ///
  /// A rejection passes too: it proves that requests are answered.
  package static func http(
    secure: (@Sendable (any NIOCore.Channel) throws -> Void)? = nil
  ) -> SelfCheck {
    SelfCheck(
      request: "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      secure: secure)
  }

  /// Sends the request to a bound address and waits for the first byte of a response.
  ///
  /// Throws ``SelfCheckFailure``, or the system's error if connecting fails.
  func run(at address: SocketAddress, on loop: any EventLoop) async throws {
    let answered = loop.makePromise(of: Void.self)
    let deadline = loop.scheduleTask(in: SelfCheck.timeout) {
      answered.fail(SelfCheckFailure.silent)
    }
    let (request, secure) = (request, secure)
    ClientBootstrap(group: loop)
      .connectTimeout(SelfCheck.timeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try secure?(channel)
          try channel.pipeline.syncOperations.addHandler(RequestHandler(request, answered))
        }
      }
      .connect(to: address)
      .whenComplete { result in
        switch result {
        case .failure(let error): answered.fail(error)
        case .success(let channel):
          answered.futureResult.whenComplete { _ in channel.close(promise: nil) }
        }
      }
    defer { deadline.cancel() }
    try await answered.futureResult.get()
  }

  private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: String
    private let answered: EventLoopPromise<Void>

    init(_ request: String, _ answered: EventLoopPromise<Void>) {
      (self.request, self.answered) = (request, answered)
    }

    func channelActive(context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { answered.succeed() }

    func channelInactive(context: ChannelHandlerContext) { answered.fail(SelfCheckFailure.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      answered.fail(error)
      context.close(promise: nil)
    }
  }
}

/// Why a listener does not serve although its port is bound.
enum SelfCheckFailure: Error, CustomStringConvertible {
  /// The connection was closed without a byte.
  case closed
  /// The connection stayed open without a byte until ``SelfCheck/timeout``.
  case silent

  var description: String {
    switch self {
    case .closed: "it closes the connections that it accepts"
    case .silent: "it accepts connections and does not respond"
    }
  }
}
