package import FeedConnections
import Foundation
package import Logging
package import MarketModel
package import NIOCore
import VenueCatalogue
package import VenueSimulator

/// The host's end of a client's connection; used on the host's event loop only.
package protocol VenueClient {
  /// Sends a whole message, or raw bytes; ends a connection that does not read.
  func send(_ bytes: ByteBuffer, binary: Bool)
  /// Closes a WebSocket with a code and a reason; other connections just end.
  func end(code: UInt16, reason: String)
  /// Ends the connection without a close frame.
  func drop()
  /// Stops or resumes reading: a half-open connection receives neither pings nor closes.
  func setReading(_ isReading: Bool)
}

/// The host of all simulated venues of a process, which gives them clients and a clock.
///
/// Everything runs on one event loop, so that events and messages keep their order.
package final class SimulatedVenueHost: Sendable {
  /// The loop that everything runs on; every client is used on it.
  package let loop: any EventLoop
  private let clock: HubClock
  private let logger: Logger
  private let box: NIOLoopBoundBox<State>

  private struct Client {
    var venue: Venue
    var connection: any VenueClient
  }

  private struct State {
    var simulations: [Venue: any SimulatedVenue]
    /// When each venue has something to do, cached because each event needs all of them.
    var due: [Venue: Timestamp] = [:]
    var clients: [ClientID: Client] = [:]
    var nextClient = 1
    var timer: (at: Timestamp, task: Scheduled<Void>)?
    /// Current faults on demand; kept until their end is reported.
    var faults: [Venue: [RunningFault]] = [:]
    /// Half-open clients, whose channels are not read.
    var deaf: Set<ClientID> = []
    var faultListener: (@Sendable ([Venue: [RunningFault]]) -> Void)?
    /// The responses to refused upgrades that their clients have not received yet, by the key of
    /// the upgrade.
    var refused: [String: VenueResponse] = [:]
  }

  /// Starts the venues; `clock` must not go back.
  package init(_ venues: SimulatedVenues, loop: any EventLoop, clock: HubClock, logger: Logger) {
    self.loop = loop
    self.clock = clock
    self.logger = logger
    box = NIOLoopBoundBox.makeBoxSendingValue(State(simulations: venues.all), eventLoop: loop)
    loop.execute {
      for venue in venues.all.keys { self.note(venue) }
      self.schedule()
    }
  }

  private var now: Timestamp { clock.now().wall }

  private static let upgradeKey = "sec-websocket-key"
  private static let maximumRefused = 64

  /// The response that refuses a connection; nil to accept it; call on the loop.
  ///
  /// A refused upgrade is then a plain request, which gets the same response.
  package func refusal(of request: VenueRequest, venue: Venue) -> VenueResponse? {
    defer { note(venue) }
    let response = box.value.simulations[venue]?.refusal(of: request, at: now)
    if let response, let key = request.headers[Self.upgradeKey] {
      if box.value.refused.count >= Self.maximumRefused { box.value.refused = [:] }
      box.value.refused[key] = response
    }
    return response
  }

  /// Responds to an HTTP request; call from any thread.
  package func respond(to request: VenueRequest, venue: Venue) -> EventLoopFuture<VenueResponse?> {
    loop.submit {
      defer { self.note(venue) }
      if let key = request.headers[Self.upgradeKey],
        let refused = self.box.value.refused.removeValue(forKey: key)
      {
        return refused
      }
      // Only other requests may be refused, because a fault's refusals are for connections.
      return self.box.value.simulations[venue]?.respond(to: request, at: self.now)
        ?? self.box.value.simulations[venue]?.refusal(of: request, at: self.now)
    }
  }

  /// Adds a connection and returns its number; call on the loop.
  package func connect(
    _ connection: any VenueClient, _ request: VenueRequest, venue: Venue
  ) -> ClientID {
    advance()
    let client = ClientID(box.value.nextClient)
    box.value.nextClient += 1
    box.value.clients[client] = Client(venue: venue, connection: connection)
    logger.debug("a client connected", metadata: ["venue": "\(venue)"])
    perform(box.value.simulations[venue]?.connect(client, request, at: now) ?? [])
    note(venue)
    schedule()
    return client
  }

  /// Handles a message; call on the loop.
  package func receive(_ bytes: [UInt8], binary: Bool, from client: ClientID) {
    advance()
    guard let venue = box.value.clients[client]?.venue else { return }
    let effects = box.value.simulations[venue]?.receive(
      bytes, binary: binary, from: client, at: now)
    perform(effects ?? [])
    note(venue)
    schedule()
  }

  /// Handles a closed connection; call on the loop.
  package func disconnect(_ client: ClientID) {
    guard let gone = box.value.clients.removeValue(forKey: client) else { return }
    box.value.deaf.remove(client)
    box.value.simulations[gone.venue]?.disconnect(client)
    note(gone.venue)
  }

  /// Advances every market to the current time, so that snapshots are current.
  private func advance() {
    for venue in Venue.allCases {
      guard let due = box.value.due[venue], due <= now else { continue }
      perform(box.value.simulations[venue]?.advance(to: now) ?? [])
      note(venue)
    }
    if !box.value.faults.isEmpty || !box.value.deaf.isEmpty { noteFaults() }
    schedule()
  }

  /// Calls a listener with the faults on demand, now and on each change; call on the loop.
  package func listenToFaults(_ listener: @escaping @Sendable ([Venue: [RunningFault]]) -> Void) {
    box.value.faultListener = listener
    listener(box.value.faults)
  }

  /// The current faults on demand; call on the loop.
  package var faults: [Venue: [RunningFault]] { box.value.faults }

  /// Changes a venue's faults; call on the loop.
  ///
  /// Throws and changes nothing when the venue can't have these faults.
  package func changeFaults(
    of venue: Venue, to spec: FaultSpec, replacesAll: Bool
  ) throws(FaultSpecError) {
    guard var simulation = box.value.simulations[venue] as? any FaultInjecting else { return }
    if let problem = spec.problem(at: venue) { throw problem }
    if replacesAll { simulation.clearFaults(at: now) }
    try simulation.inject(spec.orders, at: now)
    box.value.simulations[venue] = simulation
    note(venue)
    noteFaults()
    advance()
  }

  /// Updates the current faults and which clients are read.
  private func noteFaults() {
    var faults: [Venue: [RunningFault]] = [:]
    for (venue, simulation) in box.value.simulations {
      guard let simulation = simulation as? any FaultInjecting else { continue }
      let running = simulation.runningFaults(at: now)
      if !running.isEmpty { faults[venue] = running }
      for (client, record) in box.value.clients where record.venue == venue {
        hear(client, record, simulation.answersPings(of: client))
      }
    }
    guard faults != box.value.faults else { return }
    box.value.faults = faults
    box.value.faultListener?(faults)
  }

  /// The delay of a pong to a client, in milliseconds; call on the loop.
  package func pongDelay(of client: ClientID) -> Int64 {
    guard let venue = box.value.clients[client]?.venue,
      let simulation = box.value.simulations[venue] as? any FaultInjecting
    else { return 0 }
    let now = now
    return (simulation.pongDue(of: client, at: now).nanoseconds - now.nanoseconds) / 1_000_000
  }

  private func hear(_ client: ClientID, _ record: Client, _ isReading: Bool) {
    guard box.value.deaf.contains(client) == isReading else { return }
    if isReading { box.value.deaf.remove(client) } else { box.value.deaf.insert(client) }
    record.connection.setReading(isReading)
  }

  /// Updates when a venue has something to do; call after each change of the venue.
  private func note(_ venue: Venue) {
    box.value.due[venue] = box.value.simulations[venue]?.nextEvent
  }

  private func schedule() {
    let next = box.value.due.values.min()
    guard next != box.value.timer?.at else { return }
    box.value.timer?.task.cancel()
    box.value.timer = next.map { next in
      let delay = max(1_000_000, next.nanoseconds - now.nanoseconds)
      let task = loop.scheduleTask(in: .nanoseconds(delay)) {
        self.box.value.timer = nil
        self.advance()
      }
      return (next, task)
    }
  }

  private func perform(_ effects: [VenueEffect]) {
    for effect in effects {
      switch effect {
      case .send(let clients, let bytes, let binary):
        let buffer = ByteBuffer(bytes: bytes)
        for client in clients {
          box.value.clients[client]?.connection.send(buffer, binary: binary)
        }
      case .close(let client, let code, let reason):
        box.value.clients[client]?.connection.end(code: code, reason: reason)
      case .drop(let client): box.value.clients[client]?.connection.drop()
      }
    }
  }

  /// Ends all connections and stops the clock.
  package func shutDown() {
    loop.execute {
      self.box.value.timer?.task.cancel()
      self.box.value.timer = nil
      for client in self.box.value.clients.values { client.connection.drop() }
    }
  }
}

extension HubClock {
  /// The wall clock of this moment, continued by the monotonic clock.
  package var steady: HubClock {
    let start = now()
    let read = now
    return HubClock {
      let monotonic = read().monotonic
      let elapsed = monotonic.nanoseconds - start.monotonic.nanoseconds
      return ClockReading(
        monotonic: monotonic, wall: Timestamp(nanoseconds: start.wall.nanoseconds + elapsed))
    }
  }
}

extension SimulatedVenueHost {
  /// Companies that the price tracker also follows start at the same price.
  package static let stockCents: [String: Int64] = {
    let dollars = Dictionary(StockCatalogue.stocks.map { ($0.name, $0.startPriceCents) }) {
      first, _ in first
    }
    let known = IsinCatalogue.shares.compactMap { share in
      dollars[share.name].map { (share.isin.text, $0) }
    }
    return Dictionary(known) { first, _ in first }
  }()

  /// The venues behind a path; a raw feed has its own port.
  package static let routed = Venue.allCases.filter { $0.descriptor.transport != .tcp }

  /// A request's venue and the rest of its path; nil when the path is no venue's.
  ///
  /// BitMEX and Kraken also respond at their real hosts' root paths, which public clients use.
  package static func resolve(_ path: String) -> (venue: Venue, path: String)? {
    for venue in routed {
      let prefix = venue.simulatedPrefix
      if path == prefix { return (venue, "/") }
      if path.hasPrefix(prefix + "/") { return (venue, String(path.dropFirst(prefix.count))) }
    }
    let own = routed.first { venue in
      venue.descriptor.clientPaths.contains { known in
        path == known || (known.hasSuffix("/") && path.hasPrefix(known))
      }
    }
    return own.map { ($0, path) }
  }

  /// A request by its target, path and query; nil when the path is no venue's.
  package static func request(
    _ target: String, headers: [(name: String, value: String)]
  ) -> (venue: Venue, request: VenueRequest)? {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, let (venue, rest) = resolve(String(path)) else { return nil }
    let query = parts.count > 1 ? QueryText.parse(String(parts[1])) : []
    let fields = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { _, last in last }
    return (venue, VenueRequest(path: rest, query: query, headers: fields))
  }
}

/// The query of a URL.
package enum QueryText {
  /// Names and values, percent-decoded, in order; at most 32.
  package static func parse(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").prefix(32).map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? String(sides[1]) : ""
      return (name: decode(String(sides[0])), value: decode(value))
    }
  }

  private static func decode(_ text: String) -> String {
    text.replacing("+", with: " ").removingPercentEncoding ?? text
  }
}
