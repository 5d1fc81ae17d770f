package import FeedConnections
package import Logging
package import MarketModel
package import NIOCore
import SocketTransport
package import VenueProtocols
import VenueCatalogue
package import VenueSimulator

/// Simulated venues in the app's own process: a hub's connections and requests reach them without a
/// socket.
///
/// Its addresses are those of ``FeedConnections/MarketChoice/Source/builtIn``.
package struct BuiltInMarket: VenueAsking {
  private let host: SimulatedVenueHost
  private let addresses: [Venue: VenueAddress]
  private let clock: HubClock

  /// Starts the venues of these addresses on a hub's event loop, at the clock's wall time.
  package init(
    _ addresses: [VenueAddress], seed: UInt64, options: SimulatedVenues.Options = .init(),
    clock: HubClock, on loop: any EventLoop, logger: Logger
  ) {
    self.addresses = Dictionary(addresses.map { ($0.venue, $0) }) { first, _ in first }
    let clock = clock.steady
    self.clock = clock
    var options = options
    options.stockStartCents = SimulatedVenueHost.stockCents
    host = SimulatedVenueHost(
      SimulatedVenues.make(
        seed: seed, start: clock.now().wall, options: options, venues: addresses.map(\.venue)),
      loop: loop, clock: clock, logger: logger)
  }

  /// Connects a hub on the venues' event loop to them.
  package var connector: FeedConnector {
    { [host] request, _, deliver in MemoryFeed(request, host, deliver) }
  }

  /// Adds faults to those of a venue; call on the event loop.
  ///
  /// Throws and changes nothing when the venue can't have these faults.
  package func addFaults(_ spec: FaultSpec, to venue: Venue) throws(FaultSpecError) {
    try host.changeFaults(of: venue, to: spec, replacesAll: false)
  }

  /// The venues that respond.
  package var venues: Set<Venue> { Set(addresses.keys) }

  /// Responds in the next turn of the event loop.
  package func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<VenueAnswer> {
    let headers = addresses[venue]?.headers(token: nil) ?? []
    let now = clock.now().wall
    guard let address = addresses[venue], let endpoint = address.endpoint(of: question, at: now),
      let (_, request) = SimulatedVenueHost.request(endpoint.target, headers: headers)
    else {
      let error = TransportError.badResponse(venue.displayName, detail: "unknown request")
      return host.loop.makeFailedFuture(ConnectionProblem.transport(error))
    }
    return host.respond(to: request, venue: venue).map { response in
      VenueAnswer(
        status: response?.status ?? 404, origin: address.origin,
        body: ByteBuffer(bytes: response?.body ?? []))
    }
  }
}

extension VenueResponse {
  fileprivate var retryAfterSeconds: Int? { headers["retry-after"].flatMap { Int($0) } }
}

/// A hub's connection to a simulated venue on its event loop.
///
/// Each direction takes a turn of the loop, so that neither side is called within its own call.
private final class MemoryFeed: FeedTransport, VenueClient {
  private let host: SimulatedVenueHost
  private let venue: Venue
  private var deliver: ((TransportEvent) -> Void)?
  private var client: ClientID?
  private let isStream: Bool
  private let requests: Endpoint?
  /// What the client sent while a fault stopped the reading; nil while the venue reads.
  private var unread: [(MemoryFeed) -> Void]?

  init(
    _ request: TransportRequest, _ host: SimulatedVenueHost,
    _ deliver: @escaping (TransportEvent) -> Void
  ) {
    (self.host, self.deliver, venue) = (host, deliver, request.venue)
    isStream = request.endpoint.scheme == .tcp
    requests = request.requests
    later { $0.open(request) }
  }

  private func later(_ body: @escaping (MemoryFeed) -> Void) {
    host.loop.assumeIsolated().execute { body(self) }
  }

  private func open(_ request: TransportRequest) {
    guard deliver != nil else { return }
    deliver?(.connected)
    let headers = request.headers.map { ($0.name, $0.value) }
    let own =
      SimulatedVenueHost.request(request.endpoint.target, headers: headers)?.request
      ?? VenueRequest(path: "/")
    if let refusal = host.refusal(of: own, venue: venue) {
      let problem = UpgradeRefusal(
        status: refusal.status, body: refusal.body, retryAfterSeconds: refusal.retryAfterSeconds)
      return end(.transport(.upgradeRefused(problem)))
    }
    client = host.connect(self, own, venue: venue)
    if !isStream { deliver?(.accepted(.simulated)) }
    deliver?(.opened)
  }

  private func end(_ problem: ConnectionProblem) {
    let last = deliver
    (deliver, client) = (nil, nil)
    last?(.ended(problem))
  }

  // MARK: From the hub

  /// Runs in the next turn of the loop, or once the venue reads again.
  private func read(_ body: @escaping (MemoryFeed) -> Void) {
    later { feed in
      if feed.unread == nil { body(feed) } else { feed.unread?.append(body) }
    }
  }

  func send(_ message: OutboundMessage) {
    read { feed in
      guard let client = feed.client else { return }
      feed.host.receive(message.bytes, binary: message.kind == .binary, from: client)
    }
  }

  func fetch(_ fetched: FetchRequest) {
    let asked = requests.flatMap {
      SimulatedVenueHost.request($0.appending(fetched.path).target, headers: [])?.request
    }
    guard let asked else { return take(FetchedResponse(path: fetched.path, status: 0)) }
    let feed = NIOLoopBound(self, eventLoop: host.loop)
    host.respond(to: asked, venue: venue).whenSuccess { response in
      feed.value.take(
        FetchedResponse(
          path: fetched.path, status: response?.status ?? 404,
          retryAfterSeconds: response?.retryAfterSeconds, body: response?.body ?? []))
    }
  }

  private func take(_ response: FetchedResponse) {
    later { $0.deliver?(.message(ByteBuffer(bytes: response.message), .text)) }
  }

  func ping() { pong(.pong(roundTripMicroseconds: 0)) }

  func ping(number: Int64) { pong(.numberedPong(number)) }

  private func pong(_ event: TransportEvent) {
    read { feed in
      let delay = feed.client.map { feed.host.pongDelay(of: $0) } ?? 0
      feed.host.loop.assumeIsolated().scheduleTask(in: .milliseconds(delay)) {
        feed.deliver?(event)
      }
    }
  }

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    if let client { host.disconnect(client) }
    (deliver, client) = (nil, nil)
    return host.loop.makeSucceededVoidFuture()
  }

  // MARK: From the venue

  func send(_ bytes: ByteBuffer, binary: Bool) {
    let kind: MessageKind = isStream ? .stream : binary ? .binary : .text
    later { $0.deliver?(.message(bytes, kind)) }
  }

  func end(code: UInt16, reason: String) {
    later { feed in
      if let client = feed.client { feed.host.disconnect(client) }
      feed.end(.closed(code: feed.isStream ? 1006 : code, reason: reason))
    }
  }

  func drop() { end(code: 1006, reason: "") }

  func setReading(_ isReading: Bool) {
    let missed = unread ?? []
    unread = isReading ? nil : missed
    if isReading { for body in missed { body(self) } }
  }
}
