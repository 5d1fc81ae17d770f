// Kraken's WebSocket v2 over seven markets that trade by themselves: faithful enough that clients
// written for Kraken connect unchanged and find every checksum right.

public import MarketModel

/// A simulated Kraken.
///
/// The markets move on their own schedule from the start on, whether or not somebody listens: a
/// seed always gives the same markets. After a pause of the host longer than
/// ``maximumCatchUpMilliseconds`` they stand still for the pause's earlier part; the streams stay
/// without a gap.
public struct SimulatedKraken: SimulatedVenue {
  /// The longest time that is caught up step by step.
  public static let maximumCatchUpMilliseconds: Int64 = 3000
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
  var markets: [BitMEXMarket]
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
    markets = pairs.map {
      BitMEXMarket(
        $0.instrument, generation: .modern, seed: SeedText.seed(seed, "kraken"), start: start)
    }
    lastTrades = markets.enumerated().map { index, market in
      10_000_000 * Int64(index + 1) + Int64(market.trades.count)
    }
    heartbeatDue = start.adding(milliseconds: SimulatedKraken.heartbeatMilliseconds)
    connections = SplitMix64(seed: SeedText.seed(seed, "kraken connections"))
  }

  /// Refuses every path but `/v2` with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == "/v2" ? nil : VenueResponse(status: 404, body: [])
  }

  /// Greets the client.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    clients.add(client, at: now)
    return [tell(client, KrakenText.status(connection: connections.next()))]
  }

  /// Forgets the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) { clients.remove(client) }

  /// There is nothing to be had by plain HTTP.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    nil
  }

  /// The next step of a market or the next heartbeat.
  public var nextEvent: Timestamp? {
    markets.reduce(heartbeatDue) { min($0, $1.due) }
  }

  /// Makes the steps and heartbeats that are due, in the order of their times.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    skipPause(now)
    var effects: [VenueEffect] = []
    while true {
      var index = 0
      for other in markets.indices where markets[other].due < markets[index].due { index = other }
      guard min(markets[index].due, heartbeatDue) <= now else { return effects }
      if markets[index].due <= heartbeatDue {
        step(index, &effects)
      } else {
        beat(at: heartbeatDue, &effects)
        heartbeatDue = heartbeatDue.adding(milliseconds: Self.heartbeatMilliseconds)
      }
    }
  }

  private mutating func skipPause(_ now: Timestamp) {
    let earliest = now.adding(milliseconds: -SimulatedKraken.maximumCatchUpMilliseconds)
    for index in markets.indices where markets[index].due < earliest {
      markets[index].due = earliest
    }
    if heartbeatDue < earliest { heartbeatDue = earliest }
  }

  /// One step of a market: its trades, then what each depth's listeners must know of its book.
  private mutating func step(_ index: Int, _ effects: inout [VenueEffect]) {
    let time = markets[index].due
    let events = markets[index].step()
    for case .trades(let trades) in events {
      let first = lastTrades[index] + 1
      lastTrades[index] += Int64(trades.count)
      let listeners = clients.listeners(.trade(pair: index))
      if listeners.isEmpty { continue }
      let bytes = KrakenText.trades("update", pairs[index], trades, from: first)
      clients.tell(listeners, at: time)
      effects.append(.send(to: listeners, bytes: bytes, binary: false))
    }
    for depth in SimulatedKraken.depths { publish(index, depth: depth, at: time, &effects) }
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
    let new = KrakenTopBook(markets[index], pairs[index], depth: depth)
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
