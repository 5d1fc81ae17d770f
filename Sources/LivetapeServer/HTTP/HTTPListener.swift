// A Hummingbird application on one event loop, with the port it was given once it listens.

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// A listening HTTP and WebSocket server.
struct HTTPListener: Service {
  /// The port, once bound; fails with a ``ListenError`` when it can't be had.
  let port: EventLoopFuture<Int>

  private let promise: EventLoopPromise<Int>
  private let application: Application<RouterResponder<BasicRequestContext>>
  private let address: String

  /// Prepares a server; ``run()`` binds it.
  init(
    host: String, port: Int, router: Router<BasicRequestContext>, acceptor: WebSocketAcceptor,
    on loop: any EventLoop, logger: Logger
  ) {
    let promise = loop.makePromise(of: Int.self)
    self.promise = promise
    self.port = promise.futureResult
    address = "\(host):\(port)"
    application = Application(
      responder: router.buildResponder(),
      server: HTTPServerBuilder { responder in
        HTTPWebSocketChannel(responder: responder, acceptor: acceptor)
      },
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), serverName: "livetape"),
      onServerRunning: { promise.succeed($0.localAddress?.port ?? 0) },
      eventLoopGroupProvider: .shared(loop), logger: logger)
  }

  /// Serves until the graceful shutdown; throws a ``ListenError`` when the port can't be had.
  func run() async throws {
    do {
      try await application.run()
    } catch {
      let failure = ListenError(address: address, cause: "\(error)")
      promise.fail(failure)
      throw failure
    }
    promise.fail(ListenError(address: address, cause: "stopped before it listened"))
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
