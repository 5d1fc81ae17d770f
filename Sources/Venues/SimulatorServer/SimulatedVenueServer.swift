public import FeedConnections
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
public import MarketModel
public import NIOCore
import NIOHTTP1
public import ServiceLifecycle
import SimulatorHost
package import SocketServer
import SocketTransport
import VenueCatalogue
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

/// The routes of the simulated venues, by the first part of the path.
struct SimulatedVenueRoutes: Sendable {
  let host: SimulatedVenueHost
  let faults: SimulatedFaults

  var router: Router<BasicRequestContext> {
    let router = Router()
    let prefixes = SimulatedVenueHost.routed.map(\.simulatedPrefix).joined(separator: " ")
    router.get("/") { _, _ in "Livetape's simulated venues: \(prefixes)\n" }
    FaultRoutes(faults: faults).add(to: router)
    router.get("**") { request, _ -> Response in try await self.respond(to: request) }
    return router
  }

  var acceptor: WebSocketAcceptor {
    WebSocketAcceptor(limits: VenueSocket.limits) { head in
      guard let (venue, request) = self.request(of: head) else { return false }
      return self.host.refusal(of: request, venue: venue) == nil
    } install: { channel, head in
      guard let (venue, request) = self.request(of: head) else { return }
      try VenueSocket.install(on: channel, request, venue: venue, venues: self.host)
    }
  }

  private func request(of head: HTTPRequestHead) -> (venue: Venue, request: VenueRequest)? {
    SimulatedVenueHost.request(head.uri, headers: head.headers.map { ($0.name, $0.value) })
  }

  private func respond(to request: Request) async throws -> Response {
    let headers = request.headers.map { ($0.name.canonicalName, $0.value) }
    guard let (venue, question) = SimulatedVenueHost.request(request.uri.string, headers: headers),
      let answer = try await host.respond(to: question, venue: venue).get()
    else { return Response(status: .notFound) }
    var fields: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    for (name, value) in answer.headers {
      if let field = HTTPField.Name(name) { fields[field] = value }
    }
    return Response(
      status: .init(code: answer.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }
}

/// The addresses and the behaviour of the simulated venues.
public struct SimulatedVenueOptions: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The HTTP and WebSocket port; 0 for a free one.
  public var port = 0
  /// The tick feed's port; 0 for a free one.
  public var exchangePort = 0
  /// The seed of the markets; equal seeds give equal markets.
  public var seed: UInt64 = 1
  /// Time between the exchange's ticks, in milliseconds.
  public var tickMilliseconds: Int64 = 1000
  /// Whether BitMEX rows are of the older generation (no price on updates).
  public var usesLegacyRows = false

  /// The faults from the start on, by venue.
  public var faults: [Venue: VenueFaults] = [:]

  /// The limits of the sockets of each port.
  package var sockets = SocketLimits()

  /// Creates options with loopback and free ports.
  public init() {}

  var venues: SimulatedVenues.Options {
    var options = SimulatedVenues.Options()
    options.bitmexGeneration = usesLegacyRows ? .legacy : .modern
    options.exchangeIntervalMilliseconds = tickMilliseconds
    options.stockStartCents = SimulatedVenueHost.stockCents
    return options
  }
}

/// The addresses of the listening simulated venues.
public struct SimulatedVenueAddresses: Sendable {
  /// The host to connect to.
  public let host: String
  /// The HTTP and WebSocket port.
  public let port: Int
  /// The tick feed's port.
  public let exchangePort: Int

  /// The address of a venue.
  public func address(of venue: Venue) -> VenueAddress {
    .simulated(venue, host: host, port: port, tcpPort: exchangePort)
  }

  /// The URL of a venue, as the command's flags accept it.
  public func url(of venue: Venue) -> String { address(of: venue).endpoint.description }
}
