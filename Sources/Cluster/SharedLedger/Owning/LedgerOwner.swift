// The process that keeps the ledger of an installation: it takes orders over the bus, matches and
// stores them, and publishes the stored events word for word.

package import Logging
package import MarketModel
package import MessageBus
import NIOCore
package import OrderLedger
package import OrderService

/// Keeps a ledger for any number of servers, as long as the lease is its own.
///
/// Everything runs on the bus's loop. The ledger is opened with the lease and closed without it.
/// The ledger is registered on the bus, where it outlives every process: one with another ledger is
/// refused, before it stands by and again with the lease.
package final class LedgerOwner: Sendable {
  /// Makes the order service of a term; it must report events.
  package typealias Opening =
    @Sendable (_ tell: @escaping @Sendable (TradingNews) -> Void) -> OrderService

  private let core: NIOLoopBoundBox<LedgerOwnerCore>
  private let bus: any MessageBus

  /// Prepares an owner; ``start()`` begins.
  ///
  /// - Parameters:
  ///   - bus: whose loop everything runs on.
  ///   - name: who holds the lease, for people.
  ///   - path: where the ledger is.
  ///   - replaced: the registered ledger that the one at `path` replaces; nil for none.
  ///   - clock: both clocks.
  ///   - logger: gets the terms, and what the service reports.
  ///   - refused: called once on the loop, after which nothing is done any more.
  ///   - opening: makes the order service of each term.
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

  /// Tries for the lease, and takes orders while it holds it.
  package func start() { bus.eventLoop.execute { [core] in core.value.start() } }

  /// Receives what the exchange's feed reports; on the loop.
  package func receive(_ update: ExchangeUpdate) { core.value.service?.receive(update) }

  /// What it keeps now; on the loop.
  package var standing: LedgerStanding { core.value.standing }

  /// Finishes what is under way and closes the ledger; the lease runs out by itself.
  package func shutDown() async {
    let ended = try? await bus.eventLoop.submit { [core] in core.value.stop() }.get()
    await ended?.value
  }
}

/// What a process keeps of a ledger.
package struct LedgerStanding: Hashable, Sendable {
  /// The term; nil while the lease is not its own.
  package var epoch: UInt64?
  /// Events that are stored.
  package var events: UInt64 = 0
  /// Why orders are refused, as a sentence; nil when they are taken.
  package var failure: String?
  /// What keeps it from the lease.
  package var problem: LeaseProblem?

  /// One that stands by.
  package init(
    epoch: UInt64? = nil, events: UInt64 = 0, failure: String? = nil, problem: LeaseProblem? = nil
  ) {
    (self.epoch, self.events) = (epoch, events)
    (self.failure, self.problem) = (failure, problem)
  }
}
