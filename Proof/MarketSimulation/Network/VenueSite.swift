import MarketModel
import NIOCore
import VenueSimulator

/// One simulated venue with its clients and its clock, without sockets: the counterpart of
/// `SimulatedVenueHost`.
final class VenueSite {
  let name: Venue
  private let time: SimulationTime
  private(set) var simulation: any (FaultInjecting & TruthTelling)
  private var connections: [ClientID: WireConnection] = [:]
  /// Clients' messages that a half-open connection has not read yet.
  private var unread: [(client: ClientID, bytes: [UInt8], binary: Bool)] = []
  private var nextClient = 1
  private var timer: Scheduled<Void>?
  /// The latest time that the venue was advanced to.
  private var moved = SimulationTime.start
  /// The books that pages may show.
  private(set) var truths: [(symbol: Symbol, truth: BookTruth)] = []

  init(_ name: Venue, _ simulation: any (FaultInjecting & TruthTelling), time: SimulationTime) {
    self.name = name
    self.simulation = simulation
    self.time = time
    // From the start: the first shown rows may be older than their request.
    truths = TroublePlan.symbols.filter { $0.0 == name }.compactMap { Symbol($0.1) }.map {
      ($0, BookTruth())
    }
    noteTruth()
  }

  func start() { schedule() }

  func end() {
    timer?.cancel()
    connections = [:]
  }

  // MARK: Truth

  /// How long ago this venue had these rows, in milliseconds; nil when never.
  func age(of hash: UInt64, _ symbol: Symbol) -> Int64? {
    truths.first { $0.symbol == symbol }?.truth.age(of: hash, at: time.milliseconds)
  }

  /// The longest time that a book's rows have stayed the same, in milliseconds.
  func longestPause(of symbol: Symbol) -> Int64 {
    truths.first { $0.symbol == symbol }?.truth.longestPause ?? 0
  }

  private func noteTruth() {
    for index in truths.indices {
      let levels = simulation.bestLevels(truths[index].symbol, depth: BookTruth.depth)
      truths[index].truth.take(levels, at: time.milliseconds)
    }
  }

  func streams(of client: ClientID) -> [String] { simulation.streams(of: client) }

  // MARK: Clients

  /// The response that rejects a connection; nil when it is accepted.
  func refusal(of request: VenueRequest) -> VenueResponse? {
    simulation.refusal(of: request, at: time.now)
  }

  func accept(_ connection: WireConnection, _ request: VenueRequest) -> ClientID {
    advance()
    let client = ClientID(nextClient)
    nextClient += 1
    connections[client] = connection
    perform(simulation.connect(client, request, at: time.now))
    schedule()
    return client
  }

  func receive(_ bytes: [UInt8], binary: Bool, from client: ClientID) {
    advance()
    guard connections[client] != nil else { return }
    guard simulation.answersPings(of: client) else {
      unread.append((client, bytes, binary))
      return
    }
    perform(simulation.receive(bytes, binary: binary, from: client, at: time.now))
    noteTruth()
    schedule()
  }

  /// Responds to a request over HTTP.
  func respond(to request: VenueRequest) -> VenueResponse? {
    advance()
    return simulation.respond(to: request, at: time.now)
  }

  func answersPings(of client: ClientID) -> Bool {
    connections[client] != nil && simulation.answersPings(of: client)
  }

  /// How long a pong is held back, in nanoseconds.
  func pongDelay(of client: ClientID) -> Int64 {
    simulation.pongDue(of: client, at: time.now).nanoseconds - time.now.nanoseconds
  }

  func disconnect(_ client: ClientID) {
    guard connections.removeValue(forKey: client) != nil else { return }
    unread.removeAll { $0.client == client }
    simulation.disconnect(client)
    schedule()
  }

  // MARK: Faults

  /// Starts faults; no effect when there are too many already.
  func inject(_ orders: [FaultOrder]) {
    try? simulation.inject(orders, at: time.now)
    advance()
  }

  func clearFaults() {
    simulation.clearFaults(at: time.now)
    advance()
  }

  // MARK: Time

  private func advance() {
    let now = time.now
    // Runs event by event, however long no client was active: the venue's machine does not sleep
    // with the server's, and a state between two events is a true one, too.
    var last: Timestamp?
    var repeats = 0
    while let due = simulation.nextEvent, due < now, repeats < 16 {
      repeats = due == last ? repeats + 1 : 0
      last = due
      move(to: max(moved, due))
    }
    move(to: now)
    read()
    schedule()
  }

  /// Records each state, also several of one moment: the message of the later may be lost.
  private func move(to time: Timestamp) {
    var isLast = false
    while !isLast {
      let step = simulation.step(to: time)
      perform(step.effects)
      noteTruth()
      isLast = step.isLast
    }
    moved = time
  }

  /// Reads what waited, where the connection reads again.
  private func read() {
    guard !unread.isEmpty else { return }
    let waiting = unread
    unread = []
    for (client, bytes, binary) in waiting { receiveLater(bytes, binary, client) }
  }

  private func receiveLater(_ bytes: [UInt8], _ binary: Bool, _ client: ClientID) {
    guard connections[client] != nil else { return }
    guard simulation.answersPings(of: client) else {
      unread.append((client, bytes, binary))
      return
    }
    perform(simulation.receive(bytes, binary: binary, from: client, at: time.now))
  }

  private func schedule() {
    timer?.cancel()
    guard let due = simulation.nextEvent else { return }
    let delay = max(1_000_000, due.nanoseconds - time.now.nanoseconds)
    timer = time.after(nanoseconds: delay) { [weak self] in self?.advance() }
  }

  private func perform(_ effects: [VenueEffect]) {
    for effect in effects {
      switch effect {
      case .send(let clients, let bytes, let binary):
        for client in clients { connections[client]?.say(bytes, binary: binary) }
      case .close(let client, let code, let reason):
        connections.removeValue(forKey: client)?.close(byVenue: code, reason)
        simulation.disconnect(client)
      case .drop(let client):
        connections.removeValue(forKey: client)?.close(byVenue: 1006, "")
        simulation.disconnect(client)
      }
    }
  }
}
