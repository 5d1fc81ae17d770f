// The simulated venues on real sockets: HTTP and WebSocket on one port, each venue under its own
// path, and the exchange's tick feed on a raw TCP port of its own. With TLS each venue has a port
// of its own, since a certificate is shown before anybody says which venue is meant.

import FeedConnections
public import Logging
import MarketModel
public import NIOCore
import NIOHTTP1
public import ServiceLifecycle
import SocketServer
import SocketTransport
import VenueSimulator

/// The simulated venues as a service.
public struct SimulatedVenueServer: Service {
  /// Where they listen, once they do; fails with a ``ListenError``.
  public let addresses: EventLoopFuture<SimulatedVenueAddresses>

  /// What goes wrong with the venues, and how to change it.
  public let faults: SimulatedFaults

  private let http: SocketListener
  private let exchange: SocketListener
  /// The venues with TLS, a port each.
  private let secure: [SocketListener]
  private let host: SimulatedVenueHost
  private let logger: Logger

  /// Prepares the venues; ``run()`` makes them listen.
  ///
  /// Everything runs on `loop`.
  public init(_ options: SimulatedVenueOptions, on loop: any EventLoop, logger: Logger) {
    let clock = HubClock.live.steady
    let venues = SimulatedVenues.make(
      seed: options.seed, start: clock.now().wall, options: options.venues)
    let tls = options.certificates.map { VenueTLS($0, loop: loop) }
    let host = SimulatedVenueHost(venues, tls: tls, loop: loop, clock: clock, logger: logger)
    let faults = SimulatedFaults(host: host)
    for (venue, wanted) in options.faults { faults.change(venue, to: wanted, .all) { _ in } }
    self.faults = faults
    self.host = host
    self.logger = logger
    let sockets = options.sockets.sharing(DescriptorLimit.raise(), by: 4)
    let web = SimulatedVenueRoutes.venues
    http = .http(
      host: options.host, port: options.port,
      Self.door(
        of: SimulatedVenueRoutes(host: host, faults: faults, served: tls == nil ? web : []),
        options, sockets),
      on: loop, logger: logger)
    exchange = .exchange(
      host: options.host, port: options.exchangePort, limits: sockets, venues: host,
      logger: logger)
    let secured = tls == nil ? [] : web
    secure = secured.enumerated().map { place, venue in
      let routes = SimulatedVenueRoutes(host: host, faults: faults, served: [venue])
      return .http(
        host: options.host, port: options.securePort == 0 ? 0 : options.securePort + place,
        Self.door(
          of: routes, options, options.sockets.sharing(DescriptorLimit.raise(), by: 32),
          secure: { try tls?.secure($0, of: venue) }),
        on: loop, logger: logger)
    }
    let ports = http.port.and(exchange.port)
    let securePorts = EventLoopFuture.whenAllSucceed(secure.map(\.port), on: loop)
    addresses = ports.and(securePorts).map { ports, securePorts in
      SimulatedVenueAddresses(
        host: options.host, port: ports.0, exchangePort: ports.1,
        securePorts: Dictionary(uniqueKeysWithValues: zip(secured, securePorts)),
        trust: options.certificates?.trust ?? .system)
    }
  }

  /// Who is let in at a port, and to what.
  private static func door(
    of routes: SimulatedVenueRoutes, _ options: SimulatedVenueOptions, _ limits: SocketLimits,
    secure: (@Sendable (any NIOCore.Channel) throws -> Void)? = nil
  ) -> HTTPDoor {
    let origins = OriginPolicy(listeningOn: options.host, visitors: .thisMachine)
    return HTTPDoor(
      refusal: { head, _ in origins.refusal(of: head.headers) }, router: routes.router,
      acceptor: routes.acceptor, limits: limits, headers: headers,
      methods: [.GET, .HEAD, .PUT, .DELETE], secure: secure)
  }

  /// Every answer says what it is.
  private static let headers: HTTPHeaders = [SimulationHeader.name: SimulationHeader.value]

  /// Serves until the graceful shutdown; throws a ``ListenError`` when a port can't be had.
  public func run() async throws {
    defer { host.shutDown() }
    try await ServiceGroup.together([http, exchange] + secure, logger: logger).run()
  }
}
