import FeedConnections
import MarketModel
import MarketStreams
import MessageBus
import NIOCore
import OrderLedger
import OrderService
import PaperTrading
import SharedLedger

/// The orders of a server behind a bus: the order service keeps the ledger, this server the market.
final class FollowedOrders: OrderAccess {
  let rules: TradingRules

  var marketObstacle: Sentence? {
    "With a shared ledger only \(rules.symbol) can be traded so far."
  }

  private let ledger: FollowedLedger
  private let feed: ExchangeFeed
  private let loop: any EventLoop
  private let listener: NIOLoopBoundBox<(@Sendable (TradingNews) -> Void)?>

  init(symbol: Symbol, bus: any MessageBus, clock: HubClock) {
    loop = bus.eventLoop
    rules = TradingRules(oneStock: symbol).marked
    ledger = FollowedLedger(rules, bus: bus) { clock.now() }
    feed = ExchangeFeed(symbol: symbol, loop: bus.eventLoop, clock: clock)
    listener = NIOLoopBoundBox.makeBoxSendingValue(nil, eventLoop: bus.eventLoop)
  }

  func listen(_ listener: @escaping @Sendable (TradingNews) -> Void) {
    self.listener.value = listener
  }

  func start(feeds: FeedHub) {
    ledger.start { [listener] news in listener.value?(news) }
    feed.start(feeds: feeds) { [ledger] in ledger.receive($0) }
  }

  func submit(
    _ command: ClientCommand, isRepeat: Bool, reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    if command.instrument != nil, let marketObstacle {
      return reply(.refused(OrderResponse.Refusal(marketObstacle, isFinal: true)))
    }
    ledger.submit(command, isRepeat: isRepeat, reply: reply)
  }

  func reports(before order: OrderIdentifier) async -> Result<[OrderReport], OrdersUnavailable> {
    await ledger.reports(before: order)
  }

  func report(of order: OrderIdentifier) async -> OrderReport? { await ledger.report(of: order) }

  func file(as format: LedgerReader.Format) async -> Result<OrderFile, OrdersUnavailable> {
    await ledger.history().map { OrderFile($0, under: rules, as: format) }
  }

  func fills() async -> Result<OrderFile, OrdersUnavailable> {
    await ledger.history().map { OrderFile(fillsOf: $0, under: rules) }
  }

  func shutDown() async {
    feed.stop()
    try? await loop.submit { [ledger] in ledger.shutDown() }.get()
  }
}
