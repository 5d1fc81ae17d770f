import FeedConnections
import Foundation
import Logging
import MarketModel
import MarketStreams
import NIOCore
import OrderLedger
import OrderService
import PaperTrading
import SharedLedger

/// The orders of a server with its own ledger: order service and feed in this process.
final class OwnOrders: OrderAccess {
  let rules: TradingRules
  let marketObstacle: Sentence? = nil

  private let service: OrderService
  private let feed: ExchangeFeed
  private let markets: OrderMarkets
  private let listener: NIOLoopBoundBox<(@Sendable (TradingNews) -> Void)?>

  /// Prepares a service for the orders in a folder; ``start(feeds:)`` opens them.
  init(
    symbol: Symbol, folder: String, fees: [Venue: FeeRates], latency: OrderLatency,
    loop: any EventLoop, clock: HubClock, logger: Logger,
    committed: @escaping @Sendable (_ nanoseconds: Int64) -> Void = { _ in }
  ) {
    let listener = NIOLoopBoundBox.makeBoxSendingValue(
      nil as (@Sendable (TradingNews) -> Void)?, eventLoop: loop)
    let path = OwnOrders.path(in: folder)
    rules = TradingRules(oneStock: symbol).marked
    let markets = OrderMarkets(
      rules: rules, fees: fees, latency: latency, loop: loop, clock: clock)
    self.markets = markets
    service = OrderService(
      path: path, rules: rules, clock: { clock.now() }, committed: committed
    ) { news in
      OwnOrders.log(news, logger)
      loop.execute {
        OwnOrders.follow(news, in: markets)
        listener.value?(news)
      }
    }
    feed = ExchangeFeed(symbol: symbol, loop: loop, clock: clock)
    self.listener = listener
    logger.notice("orders are kept in \(path)")
  }

  func listen(_ listener: @escaping @Sendable (TradingNews) -> Void) {
    self.listener.value = listener
  }

  func start(feeds: FeedHub) {
    service.start()
    feed.start(feeds: feeds) { [service] in service.receive($0) }
    markets.start(feeds: feeds) { [service] in service.receive($0, of: $1) }
  }

  /// Follows the markets of open orders and positions.
  private static func follow(_ news: TradingNews, in markets: OrderMarkets) {
    switch news {
    case .overview(let overview): markets.keep(open: overview.openMarkets)
    case .position(let report) where report.rules.hasBook:
      markets.hold(report.rules.symbol, isFlat: report.account.quantity == .zero)
    default: break
    }
  }

  func submit(
    _ command: ClientCommand, isRepeat: Bool, reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    guard let market = command.instrument else { return service.submit(command, reply: reply) }
    markets.open(market) { [service] problem in
      if let problem { return reply(.refused(problem)) }
      service.submit(command, reply: reply)
    }
  }

  func reports(before order: OrderIdentifier) async -> Result<[OrderReport], OrdersUnavailable> {
    await service.reports(before: order).mapError { OrdersUnavailable($0.userMessage) }
  }

  func report(of order: OrderIdentifier) async -> OrderReport? { await service.report(of: order) }

  func file(as format: LedgerReader.Format) async -> Result<OrderFile, OrdersUnavailable> {
    await service.file(as: format).mapError { OrdersUnavailable($0.userMessage) }
  }

  func fills() async -> Result<OrderFile, OrdersUnavailable> {
    await service.fills().mapError { OrdersUnavailable($0.userMessage) }
  }

  func shutDown() async {
    feed.stop()
    markets.stop()
    await service.close()
  }

  static func path(in folder: String) -> String {
    URL(fileURLWithPath: folder).appendingPathComponent(OrderLedger.fileName).path
  }

  /// The latest event and its hash, which reveal an older copy of the ledger.
  private static func end(of ledger: LedgerState) -> String {
    "event \(ledger.sequence), hash \(ledger.head)"
  }

  static func log(_ news: TradingNews, _ logger: Logger) {
    switch news {
    case .storage(.some(let error)): logger.warning("orders are refused: \(error)")
    case .storage(nil): logger.notice("orders are taken")
    case .skippedTick(let problem, let number, let count):
      // Logs at powers of two, so that a feed that is wrong all day does not fill the log.
      guard count & (count - 1) == 0 else { return }
      logger.warning("tick \(number) is of no use for orders (\(problem)); \(count) so far")
    case .opened(let ledger):
      if ledger.isNew { logger.notice("began a new ledger: there was none in the data folder") }
      logger.notice("ledger \(ledger.identity) open: \(Self.end(of: ledger))")
    case .closed(let ledger):
      logger.notice("ledger \(ledger.identity) closed: \(Self.end(of: ledger))")
    case .notices, .overview, .position, .stored: break
    }
  }
}
