// The person's orders: the same desk and ledger as the server's, fed with every tick of the
// exchange, open while the app is in front.

import AppState
import Combine
import Foundation
import MarketModel
import OrderLedger
import PaperTrading

/// News of one order, until the person puts it away.
struct OrderNews: Equatable {
  let order: OrderIdentifier
  /// Sentences, oldest first.
  var texts: [String]
  /// Whether the person got less than was asked for.
  var isWarning: Bool
  var time: Timestamp
}

/// The orders, and the door to the desk.
@MainActor final class TradingStore: ObservableObject {
  /// The history.
  @Published private(set) var orders = OrdersScreen().state
  /// News of orders, the latest first.
  @Published private(set) var news: [OrderNews] = []
  /// Orders whose cancellation is under way.
  @Published private(set) var cancelling: Set<OrderIdentifier> = []
  /// Why the latest cancellation was refused.
  @Published private(set) var complaint: String?

  let symbol: Symbol
  let rules: TradingRules
  private let place: LedgerPlace
  private let feeds: FeedClient
  private var screen = OrdersScreen()
  private var feed: DeskFeed
  private var desk: TradingDesk?
  private var opening: Task<Void, Never>?
  private var closing: Task<Void, Never>?
  private var observations: [FeedClient.Observation] = []

  /// Prepares the orders of the listed stock; nothing is touched before ``open()``.
  init(symbol: Symbol, place: LedgerPlace, feeds: FeedClient) {
    (self.symbol, self.place, self.feeds) = (symbol, place, feeds)
    rules = TradingRules(oneStock: symbol)
    feed = DeskFeed(symbol: symbol)
  }

  // MARK: Opening and closing

  /// Opens the ledger and follows the exchange; when the file can't be opened, orders are refused
  /// with the reason.
  func open() {
    guard desk == nil else { return }
    let desk = makeDesk()
    self.desk = desk
    feed = DeskFeed(symbol: symbol)
    // The file has one writer: the desk before this one must have let go of it.
    let closing = closing
    opening = Task { [weak self] in
      await closing?.value
      guard let self, self.desk === desk else { return }
      desk.start()
      follow(desk)
    }
  }

  /// Finishes what is under way and closes the ledger; what waits goes on waiting in the file.
  func close() {
    guard let desk else { return }
    self.desk = nil
    observations = []
    cancelling = []
    let opening = opening
    closing = Task {
      await opening?.value
      await desk.close()
    }
  }

  /// Opens the ledger anew, after it could not be opened or written.
  func retry() {
    close()
    open()
  }

  /// Waits until the ledger is closed.
  func closed() async { await closing?.value }

  private func makeDesk() -> TradingDesk {
    let box = NewsBox()
    let desk = TradingDesk(path: place.path, rules: rules, clock: place.clock) { news in
      DispatchQueue.main.async { MainActor.assumeIsolated { box.handler?(news) } }
    }
    box.handler = { [weak self, weak desk] news in
      // What a desk that was closed had still to say, its successor reads from the file.
      guard let self, let desk, self.desk === desk else { return }
      hear(news)
    }
    return desk
  }

  private func follow(_ desk: TradingDesk) {
    observations = [feeds.observeConnections { [weak self] in self?.tell(desk, .connection($0)) }]
    observations.append(
      feeds.observeEvents(feed.wanted) { [weak self] in self?.tell(desk, .event($0, $1)) })
    observations += feed.wanted.map { key in
      feeds.observe(key) { [weak self] in self?.tell(desk, .value(key, $0)) }
    }
  }

  private func tell(_ desk: TradingDesk, _ input: ScreenInput) {
    switch feed.receive(input, at: feeds.now()) {
    case .tick(let tick, let number, let lateAt)?:
      desk.receive(tick, number: number, lateAt: lateAt)
    case .freshness(let state, let lateAt)?: desk.receive(state, lateAt: lateAt)
    case nil: break
    }
  }

  // MARK: Asking

  /// Asks the desk; while the app is closing, nothing is taken.
  func answer(to wish: TradingWish) async -> TradingAnswer {
    await opening?.value
    guard let desk else {
      return .refused(TradingAnswer.Refusal("The app is closed. Nothing was ordered."))
    }
    return await desk.answer(to: wish)
  }

  /// Cancels an order; the history shows it when it is done.
  func cancel(_ order: OrderIdentifier) {
    guard cancelling.insert(order).inserted else { return }
    complaint = nil
    Task {
      let answer = await answer(to: .cancel(order))
      cancelling.remove(order)
      if case .refused(let refusal) = answer { complaint = refusal.message }
    }
  }

  /// Cancels every order that waits, as far as the person has seen them.
  func cancelAll() {
    guard let newest = orders.openRows.map(\.id).max(by: { $0.number < $1.number }) else { return }
    complaint = nil
    Task {
      let answer = await answer(to: .cancelAll(through: newest))
      if case .refused(let refusal) = answer { complaint = refusal.message }
    }
  }

  /// Puts the news of an order away.
  func dismiss(_ order: OrderIdentifier) { news.removeAll { $0.order == order } }

  /// Which orders the history shows.
  var filter: OrdersFilter {
    get { orders.filter }
    set {
      _ = screen.perform(.show(newValue), at: feeds.now())
      orders = screen.state
    }
  }

  /// What the person looks for in the history.
  var search: String {
    get { orders.search }
    set {
      _ = screen.perform(.search(newValue), at: feeds.now())
      orders = screen.state
    }
  }

  /// All orders as a file, or why there is none.
  func file(as format: LedgerReader.Format) async -> Result<OrderFile, TradingAnswer.Refusal> {
    await opening?.value
    guard let desk else { return .failure(TradingAnswer.Refusal("The app is closed.")) }
    return await desk.file(as: format).mapError { TradingAnswer.Refusal($0.userMessage) }
  }

  // MARK: Hearing

  private func hear(_ message: TradingNews) {
    switch message {
    case .overview(let overview):
      _ = screen.receive(.orders(overview), at: feeds.now())
      if orders != screen.state { orders = screen.state }
    case .notices(let notices): notices.forEach(note)
    case .storage, .skippedTick: break
    }
  }

  private func note(_ notice: OrderNotice) {
    var entry =
      news.first { $0.order == notice.order }
      ?? OrderNews(order: notice.order, texts: [], isWarning: false, time: notice.time)
    entry.texts = Array((entry.texts + [notice.text(under: rules)]).suffix(NoticeHistory.maximumTexts))
    entry.isWarning = entry.isWarning || notice.isWarning
    entry.time = notice.time
    let others = news.filter { $0.order != notice.order }
    news = Array(([entry] + others).prefix(NoticeHistory.maximumOrders))
  }
}

/// Joins a desk to the store that made it, which is known only once the desk is there.
@MainActor private final class NewsBox {
  var handler: ((TradingNews) -> Void)?
}
