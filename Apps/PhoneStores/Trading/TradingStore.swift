package import AppState
package import Combine
import Foundation
package import MarketModel
import MarketStreams
package import OrderLedger
package import OrderService
package import PaperTrading

/// A notification about one order, until the user dismisses it.
package struct OrderNews: Equatable {
  package let order: OrderIdentifier
  /// Sentences, oldest first.
  package var texts: [Sentence]
  /// Whether less than the requested quantity was filled.
  package var isWarning: Bool
  package var time: Timestamp
}

/// The user's orders and positions in all markets: the server's order service and ledger, fed with
/// the exchange's ticks and the books and trades of other markets, open while the app is in front.
@MainActor package final class TradingStore: ObservableObject {
  @Published package private(set) var orders = OrdersScreen().state
  /// Order notifications, latest first.
  @Published package private(set) var news: [OrderNews] = []
  @Published package private(set) var cancelling: Set<OrderIdentifier> = []
  /// Cancellations that can still be undone.
  @Published package private(set) var held: [OrderIdentifier: FeedClient.Observation] = [:]
  @Published package private(set) var complaint: Sentence?
  @Published package private(set) var positions: PositionsState

  /// Shows news of an order where no ticket does.
  var notify: (_ title: String, _ text: String) -> Void = LocalNotice.post
  /// Requests the permission for that.
  var askPermission: () -> Void = LocalNotice.ask
  /// The number of visible screens with a ticket, which shows the news.
  package var tickets = 0

  /// How long a swiped order's cancellation can be undone.
  static let undoMilliseconds: Int64 = 4000

  package let symbol: Symbol
  package let rules: TradingRules
  private let place: LedgerPlace
  private let feeds: FeedClient
  private var screen = OrdersScreen()
  private var account: PositionsScreen
  private var markets: PhoneMarkets?
  /// Whether an order acts after the venue's measured latency.
  package var measuresLatency = true { didSet { markets?.latency = latency } }
  private var feed: ExchangeFeedGate
  private var service: OrderService?
  private var opening: Task<Void, Never>?
  private var closing: Task<Void, Never>?
  private var observations: [FeedClient.Observation] = []

  /// Prepares the orders of the listed stock; touches no file before ``open()``.
  package init(symbol: Symbol, place: LedgerPlace, feeds: FeedClient) {
    (self.symbol, self.place, self.feeds) = (symbol, place, feeds)
    rules = TradingRules(oneStock: symbol)
    feed = ExchangeFeedGate(symbol: symbol)
    account = PositionsScreen(symbol: symbol)
    positions = account.state
  }

  // MARK: Opening and closing

  /// Opens the ledger and follows the exchange; when the file can't be opened, orders are rejected
  /// with the reason.
  package func open() {
    guard service == nil else { return }
    let service = makeService()
    self.service = service
    markets = PhoneMarkets(rules: rules, feeds: feeds) { [weak service] in
      service?.receive($0, of: $1)
    }
    markets?.latency = latency
    feed = ExchangeFeedGate(symbol: symbol)
    // The file has one writer: the previous service must have closed it.
    let closing = closing
    opening = Task { [weak self] in
      await closing?.value
      guard let self, self.service === service else { return }
      service.start()
      follow(service)
    }
  }

  /// Finishes pending work and closes the ledger; open orders stay in the file.
  package func close() {
    guard let service else { return }
    self.service = nil
    observations = []
    markets?.end()
    markets = nil
    // An unanswered cancellation may not have been sent yet; a second one has no effect.
    let unsent = cancelling.union(held.keys).sorted()
    (cancelling, held) = ([], [:])
    let opening = opening
    closing = Task {
      await opening?.value
      for order in unsent { service.submit(.cancel(order)) { _ in } }
      await service.close()
    }
  }

  /// Opens the ledger again after an open or write error.
  package func retry() {
    close()
    open()
  }

  package func closed() async { await closing?.value }

  private var latency: OrderLatency { measuresLatency ? .measured : .fixed(milliseconds: 0) }

  private func makeService() -> OrderService {
    let box = NewsBox()
    let service = OrderService(path: place.path, rules: rules, clock: place.clock) { news in
      DispatchQueue.main.async { MainActor.assumeIsolated { box.handler?(news) } }
    }
    box.handler = { [weak self, weak service] news in
      // A closed service's last events are ignored: its successor reads them from the file.
      guard let self, let service, self.service === service else { return }
      hear(news)
    }
    return service
  }

  private func follow(_ service: OrderService) {
    observations = [
      feeds.observeConnections { [weak self] in self?.tell(service, .connection($0)) }
    ]
    observations.append(
      feeds.observeEvents(feed.wanted) { [weak self] in self?.tell(service, .event($0, $1)) })
    observations += feed.wanted.map { key in
      feeds.observe(key) { [weak self] in self?.tell(service, .value(key, $0)) }
    }
  }

  private func tell(_ service: OrderService, _ input: StreamInput) {
    if let update = feed.receive(input, at: feeds.now()) { service.receive(update) }
  }

  // MARK: Commands

  /// Sends a command to the service; rejects it while the app is closing.
  package func response(to command: ClientCommand) async -> OrderResponse {
    await opening?.value
    if let market = command.instrument, let problem = await markets?.ready(market) {
      return .refused(problem)
    }
    guard let service else {
      return .refused(OrderResponse.Refusal("The app is closed. Nothing was ordered."))
    }
    return await service.response(to: command)
  }

  /// Stops following the markets without an open order or a position.
  package func leaveMarkets() { markets?.endUnused() }

  /// Cancels an order once it can no longer be undone.
  package func hold(_ order: OrderIdentifier) {
    complaint = nil
    held[order] = feeds.schedule(Self.undoMilliseconds) { [weak self] in self?.cancel(order) }
  }

  package func undo(_ order: OrderIdentifier) { held[order] = nil }

  /// Sends the cancellations that can still be undone, since the user leaves their screen.
  package func sendHeld() { held.keys.sorted().forEach(cancel) }

  package func cancel(_ order: OrderIdentifier) {
    held[order] = nil
    guard cancelling.insert(order).inserted else { return }
    complaint = nil
    Task {
      let answer = await response(to: .cancel(order))
      cancelling.remove(order)
      if case .refused(let refusal) = answer {
        complaint = "Order \(order): \(refusal.message)"
      }
    }
  }

  /// Closes a position at the market.
  package func close(_ position: PositionsState) {
    guard let name = ClientOrderIdentifier("phone-" + UUID().uuidString) else { return }
    complaint = nil
    let ticket = OrderTicket(
      clientIdentifier: name, instrument: position.symbol == rules.symbol ? nil : position.symbol,
      side: position.isShort ? .buy : .sell, kind: .market, quantity: position.size.description,
      terms: OrderTerms(isReduceOnly: true))
    Task {
      if case .refused(let refusal) = await response(to: .place(ticket)) {
        complaint = refusal.message
      }
    }
  }

  /// Amends an open order; returns the refusal, nil when it is done.
  package func amend(_ ticket: AmendTicket) async -> OrderResponse.Refusal? {
    switch await response(to: .amend(ticket)) {
    case .refused(let refusal): refusal
    case .unconfirmed(let reason): OrderResponse.Refusal(reason)
    default: nil
    }
  }

  /// Cancels these open orders, which the user has seen.
  package func cancel(_ rows: [OrderRowState]) {
    guard let newest = rows.map(\.id).max(), rows.count == orders.openCount else {
      return rows.map(\.id).forEach(cancel)
    }
    (complaint, held) = (nil, [:])
    Task {
      let answer = await response(to: .cancelAll(through: newest))
      if case .refused(let refusal) = answer { complaint = refusal.message }
    }
  }

  package func dismiss(_ order: OrderIdentifier) { news.removeAll { $0.order == order } }

  package var filter: OrdersFilter {
    get { orders.filter }
    set {
      _ = screen.perform(.show(newValue), at: feeds.now())
      orders = screen.state
    }
  }

  package var search: String {
    get { orders.search }
    set {
      _ = screen.perform(.search(newValue), at: feeds.now())
      orders = screen.state
    }
  }

  /// All orders as a file, or why it could not be made.
  package func file(as format: LedgerReader.Format) async -> Result<
    OrderFile, OrderResponse.Refusal
  > {
    await opening?.value
    guard let service else { return .failure(OrderResponse.Refusal("The app is closed.")) }
    return await service.file(as: format).mapError { OrderResponse.Refusal($0.userMessage) }
  }

  // MARK: Notifications

  private func hear(_ message: TradingNews) {
    switch message {
    case .overview(let overview):
      _ = screen.receive(.orders(overview), at: feeds.now())
      if orders != screen.state { orders = screen.state }
      markets?.keep(open: overview.openMarkets)
    case .notices(let notices): notices.forEach(note)
    case .position(let report):
      _ = account.receive(.position(report), at: feeds.now())
      if positions != account.state { positions = account.state }
      if report.rules.hasBook {
        markets?.hold(report.rules.symbol, isFlat: report.account.quantity == .zero)
      }
    case .storage, .skippedTick, .stored, .opened, .closed: break
    }
  }

  private func note(_ notice: OrderNotice) {
    var entry =
      news.first { $0.order == notice.order }
      ?? OrderNews(order: notice.order, texts: [], isWarning: false, time: notice.time)
    entry.texts = Array(
      (entry.texts + [notice.text]).suffix(NoticeHistory.maximumTexts))
    entry.isWarning = entry.isWarning || notice.isWarning
    entry.time = notice.time
    let others = news.filter { $0.order != notice.order }
    news = Array(([entry] + others).prefix(NoticeHistory.maximumOrders))
    if case .rests = notice.news { askPermission() }
    if tickets == 0 {
      notify(Locale.current.text("Order \(notice.order)"), Locale.current.text(notice.text))
    }
  }
}

/// Links a service to its store, which exists only once the service does.
@MainActor private final class NewsBox {
  var handler: ((TradingNews) -> Void)?
}
