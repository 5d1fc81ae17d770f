// Feeds the order service from the exchange: every tick, none conflated, and the freshness that the
// exchange's screen shows, so that nobody trades on a price that the page calls stale.

import FeedConnections
import Foundation
import Logging
import MarketModel
import MarketStreams
import NIOCore
import OrderLedger
import OrderService
import PaperTrading

/// The order service with its feed.
final class OrderFeedBridge: Sendable {
  /// Where orders go.
  let service: OrderService
  /// Steps and bounds of the stock.
  let rules: TradingRules

  private let loop: any EventLoop
  private let clock: HubClock
  private let box: NIOLoopBoundBox<State>

  private struct State {
    var feed: ExchangeFeedGate
    var observations: [FeedObservation] = []
    var listener: (@Sendable (TradingNews) -> Void)?
  }

  /// Prepares a service over the orders in a folder; ``start(feeds:)`` opens them.
  init(
    symbol: Symbol, folder: String, loop: any EventLoop, clock: HubClock, logger: Logger,
    committed: @escaping @Sendable (_ nanoseconds: Int64) -> Void = { _ in }
  ) {
    let rules = TradingRules(oneStock: symbol).marked
    let box = NIOLoopBoundBox.makeBoxSendingValue(
      State(feed: ExchangeFeedGate(symbol: symbol)), eventLoop: loop)
    let path = URL(fileURLWithPath: folder).appendingPathComponent(OrderLedger.fileName).path
    service = OrderService(
      path: path, rules: rules, clock: { clock.now() }, committed: committed
    ) { news in
      OrderFeedBridge.log(news, logger)
      loop.execute { box.value.listener?(news) }
    }
    (self.rules, self.loop, self.clock, self.box) = (rules, loop, clock, box)
    logger.notice("orders are kept in \(path)")
  }

  /// Passes all news to a listener on the loop; to be called on it, before ``start(feeds:)``.
  func listen(_ listener: @escaping @Sendable (TradingNews) -> Void) {
    box.value.listener = listener
  }

  /// Follows the exchange; on the loop.
  func start(feeds: FeedHub) {
    service.start()
    let keys = box.value.feed.wanted
    box.value.observations = [
      feeds.observeEvents(keys) { key, event, arrival in
        self.onLoop { self.take(.event(key, event), at: arrival) }
      },
      feeds.observe(keys) { key, value in
        self.onLoop { self.take(.value(key, value), at: self.clock.now()) }
      },
      feeds.observeConnections { status in
        self.onLoop { self.take(.connection(status), at: self.clock.now()) }
      },
    ]
  }

  /// Lets go of the feed, finishes what is under way and closes the ledger.
  func shutDown() async {
    loop.execute {
      for observation in self.box.value.observations { observation.cancel() }
      self.box.value.observations = []
    }
    await service.close()
  }

  private func onLoop(_ work: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { work() } else { loop.execute(work) }
  }

  private func take(_ input: StreamInput, at now: ClockReading) {
    switch box.value.feed.receive(input, at: now) {
    case .tick(let tick, let number, let lateAt)?:
      service.receive(tick, number: number, lateAt: lateAt)
    case .freshness(let state, let lateAt)?: service.receive(state, lateAt: lateAt)
    case nil: break
    }
  }

  private static func log(_ news: TradingNews, _ logger: Logger) {
    switch news {
    case .storage(.some(let error)): logger.warning("orders are refused: \(error)")
    case .storage(nil): logger.notice("orders are taken")
    case .skippedTick(let problem, let number, let count):
      // Once a power of two: a feed that is wrong all day does not fill the log.
      guard count & (count - 1) == 0 else { return }
      logger.warning("tick \(number) is of no use for orders (\(problem)); \(count) so far")
    case .notices, .overview, .position: break
    }
  }
}
