// One way to open a socket for all three clients: look-up, TCP, TLS and the handshake above them
// under one deadline, and no socket left behind when any of them fails.

import NIOCore
import NIOPosix

/// Opens a socket and waits until a handshake on it has succeeded.
struct Dialer: Sendable {
  let endpoint: Endpoint
  let options: ClientOptions
  let loop: any EventLoop
  /// Called when TCP is connected, on the loop.
  var onConnected: @Sendable () -> Void = {}
  /// Ends the attempt when it succeeds: nobody waits any more.
  var abandoned: EventLoopFuture<Void>?

  /// Connects.
  ///
  /// A host with several addresses is tried at each; only what happens on the socket that connects
  /// counts.
  ///
  /// - Parameter prepare: adds the handlers above TLS and sees to it that the promise is completed;
  ///   called on the channel's event loop, once for each address that is tried.
  /// - Returns: what the promise got, or a ``TransportError``.
  func open<Ready: Sendable>(
    _ prepare: @escaping @Sendable (any Channel, EventLoopPromise<Ready>) throws -> Void
  ) -> EventLoopFuture<Ready> {
    let attempt = loop.makePromise(of: Ready.self)
    let (endpoint, tls, milliseconds) = (endpoint, options.tls, options.deadlineMilliseconds)
    let (onConnected, loop) = (onConnected, loop)
    let deadline = loop.scheduleTask(in: .milliseconds(milliseconds)) {
      attempt.fail(TransportError.handshakeTimeout(endpoint.host, milliseconds: milliseconds))
    }
    abandoned?.whenSuccess { attempt.fail(TransportError.abandoned) }
    let tried = NIOLoopBoundBox.makeBoxSendingValue(
      [ObjectIdentifier: EventLoopFuture<Ready>](), eventLoop: loop)
    ClientBootstrap(group: loop)
      .connectTimeout(.milliseconds(milliseconds))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        let ready = loop.makePromise(of: Ready.self)
        tried.value[ObjectIdentifier(channel)] = ready.futureResult
        channel.closeFuture.whenComplete { _ in
          ready.fail(TransportError.closedDuringHandshake(endpoint.host))
        }
        // Whatever ends the attempt early, a deadline too, must end the socket.
        attempt.futureResult.whenFailure { _ in channel.close(promise: nil) }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if endpoint.isSecure { try tls.secure(channel, host: endpoint.host) }
          try pipeline.addHandler(ReadActivityHandler())
          try prepare(channel, ready)
        }
      }
      .connect(host: endpoint.host, port: endpoint.port)
      .whenComplete { result in
        switch result {
        case .failure(let error): attempt.fail(error)
        case .success(let channel):
          onConnected()
          tried.value[ObjectIdentifier(channel)]?.cascade(to: attempt)
        }
        tried.value = [:]
      }
    return attempt.futureResult.always { _ in deadline.cancel() }.flatMapErrorThrowing { error in
      throw TransportError(error, host: endpoint.host, milliseconds: milliseconds)
    }
  }
}
