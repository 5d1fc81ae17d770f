import Logging
import MarketModel
import MessageBus
import NIOCore
import OrderLedger
import OrderService
import PaperTrading

/// The owner's state, on the bus's loop: which ledger it may keep, its terms, and their messages.
final class LedgerOwnerCore {
  /// The minimum interval between two registrations of the latest event, in milliseconds.
  private static let positionMilliseconds: Int64 = 1000

  private let bus: any MessageBus
  private let name: String
  private let path: String
  private let replaced: LedgerIdentity?
  private let clock: @Sendable () -> ClockReading
  private let logger: Logger
  private let refused: @Sendable (LedgerRefusal) -> Void
  private let opening: LedgerOwner.Opening
  private var lease = BusLease()
  private var term: LedgerTerm?
  /// Counts the terms; reports of an earlier term are ignored.
  private var terms: UInt64 = 0
  /// The previous term's ledger, until it is closed.
  private var closing: Task<Void, Never>?
  private var timers: [LoopTimer] = []
  private var pulses: BusSubscription?
  private var isOver = false

  /// The ledger at the path, if known.
  private var own: LedgerIdentity?
  /// Whether the registry allows this process to stand by.
  private var isAllowed = false
  /// Counts the registry checks; responses to earlier ones are ignored.
  private var checks: UInt64 = 0
  private var nextCheck: MonotonicTime?
  /// The ledger in another process's pulse, and when the registry was checked for it.
  private var suspected: (identity: LedgerIdentity, at: MonotonicTime)?
  private var registryRefusal: String?
  /// Whether a registry write is pending, and when the last one began.
  private var isStoring = false
  private var storedAt: MonotonicTime?
  private var watch = StandbyWatch()
  private var problem: LeaseProblem?

  init(
    bus: any MessageBus, name: String, path: String, replaced: LedgerIdentity?,
    clock: @escaping @Sendable () -> ClockReading, logger: Logger,
    refused: @escaping @Sendable (LedgerRefusal) -> Void, opening: @escaping LedgerOwner.Opening
  ) {
    (self.bus, self.name, self.path, self.replaced) = (bus, name, path, replaced)
    (self.clock, self.logger) = (clock, logger)
    (self.refused, self.opening) = (refused, opening)
  }

  var standing: LedgerStanding {
    var standing = term?.standing ?? LedgerStanding()
    standing.problem = problem
    return standing
  }

  private var now: MonotonicTime { clock().monotonic }

  func start() {
    timers = [
      LoopTimer(every: BusLease.tickMilliseconds, on: bus.eventLoop) { [weak self] in
        self?.tick()
      },
      LoopTimer(every: BusPulse.intervalMilliseconds, on: bus.eventLoop) { [weak self] in
        self?.pulse()
      },
    ]
    pulses = bus.subscribe(LedgerSubjects.pulse) { [weak self] message in
      guard let self, term == nil, let pulse = LedgerPulse(message.payload) else { return }
      receive(pulse)
    }
    nextCheck = now
    tick()
  }

  func stop() -> Task<Void, Never>? {
    isOver = true
    timers = []
    pulses = nil
    end()
    return closing
  }

  private func tick() {
    let now = now
    if let nextCheck, nextCheck <= now {
      self.nextCheck = nil
      if lease.epoch != nil, term == nil { begin() } else { startCheck() }
    }
    if isAllowed { perform(lease.timer(at: now)) }
    registerPosition(at: now)
    let refusal = registryRefusal ?? lease.refusal
    let found = watch.problem(isHeld: lease.isHeld(at: now), refusal: refusal, at: now)
    if let found, found != problem { logger.error("no orders are kept: \(found)") }
    problem = found
  }

  private func pulse() {
    let now = now
    guard lease.isHeld(at: now), let pulse = term?.pulse(at: now) else { return }
    bus.publish(LedgerSubjects.pulse, pulse.bytes)
  }

  private func perform(_ effects: [BusLease.Effect]) {
    for effect in effects {
      switch effect {
      case .hold(let revision): hold(revision)
      case .begin: begin()
      case .end:
        logger.warning("keeps the ledger no more: another process may")
        end()
      }
    }
  }

  private func hold(_ revision: UInt64) {
    let value = "\(name) \(own?.description ?? "-")"
    bus.hold(LedgerSubjects.lease, ByteBuffer(string: value), expecting: revision)
      .assumeIsolated().whenComplete { [weak self] result in
        guard let self, !isOver else { return }
        let answer = result.mapError { ($0 as? BusError) ?? .disconnected }
        perform(lease.answer(answer, at: now))
      }
  }

  // MARK: Choice of the ledger

  /// Handles a pulse of another process on standby.
  ///
  /// A forged pulse changes nothing: the registry decides, and only the lease holder writes it.
  private func receive(_ pulse: LedgerPulse) {
    let now = now
    watch.sign(at: now)
    guard isAllowed, let other = pulse.identity, other != own, other != replaced else { return }
    if let suspected, now.milliseconds(since: suspected.at) < leaseMilliseconds { return }
    suspected = (other, now)
    startCheck()
  }

  /// Compares the ledger at the path with the registered one.
  private func startCheck() {
    nextCheck = nil
    checks += 1
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    Task { [loop = bus.eventLoop, path, checks] in
      let read = Result { try LedgerIdentity.stored(at: path) }
      loop.execute { bound.value.load(read, of: checks) }
    }
  }

  private func load(_ read: Result<LedgerIdentity?, any Error>, of number: UInt64) {
    guard !isOver, number == checks else { return }
    LedgerRegistry(bus: bus).load().assumeIsolated().whenComplete { [weak self] result in
      guard let self, !isOver, number == checks else { return }
      do {
        compare(read, with: try result.get())
      } catch {
        failCheck(error)
      }
    }
  }

  private func failCheck(_ error: any Error) {
    if case BusError.refused(let words) = error { registryRefusal = words }
    nextCheck = now.adding(milliseconds: BusLease.attemptMilliseconds)
  }

  private func compare(
    _ read: Result<LedgerIdentity?, any Error>, with entry: LedgerRegistry.Entry
  ) {
    if lease.epoch == nil { registryRefusal = nil }
    // An unreadable ledger is not the registered one; opening it reports the reason.
    if case .failure(let error) = read { logger.warning("the ledger can't be read: \(error)") }
    own = (try? read.get()) ?? own
    var registered = entry.identity
    if registered == nil, lease.epoch == nil { registered = suspected?.identity }
    switch LedgerClaim(own: own, registered: registered, replaced: replaced) {
    case .foreign(let registered): return refuse(registered)
    case .registered, .open: isAllowed = true
    }
    if let epoch = lease.epoch, term == nil, closing == nil { open(epoch, entry) }
  }

  private func refuse(_ registered: LedgerIdentity, lacking missing: UInt64? = nil) {
    _ = stop()
    refused(LedgerRefusal(registered: registered, own: own, path: path, missing: missing))
  }

  private func check(_ ledger: LedgerState) {
    guard let term else { return }
    // After a disk error the service reopens its ledger.
    if let served = term.identity { return served == ledger.identity ? () : restart() }
    own = ledger.identity
    let registered = term.registered
    switch LedgerClaim(own: own, registered: registered.identity, replaced: replaced) {
    case .foreign(let registered): return refuse(registered)
    case .open: return register(ledger)
    case .registered: break
    }
    guard let position = registered.position, ledger.identity != replaced else {
      return register(ledger)
    }
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    Task { [loop = bus.eventLoop, orders = term.orders, terms] in
      let excerpt = await orders.excerpt(after: position.sequence)
      loop.execute { bound.value.check(ledger, excerpt, at: position, of: terms) }
    }
  }

  /// Checks whether the ledger has the registered event.
  private func check(
    _ ledger: LedgerState, _ excerpt: Result<LedgerExcerpt, LedgerError>,
    at position: LedgerPosition, of number: UInt64
  ) {
    guard !isOver, terms == number, term != nil else { return }
    switch excerpt {
    // It is already closed; the next opening reports the reason.
    case .failure: restart()
    case .success(let excerpt) where excerpt.hash == position.head: register(ledger)
    case .success: refuse(ledger.identity, lacking: position.sequence)
    }
  }

  private func register(_ ledger: LedgerState) {
    guard let entry = term?.registered, let head = ChainHash(ledger.head) else { return }
    let position = LedgerPosition(sequence: ledger.sequence, head: head)
    if entry.identity == ledger.identity, entry.position == position {
      return serve(ledger.identity)
    }
    store(ledger.identity, position) { owner in
      if let former = entry.identity, former != ledger.identity {
        owner.logger.warning("ledger \(ledger.identity) replaces ledger \(former) on the bus")
      }
      owner.serve(ledger.identity)
    }
  }

  /// Registers the latest event once a second, which reveals a process started with an older copy.
  private func registerPosition(at now: MonotonicTime) {
    guard lease.isHeld(at: now), let term, let identity = term.identity, !isStoring,
      let position = term.position, position != term.registered.position,
      storedAt.map({ now.milliseconds(since: $0) >= LedgerOwnerCore.positionMilliseconds }) ?? true
    else { return }
    store(identity, position) { _ in }
  }

  private func store(
    _ identity: LedgerIdentity, _ position: LedgerPosition,
    then done: @escaping (LedgerOwnerCore) -> Void
  ) {
    guard let entry = term?.registered else { return }
    (isStoring, storedAt) = (true, now)
    LedgerRegistry(bus: bus).store(identity, position, after: entry).assumeIsolated()
      .whenComplete { [weak self, terms] result in
        guard let self else { return }
        isStoring = false
        guard terms == self.terms, term != nil else { return }
        switch result {
        case .success(let entry):
          term?.registered = entry
          registryRefusal = nil
          done(self)
        case .failure(let error):
          if case BusError.refused(let words) = error { registryRefusal = words }
          // A ledger being served is registered; only its latest event there is older.
          if term?.identity == nil { return restart() }
          if error as? BusError == .wrongRevision { loadRevision() }
        }
      }
  }

  /// Reloads the entry: a write without a response may have succeeded.
  private func loadRevision() {
    LedgerRegistry(bus: bus).load().assumeIsolated().whenSuccess { [weak self, terms] entry in
      guard let self, terms == self.terms, let term else { return }
      guard entry.identity == term.identity else { return restart() }
      self.term?.registered = entry
    }
  }

  /// Closes the ledger, and checks the registry again after a pause, with the same lease.
  private func restart() {
    end()
    nextCheck = now.adding(milliseconds: BusLease.attemptMilliseconds)
  }

  // MARK: Lease term

  private func begin() {
    guard let closing else { return startCheck() }
    // Only one process writes a ledger at a time, and this one still does.
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    Task { [loop = bus.eventLoop] in
      await closing.value
      loop.execute {
        let core = bound.value
        guard !core.isOver, core.term == nil else { return }
        core.closing = nil
        core.startCheck()
      }
    }
  }

  private func open(_ epoch: UInt64, _ entry: LedgerRegistry.Entry) {
    logger.notice("keeps the ledger in epoch \(epoch)")
    terms += 1
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    let orders = opening { [loop = bus.eventLoop, terms] news in
      loop.execute { bound.value.receive(news, of: terms) }
    }
    term = LedgerTerm(epoch: epoch, orders: orders, registered: entry)
  }

  /// Accepts commands from now on.
  private func serve(_ identity: LedgerIdentity) {
    registryRefusal = nil
    term?.identity = identity
    term?.subscriptions = [
      bus.subscribe(LedgerSubjects.command) { [weak self] in self?.command($0) },
      bus.subscribe(LedgerSubjects.history) { [weak self] in self?.history($0) },
    ]
  }

  private func end() {
    guard let term else { return }
    for subscription in term.subscriptions { subscription.cancel() }
    self.term = nil
    let (before, orders) = (closing, term.orders)
    closing = Task {
      await before?.value
      await orders.close()
    }
  }

  private func receive(_ news: TradingNews, of number: UInt64) {
    guard let term, terms == number else { return }
    switch news {
    case .opened(let ledger): check(ledger)
    case .stored(let excerpt):
      self.term?.note(excerpt)
      bus.publish(LedgerSubjects.events, LedgerPiece(epoch: term.epoch, excerpt: excerpt).bytes)
    case .notices(let notices):
      bus.publish(
        LedgerSubjects.notices, LedgerNotices(notices).bytes)
    case .overview(let overview): self.term?.note(overview)
    case .position, .storage, .skippedTick, .closed: break
    }
  }

  private func command(_ message: BusMessage) {
    guard let replyTo = message.replyTo, let term else { return }
    let now = now
    guard let sent = SentCommand(message.payload) else {
      return respond(.refused(OrderResponse.Refusal("The order is not understood.")), to: replyTo)
    }
    guard lease.isHeld(at: now), term.isTimely(sent, at: now) else {
      return respond(
        .refused(OrderResponse.Refusal("This took too long to arrive. Nothing was ordered.")),
        to: replyTo)
    }
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    term.orders.submit(sent.command) { [loop = bus.eventLoop] response in
      loop.execute { bound.value.respond(response, to: replyTo) }
    }
  }

  private func history(_ message: BusMessage) {
    guard let replyTo = message.replyTo, let term,
      message.payload.readableBytes <= 20, let after = UInt64(String(buffer: message.payload))
    else { return }
    Task { [bus, orders = term.orders, epoch = term.epoch] in
      guard case .success(let excerpt) = await orders.excerpt(after: after) else { return }
      let bytes = LedgerPiece(epoch: epoch, excerpt: excerpt).bytes
      bus.eventLoop.execute { bus.publish(replyTo, bytes) }
    }
  }

  /// A process whose lease has just ended still responds: what is on disk is true.
  private func respond(_ response: OrderResponse, to subject: String) {
    bus.publish(subject, response.bytes)
  }
}
