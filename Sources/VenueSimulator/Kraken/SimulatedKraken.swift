// Kraken's WebSocket v2 over seven instruments of the simulated market: faithful enough that
// clients written for Kraken connect unchanged and find every checksum right.

public import MarketModel
import OrderMatching

/// A simulated Kraken.
///
/// The markets move on their own schedule from the start on, whether or not somebody listens: a
/// seed always gives the same markets. After a pause of the host longer than three seconds the
/// books open anew, and the streams tell how they differ.
public struct SimulatedKraken: SimulatedVenue {
  /// Bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 16 * 1024
  /// Silence of the venue after which it sends a heartbeat.
  public static let heartbeatMilliseconds: Int64 = 1000
  /// Silence of a client after which the venue hangs up.
  public static let patienceMilliseconds: Int64 = 60_000
  /// The depths that a book can be had in.
  public static let depths = [10, 25, 100, 500, 1000]
  /// Trades in a snapshot.
  static let snapshotTrades = 50

  let pairs: [KrakenPair]
  /// Where the pairs trade.
  var market: SimulatedMarket
  /// Latest trades of each pair, oldest first; at most twice those of a snapshot.
  var tapes: [[KrakenTrade]]
  /// The number of each market's latest trade.
  var lastTrades: [Int64]
  var clients = KrakenClients()
  /// The books as the listeners of a topic know them; only those that have listeners.
  var published: [KrakenTopic: KrakenTopBook] = [:]
  let proof = KrakenProof()
  private var heartbeatDue: Timestamp
  private var connections: SplitMix64

  /// Opens the markets; they trade for a minute before `start`.
  public init(seed: UInt64, start: Timestamp) {
    pairs = KrakenPair.all
    market = SimulatedMarket(seed: seed, start: start, pairs.map(\.listing))
    tapes = Array(repeating: [], count: pairs.count)
    lastTrades = pairs.indices.map { 10_000_000 * Int64($0 + 1) }
    heartbeatDue = start.adding(milliseconds: SimulatedKraken.heartbeatMilliseconds)
    connections = SplitMix64(seed: SeedText.seed(seed, "kraken connections"))
    for (index, events) in market.takePast().enumerated() {
      for event in events { record(event, of: index) }
    }
  }

  /// Refuses every path but `/v2` with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == "/v2" ? nil : VenueResponse(status: 404, body: [])
  }

  /// Greets the client.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    catchUpUnheard(to: now)
    clients.add(client, at: now)
    return [tell(client, KrakenText.status(connection: connections.next()))]
  }

  /// Forgets the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) { clients.remove(client) }

  /// There is nothing to be had by plain HTTP.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    nil
  }

  /// The next step of a market that somebody may listen to, or the next heartbeat.
  public var nextEvent: Timestamp? {
    guard clients.areListening, let due = market.due else { return heartbeatDue }
    return min(heartbeatDue, due)
  }

  /// Makes the steps and heartbeats that are due, in the order of their times.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    var effects: [VenueEffect] = []
    skipPause(now, &effects)
    while true {
      if let (index, events) = market.next(by: min(heartbeatDue, now)) {
        for event in events { tell(event, of: index, &effects) }
      } else if heartbeatDue > now {
        return effects
      } else {
        beat(at: heartbeatDue, &effects)
        heartbeatDue = heartbeatDue.adding(milliseconds: Self.heartbeatMilliseconds)
      }
    }
  }

  /// Makes the steps that are due while nobody hears of them: what is asked for is of this moment.
  mutating func catchUpUnheard(to now: Timestamp) {
    guard !clients.areListening else { return }
    for (index, event) in market.reopen(at: now) { record(event, of: index) }
    while let (index, events) = market.next(by: now) {
      for event in events { record(event, of: index) }
    }
  }

  private mutating func skipPause(_ now: Timestamp, _ effects: inout [VenueEffect]) {
    for (index, event) in market.reopen(at: now) { tell(event, of: index, &effects) }
    let earliest = now.adding(milliseconds: -SimulatedInstrument.longestPause / 1000)
    if heartbeatDue < earliest { heartbeatDue = earliest }
  }

  /// What happened in a market: its trades, then what each depth's listeners must know of the
  /// book.
  private mutating func tell(
    _ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]
  ) {
    let time = market.time(of: event)
    let first = lastTrades[index] + 1
    let rows = record(event, of: index)
    let listeners = clients.listeners(.trade(pair: index))
    if !rows.isEmpty, !listeners.isEmpty {
      let bytes = KrakenText.trades("update", pairs[index], rows, from: first)
      clients.tell(listeners, at: time)
      effects.append(.send(to: listeners, bytes: bytes, binary: false))
    }
    for depth in SimulatedKraken.depths { publish(index, depth: depth, at: time, &effects) }
  }

  @discardableResult
  private mutating func record(_ event: AgentEvent, of index: Int) -> [KrakenTrade] {
    let time = market.time(of: event)
    let rows = event.trades.map { KrakenTrade(time: time, trade: $0) }
    lastTrades[index] += Int64(rows.count)
    tapes[index] += rows
    if tapes[index].count > 2 * Self.snapshotTrades {
      tapes[index].removeFirst(tapes[index].count - 2 * Self.snapshotTrades)
    }
    return rows
  }

  private mutating func publish(
    _ index: Int, depth: Int, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    let topic = KrakenTopic.book(pair: index, depth: depth)
    guard let old = published[topic] else { return }
    let listeners = clients.listeners(topic)
    guard !listeners.isEmpty else {
      published[topic] = nil
      return
    }
    let new = KrakenTopBook(market.instruments[index], pairs[index], depth: depth)
    guard new != old else { return }
    published[topic] = new
    let (bids, asks) = old.changes(to: new, depth: depth)
    let bytes = KrakenText.book(
      "update", pairs[index], bids: bids, asks: asks,
      checksum: proof.value(new, pairs[index]), at: time)
    clients.tell(listeners, at: time)
    effects.append(.send(to: listeners, bytes: bytes, binary: false))
  }

  /// Heartbeats for those who were told nothing for a while; those who say nothing are cut off.
  private mutating func beat(at time: Timestamp, _ effects: inout [VenueEffect]) {
    for client in clients.silent(since: time.adding(milliseconds: -Self.patienceMilliseconds)) {
      clients.remove(client)
      effects.append(.close(client, code: 1000, reason: "inactivity"))
    }
    let quiet = clients.untold(since: time.adding(milliseconds: -Self.heartbeatMilliseconds))
    if quiet.isEmpty { return }
    clients.tell(quiet, at: time)
    effects.append(.send(to: quiet, bytes: KrakenText.heartbeat, binary: false))
  }

  func tell(_ client: ClientID, _ bytes: [UInt8]) -> VenueEffect {
    .send(to: [client], bytes: bytes, binary: false)
  }
}
