// A process that works for the servers behind a bus: no pages, and only what its role needs.

public import Logging
import MessageBus
public import NIOCore
public import ServiceLifecycle
import SocketServer

/// A running reader or order service.
public struct BusApplication: Service {
  /// What a process does for the servers.
  public enum Role: String, Sendable {
    /// Reads venues.
    case reader
    /// Keeps the ledger, while no other process does.
    case desk = "order service"
  }

  /// The port that says how it is, once it works or stands by; nil where none is wanted.
  ///
  /// Fails with a ``SocketServer/ListenError``, and with what ``run()`` throws before.
  public let started: EventLoopFuture<Int?>

  let configuration: LivetapeConfiguration
  let group: any EventLoopGroup
  let logger: Logger
  private let role: Role
  private let promise: EventLoopPromise<Int?>
  private let healthPort: Int?

  /// Prepares a process for the bus of a configuration; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - role: what it does.
  ///   - configuration: the bus; the venues of a reader, the ledger's folder of an order service.
  ///   - healthPort: of loopback, where `/healthz` and `/readyz` are answered; 0 for a free one,
  ///     nil for none.
  ///   - group: its loops.
  ///   - logger: gets what it does, and what is wrong.
  public init(
    _ role: Role, _ configuration: LivetapeConfiguration, healthPort: Int? = nil,
    group: any EventLoopGroup, logger: Logger
  ) {
    promise = group.next().makePromise(of: Int?.self)
    started = promise.futureResult
    (self.role, self.configuration, self.healthPort) = (role, configuration, healthPort)
    (self.group, self.logger) = (group, logger)
  }

  /// Works until the graceful shutdown.
  ///
  /// Throws a ``ConfigurationError`` without a bus, and a ``SocketServer/ListenError`` when the
  /// simulated venues or the port of its health can't be had.
  public func run() async throws {
    do {
      guard let address = configuration.bus else {
        let description = "the \(role.rawValue) needs a bus: give one with --bus"
        throw ConfigurationError(description: description)
      }
      switch role {
      case .reader: try await read(behind: address)
      case .desk: try await keepLedger(behind: address)
      }
      promise.fail(CancellationError())
    } catch {
      promise.fail(error)
      throw error
    }
  }

  /// Starts what works over a bus, says how it is until the graceful shutdown, and stops it.
  ///
  /// - Parameters:
  ///   - bus: is started first and shut down last.
  ///   - readiness: called on the bus's loop.
  ///   - refusals: the first one ends the work; nil where nothing is refused.
  ///   - start: called on the bus's loop.
  ///   - stop: called also when something is thrown.
  /// - Throws: a ``SocketServer/ListenError`` when the port of its health can't be had, and the
  ///   refusal.
  func work(
    over bus: NatsBus, readiness: @escaping @Sendable (BusLink) -> any ProcessReadiness,
    until refusals: AsyncStream<ConfigurationError>? = nil,
    start: @escaping @Sendable () -> Void, stop: () async -> Void
  ) async throws {
    let health = ProcessHealth(over: bus, readiness: readiness)
    bus.eventLoop.execute {
      bus.start()
      start()
    }
    let beat = configuration.beat?.start(on: bus.eventLoop)
    var failure: (any Error)?
    do {
      try await withThrowingTaskGroup(of: Void.self) { [healthPort, promise, logger] tasks in
        tasks.addTask {
          try await health.answer(on: healthPort, started: promise, logger: logger)
        }
        if let refusals {
          tasks.addTask { for await refusal in refusals { throw refusal } }
        }
        try await tasks.next()
        tasks.cancelAll()
      }
    } catch {
      failure = error
    }
    beat?.cancel()
    await stop()
    try? await bus.eventLoop.flatSubmit { bus.shutdown() }.get()
    if let failure { throw failure }
  }
}
