import Dispatch
public import MarketModel
public import OrderLedger
public import PaperTrading

/// Accepts, matches and stores orders, on server and phone: of the exchange's stock, and of the
/// venues' markets whose data it receives.
///
/// Commands and ticks share one queue in order of arrival. Whatever accumulates while the disk is
/// busy goes into the next commit. Every response, notice and state is published only after it is
/// on disk.
///
/// Nonisolated calls return at once and may come from any thread. Responses and news arrive through
/// closures, called one at a time, in order, on the service's own queue.
public actor OrderService {
  /// The minimum time between two overviews after the venues' market data alone.
  static let newsMilliseconds: Int64 = 100
  /// The minimum time between two attempts to open a ledger.
  static let retryMilliseconds: Int64 = 1000

  /// The stock's price and quantity steps and bounds.
  public nonisolated let rules: TradingRules

  /// The service's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private nonisolated let executor = ServiceExecutor()
  private nonisolated let queue: CommandQueue
  private let open: EventStore.Opener
  private let clock: @Sendable () -> ClockReading
  private let tell: @Sendable (TradingNews) -> Void
  private let committed: (@Sendable (_ nanoseconds: Int64) -> Void)?
  private let tellsEvents: Bool
  /// Waits for so many milliseconds.
  private let pause: @Sendable (Int64) async -> Void

  var trader: PaperTrader
  private var store: EventStore?
  private var head = ""
  private var identity: LedgerIdentity?
  private(set) var failure: LedgerError?
  private var lastAttempt: MonotonicTime?
  private var freshness = FreshnessState.waiting
  private var skippedTicks: UInt64 = 0
  private var mustTell = false
  /// When the orders were last part of the news.
  private var ordersToldAt: MonotonicTime?
  private var isAwaitingNews = false
  /// When the venues' markets were last part of the news; they change many times a second.
  private var marketsToldAt: MonotonicTime?
  private var positions = PositionTeller()
  /// The time that the service will wake for.
  private var awaited: Timestamp?

  /// Creates a service whose orders are stored in the file at `path`.
  ///
  /// The file is not touched before ``start()`` or the first command or tick.
  ///
  /// - Parameters:
  ///   - path: The database; its folder is created if needed.
  ///   - rules: Steps and bounds.
  ///   - clock: Both clocks; called on the service's queue.
  ///   - tellsEvents: Whether to publish ``TradingNews/stored(_:)`` for followers.
  ///   - committed: Receives the duration of each commit, on the service's queue.
  ///   - tell: The callback for all news, in order.
  public init(
    path: String, rules: TradingRules, clock: @escaping @Sendable () -> ClockReading,
    tellsEvents: Bool = false, committed: (@Sendable (_ nanoseconds: Int64) -> Void)? = nil,
    tell: @escaping @Sendable (TradingNews) -> Void
  ) {
    self.init(
      rules: rules, queue: CommandQueue(), clock: clock,
      opening: EventStore.file(path, rules: rules), tellsEvents: tellsEvents,
      committed: committed, tell: tell)
  }

  init(
    rules: TradingRules, queue: CommandQueue, clock: @escaping @Sendable () -> ClockReading,
    opening open: @escaping EventStore.Opener, tellsEvents: Bool = false,
    committed: (@Sendable (_ nanoseconds: Int64) -> Void)? = nil,
    pause: @escaping @Sendable (Int64) async -> Void = { milliseconds in
      try? await Task.sleep(for: .milliseconds(milliseconds))
    },
    tell: @escaping @Sendable (TradingNews) -> Void
  ) {
    (self.committed, self.tellsEvents, self.pause) = (committed, tellsEvents, pause)
    self.rules = rules
    self.queue = queue
    self.clock = clock
    self.open = open
    self.tell = tell
    trader = PaperTrader(rules: rules)
  }

  // MARK: Input

  /// Opens the ledger and publishes its contents.
  ///
  /// If that fails, orders are rejected with the reason, and the service retries as more input
  /// arrives.
  public nonisolated func start() { receive(.freshness(.waiting), of: rules.symbol) }

  /// Queues a command; `reply` receives its single response.
  public nonisolated func submit(
    _ command: ClientCommand, reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    if let refusal = add(.command(command, reply)) { reply(.refused(refusal)) }
  }

  /// Sends a command and waits for its response.
  public nonisolated func response(to command: ClientCommand) async -> OrderResponse {
    await withCheckedContinuation { done in submit(command) { done.resume(returning: $0) } }
  }

  /// Receives a tick or freshness change of the exchange's feed.
  public nonisolated func receive(_ update: ExchangeUpdate) {
    switch update {
    case .tick(let tick, let number, let lateAt): receive(tick, number: number, lateAt: lateAt)
    case .unreadable: receive(.unreadable, of: rules.symbol)
    case .freshness(let state, let lateAt): receive(state, lateAt: lateAt)
    }
  }

  /// Receives market data of an instrument: of a venue's market from its first book on.
  public nonisolated func receive(_ input: MarketInput, of symbol: Symbol) {
    add(.feed(input, of: symbol))
  }

  /// Receives a tick with its number in the feed.
  ///
  /// `lateAt` is when the feed becomes late without another tick; nil if no ticks are expected. A
  /// tick whose price is too fine, too high or crossed is skipped and counted, and orders meet no
  /// market until the next valid tick.
  public nonisolated func receive(_ tick: MarketTick, number: UInt64, lateAt: MonotonicTime?) {
    do throws(SnapshotProblem) {
      receive(.tick(try rules.snapshot(tick, number: number), lateAt: lateAt), of: rules.symbol)
    } catch {
      receive(.unusable(error, number: number), of: rules.symbol)
    }
  }

  /// Receives a change of the feed's freshness, or a confirmation that it is live until `lateAt`.
  ///
  /// A nil `lateAt` keeps the previous time.
  public nonisolated func receive(_ state: FreshnessState, lateAt: MonotonicTime?) {
    receive(.freshness(state, lateAt: lateAt), of: rules.symbol)
  }

  /// All orders on disk, oldest first; fails with the reason while there is no ledger.
  public func history() -> Result<OrderHistory, LedgerError> {
    work()
    if store == nil, let failure { return .failure(failure) }
    return .success(trader.history)
  }

  /// The newest orders placed before one, newest first, as in an overview.
  ///
  /// Fails with the reason while there is no ledger.
  public func reports(before order: OrderIdentifier) -> Result<[OrderReport], LedgerError> {
    history().map { _ in trader.reports(before: order) }
  }

  /// The last stored state of an order, even without a ledger; nil for an unknown order.
  public func report(of order: OrderIdentifier) -> OrderReport? { trader.report(of: order) }

  /// The next events on disk after one; fails with the reason while there is no ledger.
  public func excerpt(after sequence: UInt64) -> Result<LedgerExcerpt, LedgerError> {
    work()
    guard let store else { return .failure(failure ?? .notFound(path: "")) }
    do throws(LedgerError) {
      return .success(try store.excerpt(sequence))
    } catch {
      return .failure(error)
    }
  }

  /// Handles queued items, closes the ledger, and rejects all later items.
  public func close() {
    queue.close()
    work()
    closeStore()
    mustTell = false
  }

  private func closeStore() {
    guard let open = store else { return }
    open.close()
    store = nil
    if let state = ledgerState(isNew: false) { tell(.closed(state)) }
  }

  private func ledgerState(isNew: Bool) -> LedgerState? {
    identity.map {
      LedgerState(identity: $0, isNew: isNew, sequence: trader.history.lastSequence, head: head)
    }
  }

  @discardableResult
  private nonisolated func add(_ item: CommandQueue.Item) -> OrderResponse.Refusal? {
    switch queue.add(item) {
    case .queued: return nil
    case .wake:
      Task { await self.work() }
      return nil
    case .full: return OrderResponse.Refusal("Too many orders in progress. Try again.")
    case .closed: return OrderResponse.Refusal("Livetape is stopping. Nothing was ordered.")
    }
  }

  // MARK: Command processing

  private func work() {
    while let items = queue.takeAll() {
      let now = clock()
      let (isFirst, wasClosed) = (lastAttempt == nil, store == nil && lastAttempt != nil)
      openIfNeeded(at: now)
      let due = trader.history.symbols(dueAt: now.wall)
      // Trades were not observed meanwhile.
      let missed =
        wasClosed && store != nil ? trader.history.openSymbols.subtracting([rules.symbol]) : []
      let times = due.map { CommandQueue.Item.feed(.time(afterStop: isFirst), of: $0) }
      handle(missed.map { .feed(.missedTrades, of: $0) } + times + items, at: now)
    }
    awaitDue()
  }

  /// Wakes when the next order expires or arrives, or a minute later at most: clocks are set.
  private func awaitDue() {
    guard store != nil, let next = trader.history.nextDue, next != awaited else { return }
    awaited = next
    let wait = next.milliseconds - clock().wall.milliseconds + 1
    Task { [weak self, pause] in
      await pause(min(max(1, wait), 60_000))
      await self?.passTime()
    }
  }

  func passTime() {
    awaited = nil
    for symbol in trader.history.symbols(dueAt: clock().wall) {
      _ = queue.add(.feed(.time(afterStop: false), of: symbol))
    }
    work()
  }

  private func openIfNeeded(at now: ClockReading) {
    guard store == nil, lastAttempt == nil || failure?.mayPass == true else { return }
    if let lastAttempt,
      now.monotonic.milliseconds(since: lastAttempt) < OrderService.retryMilliseconds
    {
      return
    }
    lastAttempt = now.monotonic
    do throws(LedgerError) {
      let opened = try open(now.wall)
      store = opened.store
      (head, identity) = (opened.head, opened.identity)
      // The market is unknown until the next tick, about a second later; that is safe.
      trader = PaperTrader(rules: rules, history: opened.history)
      _ = trader.handle(.feed(.freshness(freshness), of: rules.symbol), at: now)
      if let state = ledgerState(isNew: opened.isNew) { tell(.opened(state)) }
      note(nil)
      mustTell = true
    } catch {
      note(error)
    }
  }

  private func handle(_ items: [CommandQueue.Item], at now: ClockReading) {
    var batch = batch(at: now)
    var isUrgent = false
    for item in items {
      if batch.isEnded(before: item) {
        handle(&batch, at: now)
        isUrgent = isUrgent || batch.isUrgent
        batch = self.batch(at: now)
      }
      if case .feed(.unusable(let problem, let number), _) = item { skip(problem, number) }
      batch.add(item)
    }
    handle(&batch, at: now)
    freshness = trader.freshness
    isUrgent = isUrgent || batch.isUrgent
    if isUrgent || isDue(now, since: marketsToldAt, 1000) {
      marketsToldAt = now.monotonic
      tellPosition(at: now)
    }
  }

  private func isDue(
    _ now: ClockReading, since last: MonotonicTime?, _ milliseconds: Int64
  ) -> Bool {
    last.map { now.monotonic.milliseconds(since: $0) >= milliseconds } ?? true
  }

  private func tellPosition(at now: ClockReading) {
    guard store != nil else { return }
    for report in positions.news(of: trader, at: now) { tell(.position(report)) }
  }

  private func batch(at now: ClockReading) -> CommandBatch {
    CommandBatch(
      trader: trader, refusal: store == nil ? failure?.userMessage : nil, now: now.wall)
  }

  private func handle(_ batch: inout CommandBatch, at now: ClockReading) {
    batch.close()
    if !batch.inputs.isEmpty {
      do throws(LedgerError) {
        batch.decisions = try trader.handle(batch.inputs, at: now) {
          (events) throws(LedgerError) in try append(events)
        }
      } catch {
        fail(error, at: now)
        batch.failure = error.userMessage
      }
    }
    finish(batch, at: now)
  }

  private func append(_ events: [OrderEvent]) throws(LedgerError) {
    guard let store else { throw failure ?? .notFound(path: "") }
    let start = committed == nil ? nil : clock().monotonic
    let before = head
    head = try store.append(events)
    if let start { committed?(clock().monotonic.nanoseconds - start.nanoseconds) }
    if tellsEvents { tell(.stored(LedgerExcerpt(events, after: ChainHash(before)))) }
  }

  /// The events are not stored: reopen and reread the ledger before the next order.
  private func fail(_ error: LedgerError, at now: ClockReading) {
    note(error)
    guard store != nil else { return }
    closeStore()
    lastAttempt = now.monotonic
  }

  private func finish(_ batch: CommandBatch, at now: ClockReading) {
    for (index, decision) in batch.decisions.enumerated() {
      if case .tickRejected(let problem) = decision.reply,
        case .feed(.tick(let tick, _), _) = batch.inputs[index]
      {
        skip(problem, tick.number)
      }
    }
    batch.respond(trader)
    let notices = batch.decisions.flatMap(\.notices)
    if !notices.isEmpty { tell(.notices(notices)) }
    let isChanged = batch.decisions.contains { !$0.events.isEmpty }
    let isMarket =
      !batch.inputs.isEmpty && trader.history.openCount > 0
      && (batch.isUrgent || isDue(now, since: marketsToldAt, 1000))
    guard mustTell || isChanged || isMarket else { return }
    mustTell = true
    if batch.isUrgent || isDue(now, since: ordersToldAt, Self.newsMilliseconds) {
      tellOrders(at: now)
    } else {
      awaitNews()
    }
  }

  private func tellOrders(at now: ClockReading) {
    (mustTell, ordersToldAt) = (false, now.monotonic)
    tell(.overview(overview))
  }

  private func awaitNews() {
    guard !isAwaitingNews else { return }
    isAwaitingNews = true
    Task { [weak self, pause] in
      await pause(Self.newsMilliseconds)
      await self?.endNewsWait()
    }
  }

  private func endNewsWait() {
    isAwaitingNews = false
    if mustTell { tellOrders(at: clock()) }
  }

  private var overview: TradingOverview {
    let storage = store.map { _ in
      StorageStatus(eventCount: trader.history.lastSequence, head: head, isIntact: true)
    }
    return trader.overview(
      storage: storage, failure: failure?.userMessage, skippedTicks: skippedTicks)
  }

  private func skip(_ problem: SnapshotProblem, _ number: UInt64) {
    skippedTicks += 1
    mustTell = true
    tell(.skippedTick(problem, number: number, count: skippedTicks))
  }

  private func note(_ error: LedgerError?) {
    guard error != failure else { return }
    failure = error
    mustTell = true
    tell(.storage(error))
  }
}

extension LedgerError {
  /// Whether a retry can succeed without restarting the program.
  fileprivate var mayPass: Bool {
    switch self {
    case .notWritable, .notAFile, .missing, .diskFull, .inUse, .outOfStep,
      .duplicateClientIdentifier, .storage,
      .notFound, .notALedger:
      true
    case .damaged, .setAside, .newerVersion, .otherScales, .notDurable: false
    }
  }
}

final class ServiceExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "livetape.order-service", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
