import AppState
import FeedConnections
import HistoryStore
import LivetapeWeb
public import Logging
import MarketModel
import MessageBus
public import NIOCore
import PriceAlerts
public import ServiceLifecycle
import SimulatorServer
import SocketServer
import SocketTransport
import VenueCatalogue
import VenueTape

/// A Livetape server: the simulated venues if configured, the feed hub, and the pages.
public struct LivetapeApplication: Service {
  /// The port of the page, once it listens; fails with a ``ListenError``.
  public let port: EventLoopFuture<Int>

  private let promise: EventLoopPromise<Int>
  private let configuration: LivetapeConfiguration
  private let group: any EventLoopGroup
  private let logger: Logger

  /// Prepares a server; ``run()`` starts it.
  public init(_ configuration: LivetapeConfiguration, group: any EventLoopGroup, logger: Logger) {
    self.configuration = configuration
    self.group = group
    self.logger = logger
    promise = group.next().makePromise(of: Int.self)
    port = promise.futureResult
  }

  /// Serves until graceful shutdown.
  ///
  /// Throws a ``ConfigurationError`` for an unsafe configuration, a ``ListenError`` if a port can't
  /// be opened, or an error if the page's files are missing; everything already started is stopped
  /// then.
  public func run() async throws {
    do {
      try await serve()
      promise.fail(CancellationError())
    } catch {
      promise.fail(error)
      throw error
    }
  }

  private func serve() async throws {
    try configuration.check()
    for venue in Venue.allCases {
      let warning = configuration.addresses[venue]?.warning(of: configuration.buxToken)
      if let warning { logger.warning("\(warning)") }
    }
    let files = try WebFiles()
    try await configuration.withSimulatedVenues(on: group.next(), logger: logger) {
      try await servePages(files, simulated: $0, $1)
    }
  }

  private func servePages(
    _ files: WebFiles, simulated: SimulatedVenueAddresses?, _ faults: SimulatedFaults?
  ) async throws {
    let loop = group.next()
    let clock = configuration.clock
    let venues = ServedVenues(configuration, simulated: simulated)
    let bus = configuration.bus.map { NatsBus(address: $0, logger: logger, on: loop) }
    let (feeds, asked) = reading(venues, over: bus, on: loop)
    let products = asked.venues.sorted().lazy.compactMap {
      ProductClient(of: $0, asking: asked, on: loop)
    }.first
    let registry = PrometheusRegistry()
    let trading = orders(over: bus, on: loop, committed: registry.ledgerCommits())
    let history = HistoryStore(folder: configuration.dataFolder, now: { clock.now().wall })
    let candles = CandleService(
      feeds: feeds, addresses: venues.addresses, venues: asked, origin: venues.origin,
      recorded: venues.recorded, store: history, clock: clock, logger: logger)
    let lists = KeptFile<MarketLists>(folder: configuration.dataFolder, now: clock.now().wall)
    let survey = SurveyService(
      feeds: feeds, candles: candles, venues: asked, clock: clock, logger: logger)
    let hub = PageHub(
      feeds: feeds, candles: candles, survey: survey, products: products,
      trading: trading,
      lists: lists,
      truths: KeptFile<TruthBoard>(folder: configuration.dataFolder, now: clock.now().wall),
      alerts: alerts(of: feeds, on: loop), breakable: BreakableVenues(configuration, faults),
      catalogue: .screens(origin: venues.origin, closed: venues.closed),
      requestedVenues: configuration.requestedVenues, pageLimit: configuration.maximumPages,
      loop: loop, clock: clock, logger: logger)
    let access = configuration.access(logger)
    let routes = PageRoutes(
      hub: hub, access: access, files: PageFiles(files),
      operations: OperationsRoutes(hub: hub, history: history, registry: registry))
    let listener = SocketListener.http(
      host: configuration.host, port: configuration.port,
      HTTPDoor(
        refusal: { access.response(to: $0, from: $1) }, router: routes.router,
        acceptor: routes.acceptor,
        limits: configuration.sockets.sharing(DescriptorLimit.raise(), by: 2),
        headers: configuration.responseHeaders,
        secure: { [tls = configuration.tls] in try tls?.secure($0) },
        check: .http(secure: configuration.tls == nil ? nil : ServerTLS.secureSelfCheck),
        branch: routes.branch),
      on: loop, logger: logger)
    listener.port.cascade(to: promise)
    // A server that can't listen must not touch venues or orders.
    listener.port.whenSuccess { _ in
      if case .modules(let reason) = files.form {
        self.logger.warning("the page is served as modules: \(reason) (scripts/build-page.sh)")
      }
      bus?.start()
      hub.start()
      candles.start()
      feeds.start()
    }
    let beat = configuration.beat?.start(on: loop)
    defer { beat?.cancel() }
    do {
      try await listener.run()
    } catch {
      await stop(hub, feeds, bus, history)
      throw error
    }
    await stop(hub, feeds, bus, history)
  }

  /// The feed hub and the HTTP client of the venues: over own sockets, or through the readers on a
  /// bus.
  private func reading(
    _ venues: ServedVenues, over bus: NatsBus?, on loop: any EventLoop
  ) -> (FeedHub, any VenueAsking) {
    guard let bus else {
      let hub = FeedHub(
        venues: venues.connections, group: loop, logger: logger, clock: configuration.clock)
      return (hub, venues.http(on: loop, logger: logger))
    }
    let following = TapeFollowing(
      bus: bus, server: ServerName(random: .random(in: 0 ... .max)), clock: configuration.clock)
    let hub = FeedHub(
      venues: venues.connections, loop: loop, logger: logger, clock: configuration.clock,
      connector: following.connector(following: venues.followed))
    return (hub, FollowedVenues(venues.followed, following))
  }

  /// The alerts, and their deliveries outside the page.
  private func alerts(of feeds: FeedHub, on loop: any EventLoop) -> AlertService {
    let clock = configuration.clock
    let kept = KeptFile<AlertBook>(folder: configuration.dataFolder, now: clock.now().wall)
    let queues = configuration.alertReceivers.map { AlertQueue($0, on: loop) }
    return AlertService(
      feeds: feeds, kept: kept.kept, problem: kept.problem, clock: clock,
      deliver: { firing, failed in
        for queue in queues { queue.deliver(firing, failed: failed) }
      },
      keep: { kept.keep($0, done: $1) },
      close: {
        for queue in queues { queue.close() }
        await kept.close()
      })
  }

  /// The orders: in the server's own ledger, or in that of the order service on a bus.
  private func orders(
    over bus: NatsBus?, on loop: any EventLoop,
    committed: @escaping @Sendable (_ nanoseconds: Int64) -> Void
  ) -> any OrderAccess {
    let symbol = ExchangeCatalogue.symbol
    if let bus {
      return FollowedOrders(
        symbol: symbol, fees: configuration.fees, latency: configuration.orderLatency, bus: bus,
        clock: configuration.clock)
    }
    return OwnOrders(
      symbol: symbol, folder: configuration.dataFolder, fees: configuration.fees,
      latency: configuration.orderLatency, loop: loop,
      clock: configuration.clock, logger: logger, committed: committed)
  }

  private func stop(
    _ hub: PageHub, _ feeds: FeedHub, _ bus: NatsBus?, _ history: HistoryStore
  ) async {
    hub.shutDown()
    hub.survey.shutdown()
    hub.candles.shutdown()
    await hub.close()
    await hub.trading.shutDown()
    await feeds.shutdown()
    if let bus { try? await bus.eventLoop.flatSubmit { bus.shutdown() }.get() }
    history.close()
  }
}
