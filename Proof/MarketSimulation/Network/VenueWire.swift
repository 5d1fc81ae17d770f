import FeedConnections
import MarketModel
import SocketTransport
import VenueCatalogue

/// The network between the hub and one venue: delays, lost connections, silence.
///
/// As with TCP, data on a connection arrives in order or not at all. Frames are whole; tests with
/// sockets cover bytes within a frame.
final class VenueWire {
  enum Condition: Equatable {
    case open
    /// The connection is refused.
    case refusing
    /// The host is unreachable.
    case unknown
    /// Nothing arrives, either way; data arrives once this is over.
    case black
  }

  let site: VenueSite
  let time: SimulationTime
  private(set) var condition = Condition.open
  private var generation = 0
  /// The minimum delay in milliseconds, and its random addition.
  var ordinary: (latency: Int64, jitter: Int64) = (5, 5)
  private static let slow: (latency: Int64, jitter: Int64) = (500, 1000)
  /// Until when the network is slow, in milliseconds.
  private var slowUntil: Int64 = 0
  private var random: SplitMix64
  private(set) var current: WireConnection?
  /// All connections that may still have data in flight.
  private var connections: [WireConnection] = []
  private var opened = 0
  /// The books with rows at the hub since they were subscribed, by symbol.
  var images: Set<String> = []
  private let attempts: AttemptWatch
  private let report: (SimulationEvent) -> Void
  let mistake: PlantedMistake?

  init(
    _ site: VenueSite, seed: UInt64, budget: ConnectionBudget, time: SimulationTime,
    mistake: PlantedMistake?, report: @escaping (SimulationEvent) -> Void
  ) {
    self.site = site
    self.time = time
    self.report = report
    self.mistake = mistake
    random = SplitMix64(seed: seed)
    attempts = AttemptWatch(budget)
  }

  var name: Venue { site.name }

  private var pace: (latency: Int64, jitter: Int64) {
    time.milliseconds < slowUntil ? VenueWire.slow : ordinary
  }

  /// The longest delay, in milliseconds.
  var longestDelay: Int64 { pace.latency + pace.jitter }

  /// The next message's delay, in nanoseconds.
  func nextDelay() -> Int64 {
    (pace.latency * 1000 + random.below(pace.jitter * 1000)) * 1000
  }

  /// Opens a connection: the hub's ``FeedConnector``.
  func connect(
    _ request: TransportRequest, _ deliver: @escaping (TransportEvent) -> Void
  ) -> WireConnection {
    opened += 1
    if let excess = attempts.note(at: time.milliseconds) {
      report(.finding(.budget, "\(name): \(excess)"))
    }
    report(.step("connect \(name)", opened, []))
    connections.removeAll(where: \.isOver)
    let connection = WireConnection(self, request, number: opened, deliver)
    current = connection
    connections.append(connection)
    connection.begin()
    return connection
  }

  func note(_ what: String, _ number: Int, _ bytes: [UInt8] = []) {
    report(.step("\(what) \(name)", number, bytes))
  }

  func find(_ invariant: SimulationInvariant, _ evidence: String) {
    report(.finding(invariant, "\(name): \(evidence)"))
  }

  // MARK: Faults

  func set(_ condition: Condition, milliseconds: Int64) {
    generation += 1
    let mine = generation
    self.condition = condition
    if mistake == .neverHeals { return }
    time.after(milliseconds: milliseconds) { [weak self] in
      guard let self, mine == generation else { return }
      heal()
    }
  }

  func slow(milliseconds: Int64) { slowUntil = max(slowUntil, time.milliseconds + milliseconds) }

  func cut() {
    for connection in connections { connection.cut() }
  }

  /// Closes the connection at the venue only; the hub receives nothing more.
  func halve() {
    for connection in connections { connection.halve() }
  }

  func heal() {
    generation += 1
    condition = .open
    slowUntil = 0
    for connection in connections { connection.resume() }
  }

  func end() {
    for connection in connections { connection.forget() }
    connections = []
    current = nil
  }
}

/// Events that the parts of a simulated world report.
enum SimulationEvent {
  /// A step: kind, subject and bytes.
  case step(String, Int, [UInt8])
  case finding(SimulationInvariant, String)
}

/// Counts attempts by the venue's rule, independent of the hub's.
final class AttemptWatch {
  private let budget: ConnectionBudget
  private var times: [Int64] = []

  init(_ budget: ConnectionBudget) { self.budget = budget }

  /// Records an attempt; returns a problem, or nil.
  func note(at milliseconds: Int64) -> String? {
    times.removeAll { $0 <= milliseconds - budget.windowMilliseconds }
    times.append(milliseconds)
    guard times.count > budget.attempts else { return nil }
    return "expected at most \(budget.attempts) attempts in \(budget.windowMilliseconds) ms, "
      + "found \(times.count)"
  }
}
