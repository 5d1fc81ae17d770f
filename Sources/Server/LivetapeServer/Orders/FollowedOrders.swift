import FeedConnections
import MarketModel
import MarketStreams
import MessageBus
import NIOCore
import OrderLedger
import OrderService
import PaperTrading
import SharedLedger

/// The orders of a server behind a bus: the order service keeps the ledger, and this server follows
/// the markets to value them.
final class FollowedOrders: OrderAccess {
  let rules: TradingRules

  private let ledger: FollowedLedger
  private let feed: ExchangeFeed
  private let markets: OrderMarkets
  private let loop: any EventLoop
  private let listener: NIOLoopBoundBox<(@Sendable (TradingNews) -> Void)?>

  /// `fees` and `latency` are used until the order service has responded.
  init(
    symbol: Symbol, fees: [Venue: FeeRates], latency: OrderLatency, bus: any MessageBus,
    clock: HubClock
  ) {
    loop = bus.eventLoop
    rules = TradingRules(oneStock: symbol).marked
    ledger = FollowedLedger(rules, bus: bus) { clock.now() }
    feed = ExchangeFeed(symbol: symbol, loop: bus.eventLoop, clock: clock)
    markets = OrderMarkets(
      rules: rules, fees: fees, latency: latency, loop: bus.eventLoop, clock: clock)
    listener = NIOLoopBoundBox.makeBoxSendingValue(nil, eventLoop: bus.eventLoop)
  }

  func listen(_ listener: @escaping @Sendable (TradingNews) -> Void) {
    self.listener.value = listener
  }

  func start(feeds: FeedHub) {
    ledger.start { [listener, markets] news in
      markets.follow(news)
      listener.value?(news)
    }
    feed.start(feeds: feeds) { [ledger] in ledger.receive($0) }
    markets.start(feeds: feeds) { [ledger] in ledger.receive($0, of: $1) }
  }

  func submit(
    _ command: ClientCommand, isRepeat: Bool, reply: @escaping @Sendable (OrderResponse) -> Void
  ) {
    guard let market = command.instrument else {
      return ledger.submit(command, isRepeat: isRepeat, reply: reply)
    }
    markets.open(market) { [ledger] refusal in
      // A repeat may be an order that the service has taken, whatever this server follows.
      if let refusal, !isRepeat { return reply(.refused(refusal)) }
      ledger.submit(command, isRepeat: isRepeat, reply: reply)
    }
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
    markets.stop()
    try? await loop.submit { [ledger] in ledger.shutDown() }.get()
  }
}
