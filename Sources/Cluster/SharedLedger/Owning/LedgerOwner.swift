package import Logging
package import MarketModel
package import MessageBus
import NIOCore
package import OrderLedger
package import OrderService

/// Keeps a ledger for any number of servers while it holds the lease.
///
/// It receives orders over the bus, matches and stores them, and publishes the stored events
/// verbatim. Everything runs on the bus's loop. The ledger is opened with the lease and closed
/// without it. It is registered on the bus, where the entry outlives every process: a process with
/// another ledger is rejected, before its standby and again with the lease.
package final class LedgerOwner: Sendable {
  /// Starts the orders of a term, on the loop; they must report events.
  package typealias Opening =
    @Sendable (_ tell: @escaping @Sendable (TradingNews) -> Void) -> any KeptOrders

  private let core: NIOLoopBoundBox<LedgerOwnerCore>
  private let bus: any MessageBus

  /// Prepares an owner; ``start()`` begins.
  ///
  /// - Parameters:
  ///   - bus: everything runs on its loop.
  ///   - name: the lease holder's name, for the operator.
  ///   - path: the ledger's path.
  ///   - replaced: the registered ledger that the one at `path` replaces; nil for none.
  ///   - clock: both clocks.
  ///   - logger: receives the terms.
  ///   - refused: called once on the loop; the owner is inactive afterwards.
  ///   - opening: starts the orders of each term.
  package init(
    bus: any MessageBus, name: String, path: String, replacing replaced: LedgerIdentity? = nil,
    clock: @escaping @Sendable () -> ClockReading, logger: Logger,
    refused: @escaping @Sendable (LedgerRefusal) -> Void, opening: @escaping Opening
  ) {
    self.bus = bus
    core = NIOLoopBoundBox.makeBoxSendingValue(
      LedgerOwnerCore(
        bus: bus, name: name, path: path, replaced: replaced, clock: clock, logger: logger,
        refused: refused, opening: opening),
      eventLoop: bus.eventLoop)
  }

  /// Requests the lease, and accepts orders while it holds it.
  package func start() { bus.eventLoop.execute { [core] in core.value.start() } }

  /// Its current state; on the loop.
  package var standing: LedgerStanding { core.value.standing }

  /// Finishes pending work and closes the ledger; the lease expires by itself.
  package func shutDown() async {
    let ended = try? await bus.eventLoop.submit { [core] in core.value.stop() }.get()
    await ended?.value
  }
}

/// The orders of one term: an open ledger, and the markets that its orders meet.
package protocol KeptOrders: Sendable {
  /// Queues a command; `reply` receives its single response, on any thread.
  func submit(_ command: ClientCommand, reply: @escaping @Sendable (OrderResponse) -> Void)

  /// The next events on disk after one; fails with the reason while there is no ledger.
  func excerpt(after sequence: UInt64) async -> Result<LedgerExcerpt, LedgerError>

  /// Finishes pending work and closes the ledger.
  func close() async
}

extension OrderService: KeptOrders {}

/// A process's state as the keeper of a ledger.
package struct LedgerStanding: Hashable, Sendable {
  /// The term; nil without the lease.
  package var epoch: UInt64?
  /// The number of stored events.
  package var events: UInt64 = 0
  /// Why orders are rejected, as a sentence; nil if they are accepted.
  package var failure: Sentence?
  /// What keeps it from the lease.
  package var problem: LeaseProblem?

  /// Creates a state; the default is that of a standby.
  package init(
    epoch: UInt64? = nil, events: UInt64 = 0, failure: Sentence? = nil, problem: LeaseProblem? = nil
  ) {
    (self.epoch, self.events) = (epoch, events)
    (self.failure, self.problem) = (failure, problem)
  }
}
