public import FeedConnections
public import Logging
import MarketModel
public import NIOCore
import NIOHTTP1
public import ServiceLifecycle
import SimulatorHost
import SocketServer
import SocketTransport
import VenueSimulator

/// The simulated venues as a service: HTTP and WebSocket on one port, each venue under its own
/// path, and the exchange's tick feed on a raw TCP port.
public struct SimulatedVenueServer: Service {
  /// The addresses, once the venues listen; fails with a ``ListenError``.
  public let addresses: EventLoopFuture<SimulatedVenueAddresses>

  /// The faults of the venues.
  public let faults: SimulatedFaults

  private let http: SocketListener
  private let exchange: SocketListener
  private let host: SimulatedVenueHost
  private let logger: Logger

  /// Prepares the venues on `loop`; ``run()`` makes them listen.
  public init(
    _ options: SimulatedVenueOptions, on loop: any EventLoop, logger: Logger,
    clock: HubClock = .live
  ) {
    let clock = clock.steady
    let venues = SimulatedVenues.make(
      seed: options.seed, start: clock.now().wall, options: options.venues)
    let host = SimulatedVenueHost(venues, loop: loop, clock: clock, logger: logger)
    let faults = SimulatedFaults(host: host)
    for (venue, wanted) in options.faults { faults.change(venue, to: wanted, .all) { _ in } }
    self.faults = faults
    self.host = host
    self.logger = logger
    let sockets = options.sockets.sharing(DescriptorLimit.raise(), by: 4)
    let routes = SimulatedVenueRoutes(host: host, faults: faults)
    let origins = OriginPolicy(listeningOn: options.host, visitors: .thisMachine)
    http = .http(
      host: options.host, port: options.port,
      HTTPDoor(
        refusal: { head, _ in origins.refusal(of: head.headers) }, router: routes.router,
        acceptor: routes.acceptor, limits: sockets, headers: Self.headers,
        methods: [.GET, .HEAD, .PUT, .DELETE]),
      on: loop, logger: logger)
    exchange = .exchange(
      host: options.host, port: options.exchangePort, limits: sockets, venues: host,
      logger: logger)
    addresses = http.port.and(exchange.port).map {
      SimulatedVenueAddresses(host: options.host, port: $0, exchangePort: $1)
    }
  }

  /// Every response is marked as simulated.
  private static let headers: HTTPHeaders = [SimulationHeader.name: SimulationHeader.value]

  /// Serves until the graceful shutdown; throws a ``ListenError`` when a port is not available.
  public func run() async throws {
    defer { host.shutDown() }
    try await ServiceGroup.together([http, exchange], logger: logger).run()
  }
}
