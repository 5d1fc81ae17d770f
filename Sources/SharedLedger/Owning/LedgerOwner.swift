// The process that keeps the ledger of an installation: it takes orders over the bus, matches and
// stores them, and tells what it has stored, word for word.

package import Logging
package import MarketModel
package import MessageBus
import NIOCore
import OrderLedger
package import OrderService
import PaperTrading

/// Keeps a ledger for any number of servers, as long as the lease is its own.
///
/// Everything runs on the bus's loop. The ledger is opened with the lease and closed without it.
package final class LedgerOwner: Sendable {
  /// Makes the order service of a term; it must tell of events.
  package typealias Opening =
    @Sendable (_ tell: @escaping @Sendable (TradingNews) -> Void) -> OrderService

  private let core: NIOLoopBoundBox<LedgerOwnerCore>
  private let bus: any MessageBus

  /// Prepares an owner; ``start()`` begins.
  ///
  /// - Parameters:
  ///   - bus: whose loop everything runs on.
  ///   - name: told to whoever asks who holds the lease.
  ///   - clock: both clocks.
  ///   - logger: gets the terms, and what the service says.
  ///   - opening: makes the order service of each term.
  package init(
    bus: any MessageBus, name: String, clock: @escaping @Sendable () -> ClockReading,
    logger: Logger, opening: @escaping Opening
  ) {
    self.bus = bus
    core = NIOLoopBoundBox.makeBoxSendingValue(
      LedgerOwnerCore(bus: bus, name: name, clock: clock, logger: logger, opening: opening),
      eventLoop: bus.eventLoop)
  }

  /// Tries for the lease, and takes orders while it holds it.
  package func start() { bus.eventLoop.execute { [core] in core.value.start() } }

  /// What the exchange's feed says; on the loop.
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

  /// One that stands by.
  package init(epoch: UInt64? = nil, events: UInt64 = 0, failure: String? = nil) {
    (self.epoch, self.events, self.failure) = (epoch, events, failure)
  }
}

/// The owner's state, on the bus's loop.
private final class LedgerOwnerCore {
  private let bus: any MessageBus
  private let name: String
  private let clock: @Sendable () -> ClockReading
  private let logger: Logger
  private let opening: LedgerOwner.Opening
  private var lease = BusLease()
  private var term: LedgerTerm?
  /// The ledger of the term before, until it is closed.
  private var closing: Task<Void, Never>?
  private var timers: [LoopTimer] = []
  private var isOver = false

  init(
    bus: any MessageBus, name: String, clock: @escaping @Sendable () -> ClockReading,
    logger: Logger, opening: @escaping LedgerOwner.Opening
  ) {
    (self.bus, self.name, self.clock) = (bus, name, clock)
    (self.logger, self.opening) = (logger, opening)
  }

  var service: OrderService? { term?.service }
  var standing: LedgerStanding { term?.standing ?? LedgerStanding() }

  func start() {
    timers = [
      LoopTimer(every: BusLease.tickMilliseconds, on: bus.eventLoop) { [weak self] in
        self?.tick()
      },
      LoopTimer(every: BusPulse.intervalMilliseconds, on: bus.eventLoop) { [weak self] in
        self?.pulse()
      },
    ]
    tick()
  }

  func stop() -> Task<Void, Never>? {
    isOver = true
    timers = []
    end()
    return closing
  }

  private func tick() { perform(lease.timer(at: clock().monotonic)) }

  private func pulse() {
    let now = clock().monotonic
    guard lease.isHeld(at: now), let pulse = term?.pulse(at: now) else { return }
    bus.publish(LedgerSubjects.pulse, pulse.bytes)
  }

  private func perform(_ effects: [BusLease.Effect]) {
    for effect in effects {
      switch effect {
      case .hold(let revision): hold(revision)
      case .begin(let epoch): begin(epoch)
      case .end:
        logger.warning("keeps the ledger no more: another process may")
        end()
      }
    }
  }

  private func hold(_ revision: UInt64) {
    bus.hold(LedgerSubjects.lease, ByteBuffer(string: name), expecting: revision)
      .assumeIsolated().whenComplete { [weak self] result in
        guard let self, !isOver else { return }
        let answer = result.mapError { ($0 as? BusError) ?? .disconnected }
        perform(lease.answer(answer, at: clock().monotonic))
      }
  }

  // MARK: A term

  private func begin(_ epoch: UInt64) {
    guard let closing else { return open(epoch) }
    // One process writes a ledger at a time, and this one still does.
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    Task { [loop = bus.eventLoop] in
      await closing.value
      loop.execute {
        let core = bound.value
        guard !core.isOver, core.term == nil, core.lease.epoch == epoch else { return }
        core.closing = nil
        core.open(epoch)
      }
    }
  }

  private func open(_ epoch: UInt64) {
    logger.notice("keeps the ledger in epoch \(epoch)")
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    let service = opening { [loop = bus.eventLoop] news in
      loop.execute { bound.value.take(news, of: epoch) }
    }
    term = LedgerTerm(epoch: epoch, service: service)
    term?.subscriptions = [
      bus.subscribe(LedgerSubjects.command) { [weak self] in self?.command($0) },
      bus.subscribe(LedgerSubjects.history) { [weak self] in self?.history($0) },
    ]
    service.start()
  }

  private func end() {
    guard let term else { return }
    for subscription in term.subscriptions { subscription.cancel() }
    self.term = nil
    let (before, service) = (closing, term.service)
    closing = Task {
      await before?.value
      await service.close()
    }
  }

  private func take(_ news: TradingNews, of epoch: UInt64) {
    guard let term, term.epoch == epoch else { return }
    switch news {
    case .stored(let excerpt):
      self.term?.note(excerpt)
      bus.publish(LedgerSubjects.events, LedgerPiece(epoch: epoch, excerpt: excerpt).bytes)
    case .notices(let notices):
      bus.publish(
        LedgerSubjects.notices, LedgerNotices(notices, under: term.service.rules).bytes)
    case .overview(let overview): self.term?.note(overview)
    case .position, .storage, .skippedTick: break
    }
  }

  private func command(_ message: BusMessage) {
    guard let replyTo = message.replyTo, let term else { return }
    let now = clock().monotonic
    guard let sent = SentCommand(message.payload) else {
      return respond(.refused(OrderResponse.Refusal("The order is not understood.")), to: replyTo)
    }
    guard lease.isHeld(at: now), term.isTimely(sent, at: now) else {
      let sentence = "This was too long on its way. Nothing was ordered."
      return respond(.refused(OrderResponse.Refusal(sentence)), to: replyTo)
    }
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    term.service.submit(sent.command) { [loop = bus.eventLoop] response in
      loop.execute { bound.value.respond(response, to: replyTo) }
    }
  }

  private func history(_ message: BusMessage) {
    guard let replyTo = message.replyTo, let term,
      message.payload.readableBytes <= 20, let after = UInt64(String(buffer: message.payload))
    else { return }
    Task { [bus, service = term.service, epoch = term.epoch] in
      guard case .success(let excerpt) = await service.excerpt(after: after) else { return }
      let bytes = LedgerPiece(epoch: epoch, excerpt: excerpt).bytes
      bus.eventLoop.execute { bus.publish(replyTo, bytes) }
    }
  }

  /// What is on disk is told even by a process whose lease has just ended: it is true.
  private func respond(_ response: OrderResponse, to subject: String) {
    bus.publish(subject, response.bytes)
  }
}
