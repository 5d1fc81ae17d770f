public import MarketModel
public import PriceAlerts
import MarketStreams
import NIOCore
import SocketTransport

/// Watches markets for the user, with or without an open page (LT11); one per feed hub.
///
/// Shows no trigger before it is persisted. Runs on the hub's event loop.
public final class AlertService: Sendable {
  /// Persists the alerts, then reports an error or nil on any queue; false if it never can.
  public typealias Keep =
    @Sendable (AlertBook, @escaping @Sendable (Sentence?) -> Void) -> Bool

  /// Delivers a firing outside the page, and reports on any thread why that failed, if it did.
  public typealias Deliver =
    @Sendable (AlertFiring, _ failed: @escaping @Sendable (Sentence) -> Void) -> Void

  /// The interval of persisting, in seconds: the most that is unwatched after a crash.
  static let markEverySeconds: Int64 = 5
  /// The interval at which times without events are applied, in seconds.
  static let advanceEverySeconds: Int64 = 1

  private let feeds: FeedHub
  private let clock: HubClock
  private let keep: Keep
  private let deliver: Deliver
  private let end: @Sendable () async -> Void
  private let box: NIOLoopBoundBox<State>

  private struct State {
    var book: AlertBook
    var problem: Sentence?
    /// The book that pages have.
    var shown: AlertBook
    /// The number of the latest firing that was handed to receivers outside the page.
    var delivered: Int
    var failures: [Int: DeliveryFailure] = [:]
    var listener: (@Sendable (AlertsState) -> Void)?
    var events: [InstrumentKey: FeedObservation] = [:]
    /// Instruments whose latest trades before the first event are still to be applied.
    var beginnings: [InstrumentKey: FeedObservation] = [:]
    /// Order books and best prices that alerts need.
    var books: [InstrumentKey: FeedObservation] = [:]
    var statuses: [Venue: ConnectionStatus] = [:]
    var connections: FeedObservation?
    var timers: [RepeatedTask] = []
    var isOver = false
  }

  /// Creates a service; nothing is followed before ``start(_:)``.
  ///
  /// `deliver` gets each firing once it is persisted, and none from before the start.
  /// `kept` are the persisted alerts, `problem` is why they may not be persisted from now on.
  /// `keep` persists them and `close` waits until that is done; `clock` is the hub's.
  public init(
    feeds: FeedHub, kept: AlertBook, problem: Sentence?, clock: HubClock = .live,
    deliver: @escaping Deliver = { _, _ in }, keep: @escaping Keep,
    close: @escaping @Sendable () async -> Void
  ) {
    (self.feeds, self.clock, self.keep, end) = (feeds, clock, keep, close)
    self.deliver = deliver
    box = NIOLoopBoundBox.makeBoxSendingValue(
      State(
        book: kept, problem: problem, shown: kept, delivered: kept.firings.last?.number ?? 0),
      eventLoop: feeds.eventLoop)
  }

  /// Follows the instruments with alerts; once, on the loop.
  ///
  /// The listener receives the alerts at once, and each change after it is persisted.
  public func start(_ listener: @escaping @Sendable (AlertsState) -> Void) {
    box.value.listener = listener
    box.value.book.resume(at: clock.now().wall)
    show(box.value.book)
    follow()
    box.value.connections = feeds.observeConnections { status in
      self.feeds.eventLoop.perform { self.take(status) }
    }
    let pace = TimeAmount.seconds(AlertService.markEverySeconds)
    let step = TimeAmount.seconds(AlertService.advanceEverySeconds)
    let loop = feeds.eventLoop
    box.value.timers = [
      loop.scheduleRepeatedTask(initialDelay: pace, delay: pace) { _ in
        if !self.box.value.book.followed.isEmpty { self.save() }
      },
      loop.scheduleRepeatedTask(initialDelay: step, delay: step) { _ in
        self.finish(self.box.value.book.advance(to: self.clock.now().wall))
      },
    ]
  }

  /// Applies a command, on the loop; returns why it failed, or nil.
  public func perform(_ command: AlertCommand) -> AlertProblem? {
    do throws(AlertProblem) {
      try command.apply(to: &box.value.book, at: clock.now().wall)
    } catch {
      return error
    }
    if case .edit(let id, _, _, _) = command { box.value.failures[id] = nil }
    follow()
    for status in box.value.statuses.values { judge(status) }
    save()
    return nil
  }

  /// Stops following the feeds and persists the final state.
  public func close() async {
    try? await feeds.eventLoop.submit {
      guard !self.box.value.isOver else { return }
      self.save()
      self.box.value.isOver = true
      self.box.value.timers.forEach { $0.cancel() }
      self.box.value.connections = nil
      (self.box.value.events, self.box.value.beginnings, self.box.value.books) = ([:], [:], [:])
    }.get()
    await end()
  }

  // MARK: On the loop

  private func follow() {
    let followed = box.value.book.followed
    for instrument in box.value.events.keys where !followed.contains(instrument) {
      box.value.events[instrument] = nil
      box.value.beginnings[instrument] = nil
    }
    for instrument in followed where box.value.events[instrument] == nil {
      guard let key = CandleStream.key(of: instrument) else { continue }
      box.value.beginnings[instrument] = feeds.observe([key]) { _, _ in
        self.feeds.eventLoop.perform { self.begin(instrument) }
      }
      box.value.events[instrument] = feeds.observeEvents([key]) { _, event, now in
        self.feeds.eventLoop.perform { self.take(event, of: instrument, at: now.wall) }
      }
      begin(instrument)
    }
    followBooks()
  }

  /// A book counts as invalid until its first value.
  private func followBooks() {
    let followed = box.value.book.followedBooks
    box.value.books = box.value.books.filter { followed.contains($0.key) }
    for instrument in followed where box.value.books[instrument] == nil {
      guard let key = AlertBookState.key(of: instrument) else { continue }
      _ = box.value.book.receive(.invalid, of: instrument, at: clock.now().wall)
      box.value.books[instrument] = feeds.observe([key]) { _, value in
        self.feeds.eventLoop.perform { self.take(value, of: instrument) }
      }
    }
  }

  private func take(_ value: MarketValue, of instrument: InstrumentKey) {
    guard !box.value.isOver, box.value.books[instrument] != nil, let state = AlertBookState(value)
    else { return }
    finish(box.value.book.receive(state, of: instrument, at: clock.now().wall))
  }

  /// Applies the latest trades before the first event, once available.
  private func begin(_ instrument: InstrumentKey) {
    guard box.value.beginnings[instrument] != nil, let key = CandleStream.key(of: instrument),
      let value = feeds.value(of: key)
    else { return }
    let now = clock.now().wall
    switch value {
    case .trades(let tape) where !tape.trades.isEmpty:
      box.value.beginnings[instrument] = nil
      finish(box.value.book.receive(tape, of: instrument, at: now))
    case .quote(let quote):
      guard let last = quote.price else { return }
      box.value.beginnings[instrument] = nil
      let trade = AlertTrade(last: last, at: now)
      finish(box.value.book.receive(trade, of: instrument, at: now))
    default: break
    }
  }

  private func take(_ event: MarketEvent, of instrument: InstrumentKey, at now: Timestamp) {
    guard !box.value.isOver else { return }
    // The value already includes the event, behind earlier trades.
    begin(instrument)
    switch event {
    case .trade(let trade, let scale, let sizes):
      finish(
        box.value.book.receive(
          AlertTrade(trade, scale: scale, sizes: sizes), of: instrument, at: now))
    case .tick(let tick, let number):
      finish(
        box.value.book.receive(
          AlertTrade(tick, number: number, at: now), of: instrument, at: now))
    case .missed, .unreadable:
      box.value.book.lose(instrument, since: now)
      box.value.book.see(instrument, at: now)
    }
  }

  private func finish(_ firings: [AlertFiring]) {
    guard !firings.isEmpty else { return }
    follow()
    save()
  }

  private func take(_ status: ConnectionStatus) {
    let before = box.value.statuses.updateValue(status, forKey: status.venue)
    guard !box.value.isOver, before?.phase != status.phase else { return }
    let blind = box.value.book.blindTimes
    judge(status)
    if box.value.book.blindTimes != blind { save() }
  }

  /// Silence alone is not an interruption; if it becomes one, that counts from the last message.
  private func judge(_ status: ConnectionStatus) {
    let now = clock.now().wall
    let instruments = box.value.book.followed.filter { $0.venue == status.venue }
    for instrument in instruments {
      switch status.phase {
      case .live: box.value.book.see(instrument, at: now)
      case .stale: break
      default:
        box.value.book.lose(instrument, since: min(status.lastMessage?.wall ?? now, now))
      }
    }
  }

  private func save() {
    guard !box.value.isOver else { return }
    box.value.book.mark(at: clock.now().wall)
    let book = box.value.book
    let isTried = keep(book) { problem in
      self.feeds.eventLoop.execute {
        self.box.value.problem = problem
        self.show(book)
      }
    }
    if !isTried { show(book) }
  }

  private func show(_ book: AlertBook) {
    box.value.shown = book
    let ids = Set(book.alerts.map(\.id))
    box.value.failures = box.value.failures.filter { ids.contains($0.key) }
    box.value.listener?(
      AlertsState(book, problem: box.value.problem, failures: box.value.failures))
    for firing in book.firings where firing.number > box.value.delivered {
      box.value.delivered = firing.number
      deliver(firing) { reason in
        self.feeds.eventLoop.perform { self.note(reason, of: firing.alert) }
      }
    }
  }

  private func note(_ reason: Sentence, of alert: Int) {
    let count = box.value.failures[alert]?.count ?? 0
    box.value.failures[alert] = DeliveryFailure(count: count + 1, reason: reason)
    show(box.value.shown)
  }
}
