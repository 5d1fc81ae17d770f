// A listening port as a service, whatever is spoken there.

package import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens and hands each accepted socket to whoever speaks its protocol.
package struct SocketListener: Service {
  /// The port, once bound; fails with a ``ListenError`` when it can't be had.
  package let port: EventLoopFuture<Int>

  private let promise: EventLoopPromise<Int>
  private let address: (host: String, port: Int)
  private let loop: any EventLoop
  private let door: SocketDoor
  private let prepare: @Sendable (any NIOCore.Channel, SocketDoor, Int) throws -> Void

  /// Prepares a listener; ``run()`` binds it.
  ///
  /// `prepare` adds the handlers to an accepted socket, which has a number at its door; called on
  /// the loop.
  package init(
    host: String, port: Int, limits: SocketLimits, on loop: any EventLoop,
    prepare: @escaping @Sendable (any NIOCore.Channel, SocketDoor, Int) throws -> Void
  ) {
    promise = loop.makePromise(of: Int.self)
    self.port = promise.futureResult
    address = (host, port)
    self.loop = loop
    door = SocketDoor(limits, loop: loop)
    self.prepare = prepare
  }

  /// Serves until the graceful shutdown; throws a ``ListenError`` when the port can't be had.
  package func run() async throws {
    let listener: any NIOCore.Channel
    do {
      listener = try await bind()
    } catch {
      let failure = ListenError(address: "\(address.host):\(address.port)", cause: "\(error)")
      promise.fail(failure)
      throw failure
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

  private func bind() async throws -> any NIOCore.Channel {
    let (door, prepare) = (door, prepare)
    return try await ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // Without a descriptor left it waits before the next accept.
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
  }
}

/// An address that could not be listened on.
public struct ListenError: Error, CustomStringConvertible {
  /// Host and port.
  public let address: String
  /// The system's words.
  public let cause: String

  /// One clear line.
  public var description: String {
    cause.contains("EADDRINUSE") || cause.contains("errno: 98")
      ? "\(address) is in use by another program; choose another --port"
      : "can't listen on \(address): \(cause)"
  }
}
