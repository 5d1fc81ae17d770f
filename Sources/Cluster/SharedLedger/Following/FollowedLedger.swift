package import MarketModel
package import MessageBus
import NIOCore
import OrderLedger
package import OrderService
package import PaperTrading

/// A ledger kept by another process, as a server on the bus sees it.
///
/// The orders follow from the ledger's own events; commands are sent to that process. Everything
/// runs on the bus's loop; commands may come from any thread.
package final class FollowedLedger: Sendable {
  /// The order service's response timeout, in milliseconds.
  static let patienceMilliseconds: Int64 = 2000
  /// The timeout of an order in a venue's market, whose first book the order service may await for
  /// five seconds.
  static let marketPatienceMilliseconds: Int64 = 7000

  /// The stock's steps and bounds.
  package let rules: TradingRules
  private let core: NIOLoopBoundBox<FollowedLedgerCore>
  private let loop: any EventLoop

  /// Prepares to follow; ``start(_:)`` begins.
  package init(
    _ rules: TradingRules, bus: any MessageBus, clock: @escaping @Sendable () -> ClockReading
  ) {
    self.rules = rules
    loop = bus.eventLoop
    core = NIOLoopBoundBox.makeBoxSendingValue(
      FollowedLedgerCore(rules, bus: bus, clock: clock), eventLoop: bus.eventLoop)
  }

  /// Follows the ledger and reports all news on the loop; call on it.
  package func start(_ tell: @escaping (TradingNews) -> Void) { core.value.start(tell) }

  /// Receives the exchange's feed, which values orders and positions; on the loop.
  package func receive(_ update: ExchangeUpdate) {
    switch update {
    case .tick(let tick, let number, let lateAt):
      do throws(SnapshotProblem) {
        watch(.tick(try rules.snapshot(tick, number: number), lateAt: lateAt))
      } catch {
        watch(.unusable(error, number: number))
      }
    case .unreadable: watch(.unreadable)
    case .freshness(let state, let lateAt): watch(.freshness(state, lateAt: lateAt))
    }
  }

  private func watch(_ input: MarketInput) { receive(input, of: rules.symbol) }

  /// Receives market data of an instrument, which values orders and positions; on the loop.
  package func receive(_ input: MarketInput, of symbol: Symbol) {
    core.value.watch(.feed(input, of: symbol), isStock: symbol == rules.symbol)
  }

  /// Sends a command; `reply` receives its single response, on the loop.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - isRepeat: whether it may have been sent before, by any server: then it may already have
  ///     been executed.
  ///   - reply: receives ``OrderService/OrderResponse/unconfirmed(_:)`` without a response.
  package func submit(
    _ command: ClientCommand, isRepeat: Bool, reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    onLoop { $0.submit(command, isRepeat: isRepeat, reply) }
  }

  /// All stored orders; fails with the reason why they may be incomplete.
  package func history() async -> Result<OrderHistory, OrdersUnavailable> {
    await read { $0.trader.history }
  }

  /// The newest orders placed before one, newest first; fails like ``history()``.
  package func reports(
    before order: OrderIdentifier
  ) async -> Result<[OrderReport], OrdersUnavailable> {
    await read { $0.trader.reports(before: order) }
  }

  /// The last known state of an order, even without access to its ledger; nil if unknown.
  package func report(of order: OrderIdentifier) async -> OrderReport? {
    try? await loop.submit { [core] in core.value.report(of: order) }.get()
  }

  /// Ends everything; on the loop.
  package func shutDown() { core.value.stop() }

  private func read<Value: Sendable>(
    _ value: @escaping @Sendable (LedgerFollower) -> Value
  ) async -> Result<Value, OrdersUnavailable> {
    let read = try? await loop.submit { [core] in core.value.read(value) }.get()
    return read ?? .failure(OrdersUnavailable("Livetape is stopping."))
  }

  private func onLoop(_ work: @escaping @Sendable (FollowedLedgerCore) -> Void) {
    if loop.inEventLoop { work(core.value) } else { loop.execute { [core] in work(core.value) } }
  }
}

/// Why orders can't be read or sent.
package struct OrdersUnavailable: Error, Hashable, Sendable {
  /// The text for the user.
  package let userMessage: Sentence

  package init(_ userMessage: Sentence) { self.userMessage = userMessage }
}

private final class FollowedLedgerCore {
  private static let tickMilliseconds: Int64 = 50
  /// The shortest time between news of the venues' markets, which change many times a second.
  private static let marketsMilliseconds: Int64 = 1000
  /// The shortest time between overviews of changed orders.
  private static let ordersMilliseconds: Int64 = 100

  /// A response about an order whose event has not arrived yet.
  private struct Early {
    let order: OrderIdentifier
    let until: MonotonicTime
    let response: OrderResponse
    let reply: @Sendable (OrderResponse) -> Void
  }

  private let bus: any MessageBus
  private let clock: @Sendable () -> ClockReading
  private var follower: LedgerFollower
  private var doubtful = DoubtfulNames()
  private var early: [Early] = []
  private var positions = PositionTeller()
  private var told: (failure: Sentence?, storage: StorageStatus?)?
  /// Whether a venue's market has changed since the latest news, and when that was.
  private var (isMarketNew, marketsToldAt) = (false, MonotonicTime?.none)
  /// The same of the orders.
  private var (isOrderNew, ordersToldAt) = (false, MonotonicTime?.none)
  private var tell: ((TradingNews) -> Void)?
  private var subscriptions: [BusSubscription] = []
  private var timer: LoopTimer?

  init(
    _ rules: TradingRules, bus: any MessageBus, clock: @escaping @Sendable () -> ClockReading
  ) {
    (self.bus, self.clock) = (bus, clock)
    follower = LedgerFollower(rules, at: clock().monotonic)
  }

  private var now: MonotonicTime { clock().monotonic }
  private var failure: Sentence? { follower.failure(at: now) }

  func start(_ tell: @escaping (TradingNews) -> Void) {
    self.tell = tell
    subscriptions = [
      bus.subscribe(LedgerSubjects.events) { [weak self] message in
        guard let self, let piece = LedgerPiece(message.payload) else { return }
        let received = follower.receive(piece, at: now)
        apply(received.isNew, received.ask)
      },
      bus.subscribe(LedgerSubjects.pulse) { [weak self] message in
        guard let self, let pulse = LedgerPulse(message.payload) else { return }
        apply(false, follower.receive(pulse, at: now))
      },
      bus.subscribe(LedgerSubjects.notices) { [weak self] in self?.notice($0) },
      bus.observeLink { [weak self] link in
        self?.follower.receive(link)
        self?.look()
      },
    ]
    timer = LoopTimer(every: FollowedLedgerCore.tickMilliseconds, on: bus.eventLoop) {
      [weak self] in self?.look()
    }
  }

  func stop() {
    timer = nil
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    tell = nil
  }

  func watch(_ input: TradingInput, isStock: Bool) {
    follower.watch(input, at: clock())
    if isStock { tellMarkets() } else { isMarketNew = true }
  }

  private func tellMarkets() {
    (isMarketNew, marketsToldAt) = (false, now)
    if follower.trader.history.openCount > 0, told != nil { tellOverview() }
    tellPosition()
  }

  func read<Value>(
    _ value: (LedgerFollower) -> Value
  ) -> Result<Value, OrdersUnavailable> {
    if let failure { return .failure(OrdersUnavailable(failure)) }
    return .success(value(follower))
  }

  func report(of order: OrderIdentifier) -> OrderReport? { follower.trader.report(of: order) }

  private func rules(of symbol: Symbol?) -> TradingRules {
    symbol.flatMap { follower.trader.rules(of: $0) } ?? follower.trader.rules
  }

  // MARK: News

  private func apply(_ isNew: Bool, _ ask: LedgerFollower.Ask?) {
    if let ask { self.ask(ask) }
    isOrderNew = isOrderNew || isNew
    look()
  }

  /// Reports changes that time alone causes.
  private func look() {
    letGo()
    if isOrderNew, follower.isCurrent, isDue(since: ordersToldAt, Self.ordersMilliseconds) {
      tellOverview()
    }
    if isMarketNew, isDue(since: marketsToldAt, Self.marketsMilliseconds) { tellMarkets() }
    guard told?.failure != failure || told?.storage != follower.storage || told == nil else {
      return
    }
    tellOverview()
  }

  private func isDue(since last: MonotonicTime?, _ milliseconds: Int64) -> Bool {
    last.map { now.milliseconds(since: $0) >= milliseconds } ?? true
  }

  private func tellOverview() {
    guard !follower.isStarting(at: now) else { return }
    (isOrderNew, ordersToldAt) = (false, now)
    let (failure, storage) = (failure, follower.storage)
    told = (failure, storage)
    tell?(
      .overview(
        follower.trader.overview(
          storage: storage, failure: failure, skippedTicks: follower.pulse?.skippedTicks ?? 0,
          knownUntil: knownUntil)))
    tellPosition()
  }

  private func tellPosition() {
    guard told != nil else { return }
    let doubt: Sentence? =
      knownUntil == nil ? nil : "Some orders are still unknown, so this may be incomplete."
    for report in positions.news(of: follower.trader, doubt: doubt, at: clock()) {
      tell?(.position(report))
    }
  }

  private var knownUntil: Timestamp? {
    let now = clock()
    return follower.blindness(at: now.monotonic).map {
      Timestamp(nanoseconds: now.wall.nanoseconds - $0)
    }
  }

  private func notice(_ message: BusMessage) {
    guard let notices = LedgerNotices(message.payload) else { return }
    let known = notices.lines.compactMap { line -> OrderNotice? in
      guard let order = follower.trader.history.order(line.order) else { return nil }
      return OrderNotice(
        line.order, order.request, .told(line.text, isWarning: line.isWarning),
        under: rules(of: order.request.symbol), at: line.time)
    }
    if !known.isEmpty { tell?(.notices(known)) }
  }

  private func ask(_ ask: LedgerFollower.Ask) {
    bus.request(
      LedgerSubjects.history, ByteBuffer(string: "\(ask.after)"),
      timeoutMilliseconds: FollowedLedger.patienceMilliseconds
    ).assumeIsolated().whenComplete { [weak self] result in
      guard let self else { return }
      let received = follower.receiveResponse(
        (try? result.get()).flatMap { LedgerPiece($0) }, at: now)
      apply(received.isNew, received.ask)
    }
  }

  // MARK: Commands

  func submit(
    _ command: ClientCommand, isRepeat: Bool, _ reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    let isDoubtful = isRepeat || command.name.map { doubtful.contains($0) } == true
    guard failure == nil, let pulse = follower.pulse else {
      let reason = failure ?? "The order service does not respond, so no orders are taken."
      return reply(notSent(command, isDoubtful, reason))
    }
    let sent = SentCommand(epoch: pulse.epoch, pulse: pulse.number, command: command)
    bus.request(
      LedgerSubjects.command, sent.bytes,
      timeoutMilliseconds: command.instrument == nil
        ? FollowedLedger.patienceMilliseconds : FollowedLedger.marketPatienceMilliseconds
    ).assumeIsolated().whenComplete { [weak self] result in
      guard let self else { return }
      let response = response(to: command, isDoubtful, result)
      if case .placed(let order, _) = response { return wait(for: order, response, reply) }
      reply(response)
    }
  }

  private func response(
    to command: ClientCommand, _ isDoubtful: Bool, _ result: Result<ByteBuffer, any Error>
  ) -> OrderResponse {
    switch result {
    case .success(let bytes):
      guard let response = OrderResponse(bytes, under: rules(of: command.instrument)) else { break }
      if case .unconfirmed = response { break }
      if let name = command.name { doubtful.remove(name) }
      return response
    case .failure(BusError.noResponders):
      return notSent(
        command, isDoubtful, "The order service does not respond, so nothing was ordered.")
    case .failure(BusError.tooLarge):
      return notSent(command, isDoubtful, "This is too large for the bus.")
    case .failure: break
    }
    if let name = command.name { doubtful.insert(name) }
    return unconfirmed(command)
  }

  /// Nothing was sent this time, but an earlier attempt may have been.
  private func notSent(
    _ command: ClientCommand, _ isDoubtful: Bool, _ reason: Sentence
  ) -> OrderResponse {
    isDoubtful && command.name != nil
      ? unconfirmed(command) : .refused(OrderResponse.Refusal(reason))
  }

  private func unconfirmed(_ command: ClientCommand) -> OrderResponse {
    switch command {
    case .place:
      .unconfirmed(
        "The order service has not responded, so it is not known whether the order was taken.")
    case .amend:
      .unconfirmed(
        "The order service has not responded, so it is not known whether the order was amended.")
    case .cancel:
      .unconfirmed(
        "The order service has not responded, so it is not known whether the order was cancelled.")
    case .cancelAll:
      .unconfirmed(
        """
        The order service has not responded, so it is not known whether the orders were cancelled.
        """)
    case .preview:
      .refused(OrderResponse.Refusal("The order service has not responded. Try again."))
    }
  }

  /// Delays the response until the order can be looked up here.
  private func wait(
    for order: OrderIdentifier, _ response: OrderResponse,
    _ reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    guard follower.trader.history.order(order) == nil else { return reply(response) }
    let until = now.adding(milliseconds: FollowedLedger.patienceMilliseconds)
    early.append(Early(order: order, until: until, response: response, reply: reply))
  }

  private func letGo() {
    guard !early.isEmpty else { return }
    let now = now
    let waiting = early
    early = []
    for one in waiting {
      if follower.trader.history.order(one.order) != nil || now >= one.until {
        one.reply(one.response)
      } else {
        early.append(one)
      }
    }
  }
}
