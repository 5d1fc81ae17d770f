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
  /// The port that says how it is, once it keeps the ledger or stands by; nil where none is wanted.
  ///
  /// Fails with a ``SocketServer/ListenError``, and with what ``run()`` throws before.
  public let started: EventLoopFuture<Int?>

  private let promise: EventLoopPromise<Int?>
  private let healthPort: Int?
  private let configuration: LivetapeConfiguration
  private let group: any EventLoopGroup
  private let logger: Logger

  /// Prepares an order service for the bus of a configuration; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - configuration: the folder of the ledger, and the bus.
  ///   - healthPort: of loopback, where `/healthz` and `/readyz` are answered; 0 for a free one,
  ///     nil for none.
  ///   - group: its loops.
  ///   - logger: gets the terms, and what is wrong.
  public init(
    _ configuration: LivetapeConfiguration, healthPort: Int? = nil, group: any EventLoopGroup,
    logger: Logger
  ) {
    promise = group.next().makePromise(of: Int?.self)
    started = promise.futureResult
    self.healthPort = healthPort
    self.configuration = configuration
    self.group = group
    self.logger = logger
  }

  /// Keeps the ledger until the graceful shutdown, while no other process does.
  ///
  /// Throws a ``ConfigurationError`` without a bus, and a ``SocketServer/ListenError`` when the
  /// port of its health can't be had.
  public func run() async throws {
    do {
      try await keep()
      promise.fail(CancellationError())
    } catch {
      promise.fail(error)
      throw error
    }
  }

  private func keep() async throws {
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
      feed.start(feeds: feeds) { owner.receive($0) }
    }
    feeds.start()
    let health = ProcessHealth(over: bus) { LedgerReadiness(link: $0, standing: owner.standing) }
    let beat = configuration.beat?.start(on: loop)
    var failure: (any Error)?
    do {
      try await health.answer(on: healthPort, started: promise, logger: logger)
    } catch {
      failure = error
    }
    beat?.cancel()
    feed.stop()
    await owner.shutDown()
    await feeds.shutdown()
    try? await loop.flatSubmit { bus.shutdown() }.get()
    if let failure { throw failure }
  }
}
