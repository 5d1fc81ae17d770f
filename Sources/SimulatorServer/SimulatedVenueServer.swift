// The simulated venues on real sockets: HTTP and WebSocket on one port, each venue under its own
// path, and the exchange's tick feed on a raw TCP port of its own.

import FeedConnections
public import Logging
import MarketModel
public import NIOCore
import NIOHTTP1
public import ServiceLifecycle
import SocketServer
import VenueSimulator

/// The simulated venues as a service.
public struct SimulatedVenueServer: Service {
  /// Where they listen, once they do; fails with a ``ListenError``.
  public let addresses: EventLoopFuture<SimulatedVenueAddresses>

  /// What goes wrong with the venues, and how to change it.
  public let faults: SimulatedFaults

  private let http: SocketListener
  private let exchange: SocketListener
  private let host: SimulatedVenueHost
  private let logger: Logger

  /// Prepares the venues; ``run()`` makes them listen.
  ///
  /// Everything runs on `loop`.
  public init(_ options: SimulatedVenueOptions, on loop: any EventLoop, logger: Logger) {
    let clock = HubClock.live.steady
    let venues = SimulatedVenues.make(
      seed: options.seed, start: clock.now().wall, options: options.venues)
    let host = SimulatedVenueHost(venues, loop: loop, clock: clock, logger: logger)
    faults = SimulatedFaults(host: host)
    for (venue, wanted) in options.faults { faults.change(venue, to: wanted, .all) { _ in } }
    let routes = SimulatedVenueRoutes(host: host, faults: faults)
    self.host = host
    self.logger = logger
    let origins = OriginPolicy(listeningOn: options.host, visitors: .thisMachine)
    let sockets = options.sockets.sharing(DescriptorLimit.raise(), by: 4)
    http = .http(
      host: options.host, port: options.port,
      HTTPDoor(
        refusal: { origins.refusal(of: $0.headers) }, router: routes.router,
        acceptor: routes.acceptor, limits: sockets, headers: Self.headers,
        methods: [.GET, .HEAD, .PUT, .DELETE]), on: loop, logger: logger)
    exchange = .exchange(
      host: options.host, port: options.exchangePort, limits: sockets, venues: host)
    let ports = http.port.and(exchange.port)
    addresses = ports.map { ports in
      SimulatedVenueAddresses(host: options.host, port: ports.0, exchangePort: ports.1)
    }
  }

  /// Every answer says what it is.
  private static let headers: HTTPHeaders = [SimulationHeader.name: SimulationHeader.value]

  /// Serves until the graceful shutdown; throws a ``ListenError`` when a port can't be had.
  public func run() async throws {
    defer { host.shutDown() }
    try await ServiceGroup.together([http, exchange], logger: logger).run()
  }
}
