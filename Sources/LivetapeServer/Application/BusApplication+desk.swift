// A process that keeps the ledger for servers behind a bus: no sockets to venues.

import FeedConnections
import Logging
import MarketModel
import MessageBus
import NIOCore
import OrderService
import PaperTrading
import SharedLedger
import VenueProtocols
import VenueTape

extension BusApplication {
  /// Keeps the ledger until the graceful shutdown, while no other process does.
  ///
  /// Throws a ``ConfigurationError`` where the servers of the bus follow another ledger.
  func keepLedger(behind address: NatsAddress) async throws {
    let (loop, clock, logger) = (group.next(), configuration.clock, logger)
    let bus = NatsBus(address: address, logger: logger, on: loop)
    let name = ServerName(random: .random(in: 0 ... .max))
    let following = TapeFollowing(bus: bus, server: name, clock: clock)
    let feeds = FeedHub(
      venues: [FollowedVenue.connection(to: .exchange, seed: configuration.seed)], loop: loop,
      logger: logger, clock: clock, connector: following.connector(following: [.exchange]))
    let path = OwnOrders.path(in: configuration.dataFolder)
    let rules = TradingRules(oneStock: ExchangeCatalogue.symbol).marked
    let (refusals, refusal) = AsyncStream.makeStream(of: ConfigurationError.self)
    let owner = LedgerOwner(
      bus: bus, name: name.text, path: path, replacing: configuration.replacedLedger,
      clock: { clock.now() }, logger: logger,
      refused: { refusal.yield(ConfigurationError(description: $0.description)) }
    ) { tell in
      OrderService(path: path, rules: rules, clock: { clock.now() }, tellsEvents: true) { news in
        OwnOrders.log(news, logger)
        tell(news)
      }
    }
    logger.notice("orders are kept in \(path)")
    let feed = ExchangeFeed(symbol: ExchangeCatalogue.symbol, loop: loop, clock: clock)
    try await work(
      over: bus, readiness: { LedgerReadiness(link: $0, standing: owner.standing) },
      until: refusals
    ) {
      owner.start()
      feed.start(feeds: feeds) { owner.receive($0) }
      feeds.start()
    } stop: {
      feed.stop()
      await owner.shutDown()
      await feeds.shutdown()
    }
  }
}
