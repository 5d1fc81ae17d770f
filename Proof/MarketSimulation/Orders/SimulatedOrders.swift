import FeedConnections
import MarketModel
import MarketStreams
import NIOCore
import OrderLedger
import OrderService
import PaperTrading
import VenueCatalogue

/// The order service without its thread: the same parts, in the order in which `OrderService` calls
/// them.
///
/// A commit takes as long as the disk does; later items go into the next commit.
final class SimulatedOrders {
  /// The minimum time between two attempts to read the disk, in milliseconds.
  private static let retryMilliseconds: Int64 = 1000
  /// The maximum number of waiting items: commands, and ticks and states of the feed.
  private static let maximumItems = 1024 + 4096

  let rules = TradingRules(oneStock: ExchangeCatalogue.symbol).marked
  private let time: SimulationTime
  private let feeds: FeedHub
  private let pages: SimulatedPages
  private let report: (SimulationEvent) -> Void
  private var random: SplitMix64

  private var gate = ExchangeFeedGate(symbol: ExchangeCatalogue.symbol)
  private var observations: [FeedObservation] = []
  private var items: [CommandQueue.Item] = []
  private(set) var trader: PaperTrader
  private var disk: MemoryDisk
  private var isOpen = false
  private var failure: LedgerError?
  private var triedAt: Int64?
  private var freshness = FreshnessState.waiting
  private var skippedTicks: UInt64 = 0
  private var audit = OrderAudit()
  /// The duration of a commit, in milliseconds; 0 for at once.
  var commitMilliseconds: Int64 = 0
  private var isCommitting = false
  /// Increases with each crash: earlier pending work never completes.
  private var life = 0
  private var replayed: [Int] = []
  /// The acknowledged orders, by their client names.
  private var acknowledged: [String: OrderIdentifier] = [:]

  init(
    feeds: FeedHub, pages: SimulatedPages, time: SimulationTime, seed: UInt64,
    mistake: PlantedMistake?,
    report: @escaping (SimulationEvent) -> Void
  ) {
    self.feeds = feeds
    self.pages = pages
    self.time = time
    self.report = report
    random = SplitMix64(seed: seed)
    disk = MemoryDisk(forgets: mistake == .diskForgets)
    trader = PaperTrader(rules: rules)
  }

  /// Follows the exchange, as `OwnOrders` does.
  func start() {
    let orders = NIOLoopBound(self, eventLoop: time.loop)
    observations = [
      feeds.observeEvents(gate.wanted) { key, event, arrival in
        orders.value.take(.event(key, event), at: arrival)
      },
      feeds.observe(gate.wanted) { key, value in
        orders.value.take(.value(key, value), at: orders.value.time.reading)
      },
      feeds.observeConnections { status in
        orders.value.take(.connection(status), at: orders.value.time.reading)
      },
    ]
    add(.feed(.freshness(.waiting), of: rules.symbol))
  }

  func end() {
    for observation in observations { observation.cancel() }
    observations = []
    items = []
  }

  private func take(_ input: StreamInput, at now: ClockReading) {
    switch gate.receive(input, at: now) {
    case .tick(let tick, let number, let lateAt)?: receive(tick, number, lateAt)
    case .unreadable?: add(.feed(.unreadable, of: rules.symbol))
    case .freshness(let state, let lateAt)?:
      add(.feed(.freshness(state, lateAt: lateAt), of: rules.symbol))
    case nil: break
    }
  }

  private func receive(_ tick: MarketTick, _ number: UInt64, _ lateAt: MonotonicTime?) {
    do throws(SnapshotProblem) {
      add(
        .feed(
          .tick(try rules.snapshot(tick, number: number), lateAt: lateAt), of: rules.symbol))
    } catch {
      add(.feed(.unusable(error, number: number), of: rules.symbol))
    }
  }

  func submit(_ command: ClientCommand, _ reply: @escaping @Sendable (OrderResponse) -> Void) {
    let orders = NIOLoopBound(self, eventLoop: time.loop)
    add(
      .command(command) { response in
        orders.value.acknowledge(response, to: command)
        reply(response)
      })
  }

  // MARK: Trouble

  func fillDisk(milliseconds: Int64) {
    disk.isFull = true
    time.after(milliseconds: milliseconds) { [weak self] in self?.disk.isFull = false }
  }

  func heal() {
    disk.isFull = false
    commitMilliseconds = 0
  }

  /// Ends and restarts the service: unacknowledged commands are lost, acknowledged ones must be on
  /// disk.
  func crash() {
    life += 1
    report(.step("crash", life, []))
    // An unacknowledged write may be there or not.
    disk.crash(keepsLatest: random.below(2) == 0)
    audit = OrderAudit()
    items = []
    isCommitting = false
    isOpen = false
    failure = nil
    triedAt = nil
    freshness = .waiting
    trader = PaperTrader(rules: rules)
    gate = ExchangeFeedGate(symbol: ExchangeCatalogue.symbol)
    for observation in observations { observation.cancel() }
    start()
  }

  // MARK: Work

  private func add(_ item: CommandQueue.Item) {
    items.append(item)
    if items.count > SimulatedOrders.maximumItems {
      report(.finding(.bounds, "\(items.count) items wait for the disk"))
    }
    if !isCommitting { work() }
  }

  private func work() {
    guard !items.isEmpty else { return }
    let batchItems = items
    items = []
    let now = time.reading
    openIfNeeded(at: now)
    handle(batchItems, at: now)
  }

  private func openIfNeeded(at now: ClockReading) {
    guard !isOpen else { return }
    if let triedAt, time.milliseconds - triedAt < SimulatedOrders.retryMilliseconds { return }
    triedAt = time.milliseconds
    do throws(OrderEventProblem) {
      let history = try OrderHistory(replaying: disk.events)
      trader = PaperTrader(rules: rules, history: history)
      _ = trader.handle(.feed(.freshness(freshness), of: rules.symbol), at: now)
      isOpen = true
      failure = nil
      audit = OrderAudit()
      check()
    } catch {
      report(.finding(.orders, "what is on disk can't be replayed: \(error)"))
    }
  }

  private func handle(_ items: [CommandQueue.Item], at now: ClockReading) {
    var batches: [CommandBatch] = []
    var batch = newBatch
    for item in items {
      if batch.isEnded(before: item) {
        batches.append(decided(batch, at: now))
        batch = newBatch
      }
      if case .feed(.unusable, _) = item { skippedTicks += 1 }
      batch.add(item)
    }
    batches.append(decided(batch, at: now))
    freshness = trader.freshness
    guard commitMilliseconds > 0, batches.contains(where: { !$0.inputs.isEmpty }) else {
      return finish(batches)
    }
    isCommitting = true
    let mine = life
    time.after(milliseconds: commitMilliseconds) { [weak self] in
      guard let self, life == mine else { return }
      isCommitting = false
      finish(batches)
      work()
    }
  }

  private var newBatch: CommandBatch {
    CommandBatch(
      trader: trader, refusal: isOpen ? nil : failure?.userMessage, now: time.reading.wall)
  }

  private func decided(_ batch: CommandBatch, at now: ClockReading) -> CommandBatch {
    var batch = batch
    guard !batch.inputs.isEmpty else { return batch }
    do throws(LedgerError) {
      batch.decisions = try trader.handle(batch.inputs, at: now) {
        (events) throws(LedgerError) in try append(events)
      }
    } catch {
      failure = error
      isOpen = false
      triedAt = time.milliseconds
      batch.failure = error.userMessage
    }
    return batch
  }

  private func append(_ events: [OrderEvent]) throws(LedgerError) {
    guard isOpen else { throw failure ?? .notFound(path: "memory") }
    try disk.append(events)
  }

  private func finish(_ batches: [CommandBatch]) {
    disk.settle()
    check()
    for batch in batches {
      batch.respond(trader)
      let notices = batch.decisions.flatMap(\.notices)
      if !notices.isEmpty { pages.receive(notices) }
    }
    guard batches.contains(where: { batch in batch.decisions.contains { !$0.events.isEmpty } })
    else { return }
    let storage = StorageStatus(
      eventCount: trader.history.lastSequence, head: "", isIntact: true)
    pages.receive(
      trader.overview(
        storage: isOpen ? storage : nil, failure: failure?.userMessage, skippedTicks: skippedTicks))
    pages.receive(trader.position(minutes: EquityLine()))
  }

  // MARK: Rules

  private func acknowledge(_ response: OrderResponse, to command: ClientCommand) {
    guard case .place(let ticket) = command, case .placed(let order, _) = response else { return }
    let name = ticket.clientIdentifier.text
    report(.step("acknowledge \(name)", Int(order.number), []))
    let before = acknowledged.updateValue(order, forKey: name)
    if let before, before != order {
      find("\(name): expected order \(before) again, found \(order)")
    }
  }

  /// Everything acknowledged is on disk, and every sum matches the events.
  private func check() {
    if let problem = audit.take(disk.events) { return find(problem) }
    guard isOpen else { return }
    if let problem = audit.difference(from: trader.history, of: rules.symbol) { find(problem) }
  }

  /// Everything ever acknowledged is in what a restart would read now; checked when there is
  /// anything new.
  func checkReplay() {
    let extent = [disk.events.count, acknowledged.count, life, isOpen && !isCommitting ? 1 : 0]
    guard extent != replayed else { return }
    replayed = extent
    guard let history = try? OrderHistory(replaying: disk.events) else {
      return find("what is on disk can't be replayed")
    }
    for name in acknowledged.keys.sorted() {
      guard let identifier = ClientOrderIdentifier(name),
        history.order(named: identifier)?.identifier == acknowledged[name]
      else { return find("\(name) was acknowledged and is not on disk") }
    }
    if isOpen, !isCommitting, history.stateHash != trader.stateHash {
      find("expected the state \(trader.stateHash) after a replay, found \(history.stateHash)")
    }
  }

  var acknowledgedCount: Int { acknowledged.count }

  var isReady: Bool { isOpen && !isCommitting }

  private func find(_ evidence: String) { report(.finding(.orders, evidence)) }
}

/// Durable order events.
struct MemoryDisk {
  private(set) var events: [OrderEvent] = []
  var isFull = false
  /// The number of events before the latest write, which a crash within it leaves.
  private var before = 0
  /// A planted mistake: every tenth event is lost without an error.
  let forgets: Bool
  private var written = 0

  init(forgets: Bool) { self.forgets = forgets }

  /// Writes events, all or none.
  mutating func append(_ new: [OrderEvent]) throws(LedgerError) {
    guard !isFull else { throw .diskFull(path: "memory") }
    before = events.count
    for event in new {
      written += 1
      if forgets, written % 10 == 0 { continue }
      events.append(event)
    }
  }

  mutating func settle() { before = events.count }

  /// Ends the process within the latest write, which is kept or lost.
  mutating func crash(keepsLatest: Bool) {
    if !keepsLatest { events.removeLast(events.count - before) }
    before = events.count
  }
}
