package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens on a port and prepares each accepted socket for its protocol.
package struct SocketListener: Service {
  /// The port, once it serves; fails with a ``ListenError``.
  package let port: EventLoopFuture<Int>

  private let promise: EventLoopPromise<Int>
  private let address: (host: String, port: Int)
  private let loop: any EventLoop
  private let door: SocketDoor
  private let check: SelfCheck?
  private let logger: Logger
  private let prepare: @Sendable (any NIOCore.Channel, SocketDoor, Int) throws -> Void

  /// Prepares a listener; ``run()`` binds it.
  ///
  /// `check` runs before ``port`` succeeds; nil for a protocol without one. `prepare` adds the
  /// handlers to an accepted socket, which has a number at its door; called on the loop.
  package init(
    host: String, port: Int, limits: SocketLimits, check: SelfCheck?, on loop: any EventLoop,
    logger: Logger,
    prepare: @escaping @Sendable (any NIOCore.Channel, SocketDoor, Int) throws -> Void
  ) {
    promise = loop.makePromise(of: Int.self)
    self.port = promise.futureResult
    address = (host, port)
    self.loop = loop
    door = SocketDoor(limits, loop: loop)
    (self.check, self.logger) = (check, logger)
    self.prepare = prepare
  }

  /// Serves until graceful shutdown.
  ///
  /// Throws a ``ListenError`` if the port can't be bound or fails its check.
  package func run() async throws {
    let listener: any NIOCore.Channel
    do {
      listener = try await bind()
    } catch {
      throw failure(error)
    }
    do {
      if let check, let bound = listener.localAddress { try await check.run(at: bound, on: loop) }
    } catch {
      try? await listener.close()
      throw failure(error)
    }
    promise.succeed(listener.localAddress?.port ?? 0)
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await listener.closeFuture.get()
      } onGracefulShutdown: {
        listener.close(promise: nil)
      }
    } onCancel: {
      listener.close(promise: nil)
    }
    await door.quiesce()
  }

  private func failure(_ cause: any Error) -> ListenError {
    let failure = ListenError(address: "\(address.host):\(address.port)", cause: "\(cause)")
    promise.fail(failure)
    return failure
  }

  private func bind() async throws -> any NIOCore.Channel {
    let (door, prepare, logger) = (door, prepare, logger)
    let listener = try await ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // Without a free descriptor it waits before the next accept.
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let number = door.admit(channel) else { return }
          try prepare(channel, door, number)
        }
      }
      .bind(host: address.host, port: address.port).get()
    try await loop.submit {
      try listener.pipeline.syncOperations.addHandler(ListenerErrorHandler(logger))
    }.get()
    return listener
  }
}

/// An address that could not be opened for listening.
public struct ListenError: Error, CustomStringConvertible {
  /// Host and port.
  public let address: String
  /// The system's error.
  public let cause: String

  /// The error in one line.
  public var description: String {
    cause.contains("EADDRINUSE") || cause.contains("errno: 98")
      ? "\(address) is in use by another program; choose another --port"
      : "can't listen on \(address): \(cause)"
  }
}

/// Logs errors that close connections before they are served; add it after the accept handler.
final class ListenerErrorHandler: ChannelInboundHandler {
  typealias InboundIn = Any

  /// The minimum interval between two lines; clients that reset their connections also cause
  /// errors.
  static let interval = TimeAmount.seconds(10)

  private let logger: Logger
  private var next = NIODeadline.distantPast
  private var unreported = 0

  init(_ logger: Logger) { self.logger = logger }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    unreported += 1
    let now = context.eventLoop.now
    guard now >= next else { return }
    next = now + ListenerErrorHandler.interval
    let count = unreported == 1 ? "A connection was" : "\(unreported) connections were"
    logger.error("\(count) closed during setup: \(error)")
    unreported = 0
  }
}
