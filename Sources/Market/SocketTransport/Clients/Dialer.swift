import NIOCore
import NIOPosix

/// Opens a socket: look-up, TCP, TLS and the handshake above, under one deadline, without leaks.
struct Dialer: Sendable {
  let endpoint: Endpoint
  let options: ClientOptions
  let loop: any EventLoop
  /// Called when TCP is connected, on the loop.
  var onConnected: @Sendable () -> Void = {}
  /// Cancels the attempt when it succeeds.
  var abandoned: EventLoopFuture<Void>?

  /// Connects; each of a host's addresses is tried, and the one that connects counts.
  ///
  /// `prepare` adds the handlers above TLS and ensures that the promise is completed; on the
  /// channel's event loop, once per address. Returns its value, or a ``TransportError``.
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
        // Any early end of the attempt, including the deadline, must close the socket.
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
