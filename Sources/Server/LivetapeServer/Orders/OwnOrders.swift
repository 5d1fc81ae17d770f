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

/// Orders with their ledger and their markets in this process.
final class OwnOrders: OrderAccess {
  let rules: TradingRules

  private let service: OrderService
  private let feed: ExchangeFeed
  private let markets: OrderMarkets
  private let listener: NIOLoopBoundBox<(@Sendable (TradingNews) -> Void)?>

  /// Prepares a service for the orders in a folder; ``start(feeds:)`` opens them.
  ///
  /// `tellsEvents` is whether stored events are news, too.
  init(
    symbol: Symbol, folder: String, fees: [Venue: FeeRates], latency: OrderLatency,
    loop: any EventLoop, clock: HubClock, logger: Logger, tellsEvents: Bool = false,
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
      path: path, rules: rules, clock: { clock.now() }, tellsEvents: tellsEvents,
      committed: committed
    ) { news in
      OwnOrders.log(news, logger)
      loop.execute {
        markets.follow(news)
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

  func submit(
    _ command: ClientCommand, isRepeat: Bool, reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    guard let market = command.instrument else { return service.submit(command, reply: reply) }
    markets.open(market) { [service] refusal in
      if let refusal { return reply(.refused(refusal)) }
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

  private static func log(_ news: TradingNews, _ logger: Logger) {
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

extension OwnOrders: KeptOrders {
  func submit(_ command: ClientCommand, reply: @escaping @Sendable (OrderResponse) -> Void) {
    submit(command, isRepeat: false, reply: reply)
  }

  func excerpt(after sequence: UInt64) async -> Result<LedgerExcerpt, LedgerError> {
    await service.excerpt(after: sequence)
  }

  func close() async { await shutDown() }
}
