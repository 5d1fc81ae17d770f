// The network between the hub and one venue: delays, losses of connections, silence.
//
// It is TCP: what is sent on a connection arrives in order or not at all. Frames are whole; what
// bytes do in the middle of one is tested with sockets.

import FeedConnections
import MarketModel
import SocketTransport
import VenueProtocols

/// The way to one venue.
final class VenueWire {
  /// What is wrong with it.
  enum Condition: Equatable {
    case open
    /// Nobody listens at the other end.
    case refusing
    /// Nobody knows where the other end is.
    case unknown
    /// Nothing arrives, either way; what is sent comes once this is over.
    case black
  }

  let site: VenueSite
  let time: SimulationTime
  private(set) var condition = Condition.open
  private var generation = 0
  /// The least time on the way, in milliseconds, and what chance adds to it.
  var ordinary: (latency: Int64, jitter: Int64) = (5, 5)
  private static let slow: (latency: Int64, jitter: Int64) = (500, 1000)
  /// Until when the way is slow, in milliseconds.
  private var slowUntil: Int64 = 0
  private var random: SplitMix64
  private(set) var current: WireConnection?
  /// All that may still have something on its way.
  private var connections: [WireConnection] = []
  private var opened = 0
  /// The books of which the hub has had rows since it has wanted them, by symbol.
  var images: Set<String> = []
  private let attempts: AttemptWatch
  private let report: (SimulationEvent) -> Void
  /// A mistake that a test plants.
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

  /// The longest way, in milliseconds.
  var longestDelay: Int64 { pace.latency + pace.jitter }

  /// How long the next message is on its way, in nanoseconds.
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

  /// Something happened on a connection.
  func note(_ what: String, _ number: Int, _ bytes: [UInt8] = []) {
    report(.step("\(what) \(name)", number, bytes))
  }

  func find(_ invariant: SimulationInvariant, _ evidence: String) {
    report(.finding(invariant, "\(name): \(evidence)"))
  }

  // MARK: What goes wrong

  /// Changes what is wrong, for a while.
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

  /// Makes the way slow, for a while at least.
  func slow(milliseconds: Int64) { slowUntil = max(slowUntil, time.milliseconds + milliseconds) }

  /// Ends the connection; both ends hear of it.
  func cut() {
    for connection in connections { connection.cut() }
  }

  /// Ends the connection; only the venue hears of it, and the hub hears nothing more.
  func halve() {
    for connection in connections { connection.halve() }
  }

  /// Nothing is wrong any more.
  func heal() {
    generation += 1
    condition = .open
    slowUntil = 0
    for connection in connections { connection.resume() }
  }

  /// Ends the simulation.
  func end() {
    for connection in connections { connection.forget() }
    connections = []
    current = nil
  }
}

/// What parts of a simulated world tell it.
enum SimulationEvent {
  /// Something happened: what, of whom, and what was said.
  case step(String, Int, [UInt8])
  /// A rule is broken.
  case finding(SimulationInvariant, String)
}

/// Counts attempts by the venue's rule, without knowing the hub's.
final class AttemptWatch {
  private let budget: ConnectionBudget
  private var times: [Int64] = []

  init(_ budget: ConnectionBudget) { self.budget = budget }

  /// Takes an attempt; what is wrong with it, or nil.
  func note(at milliseconds: Int64) -> String? {
    times.removeAll { $0 <= milliseconds - budget.windowMilliseconds }
    times.append(milliseconds)
    guard times.count > budget.attempts else { return nil }
    return "expected at most \(budget.attempts) attempts in \(budget.windowMilliseconds) ms, "
      + "found \(times.count)"
  }
}
