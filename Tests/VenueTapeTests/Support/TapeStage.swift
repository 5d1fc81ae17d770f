import Logging
import MarketModel
import MarketStreams
import MessageBus
import NIOCore
import SocketTransport
import VenueCatalogue
import VenueProtocols
import VenueSimulator

@testable import FeedConnections
@testable import MarketSimulation
@testable import VenueTape

struct Follower {
  let bus: MemoryBus
  let hub: FeedHub
  let asking: FollowedVenues
}

struct Reader {
  let bus: MemoryBus
  let reader: TapeReader
}

/// Readers and servers of one installation with a bus in memory between them, and simulated venues,
/// under one virtual clock and one seed.
///
/// Used on the thread that created it.
final class TapeStage {
  let time = SimulationTime()
  let wires: [VenueWire]
  /// Readers' HTTP requests to venues, for a test to answer.
  let held: HeldVenue
  private let broker: MemoryBusHub
  private(set) var readers: [Reader] = []
  private(set) var followers: [Follower] = []
  private let connections: NIOLoopBound<ConnectionList>
  private var observations: [FeedObservation] = []
  private let seed: UInt64
  /// How far readers' clocks are ahead of those of servers and venues, in nanoseconds.
  private let readersAhead: Int64
  static let silent = Logger(label: "tape") { _ in SwiftLogNoOpLogHandler() }

  final class ConnectionList {
    var all: [WireConnection] = []
  }

  init(
    seed: UInt64, venues: [Venue], readers: Int, followers: Int, readersAhead: Int64 = 0
  ) {
    self.seed = seed
    self.readersAhead = readersAhead
    let time = time
    held = HeldVenue(venues, on: time.loop)
    broker = MemoryBusHub(on: time.loop, milliseconds: { time.milliseconds })
    connections = NIOLoopBound(ConnectionList(), eventLoop: time.loop)
    wires = venues.enumerated().map { index, venue in
      let site = VenueSite(venue, TapeStage.simulation(of: venue, seed), time: time)
      site.start()
      return VenueWire(
        site, seed: seed &+ UInt64(index), budget: ConnectionBudget(attempts: 100_000),
        time: time, mistake: nil, report: { _ in })
    }
    for _ in 0..<readers { addReader() }
    for _ in 0..<followers { addFollower() }
  }

  private static func simulation(
    of venue: Venue, _ seed: UInt64
  ) -> any (FaultInjecting & TruthTelling) {
    var options = SimulatedVenues.Options()
    options.limitsKrakenCalls = false
    options.markets = [
      .bitmex: OpenedMarkets(only: ["XBTUSD"]),
      .kraken: OpenedMarkets(only: ["BTC/USD", "ETH/USD"]),
    ]
    return SimulatedVenues.truthful(
      of: venue, seed: seed, faults: seed, start: SimulationTime.start, options)
  }

  private var configurations: [VenueConfiguration] {
    wires.map { wire in
      VenueConfiguration(
        endpoint: Endpoint(
          scheme: wire.name == .exchange ? .tcp : .ws, host: wire.name.rawValue, port: 80),
        session: wire.name.adapter.session(
          SessionSetup(origin: .custom, seed: 1)),
        budget: ConnectionBudget(attempts: 100_000), jitterSeed: seed)
    }
  }

  private var readerClock: HubClock {
    HubClock { [time, readersAhead] in
      let now = time.clock.now()
      return ClockReading(
        monotonic: MonotonicTime(nanoseconds: now.monotonic.nanoseconds + 77_000_000_000),
        wall: Timestamp(nanoseconds: now.wall.nanoseconds + readersAhead))
    }
  }

  /// Starts a reader process; one of an earlier version accepts no requests.
  func addReader(takesQuestions: Bool = true) {
    let bus = broker.makeBus()
    let ways = NIOLoopBound(wires, eventLoop: time.loop)
    let connections = connections
    let reader = TapeReader(
      venues: configurations, bus: bus,
      name: ServerName(random: UInt64(readers.count)), logger: TapeStage.silent,
      asking: takesQuestions ? held : nil, clock: readerClock
    ) { request, _, deliver in
      let wire = ways.value.first { $0.name == request.venue } ?? ways.value[0]
      let connection = wire.connect(request, deliver)
      connections.value.all.append(connection)
      return connection
    }
    reader.start()
    readers.append(Reader(bus: bus, reader: reader))
  }

  func addFollower() {
    let bus = broker.makeBus()
    let following = TapeFollowing(
      bus: bus, server: ServerName(random: 1000 + UInt64(followers.count)), clock: time.clock)
    let hub = FeedHub(
      venues: wires.map { FollowedVenue.connection(to: $0.name, seed: seed) }, loop: time.loop,
      logger: TapeStage.silent,
      clock: time.clock,
      connector: following.connector(following: Set(wires.map(\.name))) { _, _, _ in
        fatalError("nothing goes around the bus")
      })
    hub.start()
    let asking = FollowedVenues(Set(wires.map(\.name)), following)
    followers.append(Follower(bus: bus, hub: hub, asking: asking))
  }

  func want(_ keys: MarketKey..., of follower: Int) {
    observations.append(followers[follower].hub.observeChanges(Set(keys)) { _ in })
  }

  /// Subscribes a follower to a stream as a page does, so that its messages are measured.
  func watch(_ key: MarketKey, of follower: Int) {
    observations.append(
      followers[follower].hub.observe([key], isMeasured: true) { _, _ in })
  }

  /// A follower's latency measurements of a venue since its start.
  func latency(of venue: Venue, _ follower: Int) -> LatencyReport? {
    followers[follower].hub.latencyNow().first { $0.venue == venue }
  }

  func wantNothing() { observations = [] }

  func run(milliseconds: Int64) { time.run(milliseconds: milliseconds) }

  /// Advances time until a condition holds; returns how long that took, nil when it did not.
  func wait(atMost milliseconds: Int64, until isDone: () -> Bool) -> Int64? {
    let start = time.milliseconds
    while time.milliseconds - start < milliseconds {
      if isDone() { return time.milliseconds - start }
      run(milliseconds: 20)
    }
    return isDone() ? time.milliseconds - start : nil
  }

  var upstream: Int { connections.value.all.count { $0.isUp } }

  func book(_ key: MarketKey, of hub: FeedHub) -> BookView? {
    if case .book(let view) = hub.value(of: key) { view } else { nil }
  }

  func tape(_ key: MarketKey, of hub: FeedHub) -> TapeView? {
    if case .trades(let view) = hub.value(of: key) { view } else { nil }
  }

  func quote(_ key: MarketKey, of hub: FeedHub) -> QuoteView? {
    if case .quote(let view) = hub.value(of: key) { view } else { nil }
  }

  func isLive(_ key: MarketKey, _ follower: Int) -> Bool {
    let hub = followers[follower].hub
    guard let view = book(key, of: hub), view.status == .synced,
      let status = hub.core.value.venue(key.venue)?.status
    else { return false }
    var link = VenueLink(key.venue)
    _ = link.update(status)
    return link.judged(view.freshness).state == .live
  }

  var leader: Int? {
    readers.indices.first { index in
      readers[index].reader.hub.venues.contains { venue in
        phase(of: venue, readers[index].reader.hub)?.isConnected == true
      }
    }
  }

  func phase(of venue: Venue, _ hub: FeedHub) -> ConnectionPhase? {
    hub.core.value.venue(venue)?.status.phase
  }

  func rejected(of venue: Venue, _ follower: Int) -> Int? {
    followers[follower].hub.core.value.venue(venue)?.status.rejectedMessages
  }

  /// The streams on a venue's latest connection, by the venue's own names.
  func streams(of wire: Int) -> [String] {
    wires[wire].current.flatMap(\.client).map { wires[wire].site.streams(of: $0) } ?? []
  }

  func rejectsLocation(_ venue: Venue, _ follower: Int) -> Bool {
    followers[follower].hub.core.value.venue(venue)?.status.rejectsLocation == true
  }

  func reason(of venue: Venue, _ follower: Int) -> Sentence? {
    followers[follower].hub.core.value.venue(venue)?.status.reason
  }

  func end() {
    observations = []
    held.end()
    for follower in followers { for wire in wires { follower.hub.stop(wire.name) } }
    for reader in readers { for wire in wires { reader.reader.hub.stop(wire.name) } }
    run(milliseconds: 10)
    for wire in wires {
      wire.end()
      wire.site.end()
    }
    for bus in readers.map(\.bus) + followers.map(\.bus) { _ = bus.shutdown() }
    time.end()
  }
}

extension MarketKey {
  static let bitcoin = MarketKey(.kraken, .book, Symbol(known: "BTC/USD"))
  static let ether = MarketKey(.kraken, .book, Symbol(known: "ETH/USD"))
  static let bitcoinTrades = MarketKey(.kraken, .trades, Symbol(known: "BTC/USD"))
  static let bitcoinFigures = MarketKey(.kraken, .figures, Symbol(known: "BTC/USD"))
  static let contract = MarketKey(.bitmex, .book, Symbol(known: "XBTUSD"))
  static let contractTrades = MarketKey(.bitmex, .trades, Symbol(known: "XBTUSD"))
}
