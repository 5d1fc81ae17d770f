// A process that keeps the ledger for servers behind a bus: no pages, no sockets to venues.

import FeedConnections
public import Logging
import MarketModel
import MarketStreams
import MessageBus
public import NIOCore
import OrderService
import PaperTrading
public import ServiceLifecycle
import SharedLedger
import SocketServer
import VenueProtocols
import VenueTape

/// A running order service.
public struct DeskApplication: Service {
  private let configuration: LivetapeConfiguration
  private let group: any EventLoopGroup
  private let logger: Logger

  /// Prepares an order service for the bus of a configuration; ``run()`` starts it.
  public init(_ configuration: LivetapeConfiguration, group: any EventLoopGroup, logger: Logger) {
    self.configuration = configuration
    self.group = group
    self.logger = logger
  }

  /// Keeps the ledger until the graceful shutdown, while no other process does.
  ///
  /// Throws a ``ConfigurationError`` without a bus.
  public func run() async throws {
    guard let address = configuration.bus else {
      throw ConfigurationError(description: "an order service needs a bus: give one with --bus")
    }
    let (loop, clock, logger) = (group.next(), configuration.clock, logger)
    let bus = NatsBus(address: address, logger: logger, on: loop)
    let name = ServerName(random: .random(in: 0 ... .max))
    let following = TapeFollowing(bus: bus, server: name, clock: clock)
    let feeds = FeedHub(
      venues: [FollowedVenue.connection(to: .exchange, seed: configuration.seed)], loop: loop,
      logger: logger, clock: clock, connector: following.connector(following: [.exchange]))
    let path = OwnOrders.path(in: configuration.dataFolder)
    let rules = TradingRules(oneStock: ExchangeCatalogue.symbol).marked
    let owner = LedgerOwner(
      bus: bus, name: name.text, clock: { clock.now() }, logger: logger
    ) { tell in
      OrderService(path: path, rules: rules, clock: { clock.now() }, tellsEvents: true) { news in
        OwnOrders.log(news, logger)
        tell(news)
      }
    }
    logger.notice("orders are kept in \(path)")
    let feed = ExchangeFeed(symbol: ExchangeCatalogue.symbol, loop: loop, clock: clock)
    loop.execute {
      bus.start()
      owner.start()
      feed.start(feeds: feeds) { update in
        switch update {
        case .tick(let tick, let number, let lateAt):
          owner.receive(tick, number: number, lateAt: lateAt)
        case .freshness(let state, let lateAt): owner.receive(state, lateAt: lateAt)
        }
      }
    }
    feeds.start()
    try? await gracefulShutdown()
    feed.stop()
    await owner.shutDown()
    await feeds.shutdown()
    try? await loop.flatSubmit { bus.shutdown() }.get()
  }
}
