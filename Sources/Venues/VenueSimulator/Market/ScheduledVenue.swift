import MarketModel
import OrderMatching

/// When a venue next publishes, and when it next does its housekeeping.
struct VenueSchedule: Sendable {
  fileprivate(set) var publishDue: Timestamp
  fileprivate(set) var beatDue: Timestamp
  fileprivate let publishMilliseconds: Int64
  fileprivate let beatMilliseconds: Int64

  /// Without a publish interval a venue publishes each change at once.
  init(publishEvery interval: Int64?, beatEvery beat: Int64 = 1000, from start: Timestamp) {
    publishMilliseconds = interval ?? 0
    publishDue =
      interval.map { start.adding(milliseconds: $0) } ?? Timestamp(nanoseconds: .max)
    beatMilliseconds = beat
    beatDue = start.adding(milliseconds: beat)
  }

  var next: Timestamp { min(publishDue, beatDue) }

  /// Skips what a pause of the host has missed.
  fileprivate mutating func skip(to now: Timestamp) {
    let earliest = now.adding(milliseconds: -SimulatedInstrument.longestPause / 1000)
    publishDue = max(publishDue, earliest)
    beatDue = max(beatDue, earliest)
  }
}

/// The clients of a venue.
protocol ClientRegistry {
  func contains(_ client: ClientID) -> Bool
  mutating func remove(_ client: ClientID)
}

/// A simulated venue whose markets move on their own schedule, with or without subscribers.
///
/// After a pause of the host longer than three seconds the books are rebuilt, and the streams send
/// the differences.
protocol ScheduledVenue: TruthTelling {
  associatedtype Clients: ClientRegistry

  /// The path of the WebSocket.
  var path: String { get }
  /// A longer message of a client closes the connection with 1009.
  static var maximumMessageBytes: Int { get }

  var market: SimulatedMarket { get set }
  /// Each market's trades from its listing on.
  var tapes: [MarketTape] { get set }
  var schedule: VenueSchedule { get set }
  var clients: Clients { get set }
  /// Whether any client follows a market.
  var areListening: Bool { get }

  /// Adds a client and returns its greeting.
  mutating func admit(_ client: ClientID, at now: Timestamp) -> [VenueEffect]
  /// Handles a message of at most ``maximumMessageBytes``.
  mutating func handle(_ bytes: [UInt8], of client: ClientID, at now: Timestamp) -> [VenueEffect]
  /// Runs before the markets move.
  mutating func prepare(at now: Timestamp)
  /// Records an event of a market, and sends what is sent at once.
  mutating func apply(_ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect])
  /// Sends what is sent at intervals.
  mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect])
  /// Sends heartbeats, and disconnects silent clients.
  mutating func beat(at time: Timestamp, _ effects: inout [VenueEffect])
}

extension ScheduledVenue {
  mutating func prepare(at now: Timestamp) {}

  mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {}

  /// Refuses every path but that of the WebSocket with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == path ? nil : VenueResponse(status: 404, body: [])
  }

  /// Accepts the client; returns its greeting, if any.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    catchUp(to: now)
    return admit(client, at: now)
  }

  /// Removes the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) { clients.remove(client) }

  /// Handles requests in the venue's format; anything else gets an error.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard clients.contains(client) else { return [] }
    catchUp(to: now)
    guard bytes.count <= Self.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    return handle(bytes, of: client, at: now)
  }

  /// The next step of a market that has subscribers, the next publication or heartbeat.
  public var nextEvent: Timestamp? {
    guard areListening else { return schedule.beatDue }
    return market.due.map { min($0, schedule.next) } ?? schedule.next
  }

  /// Makes the steps, publications and heartbeats that are due, in the order of their times.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    var effects: [VenueEffect] = []
    skipPause(now, &effects)
    while step(to: now, beats: true, &effects) {}
    return effects
  }

  /// The same one by one: several steps may be due at one moment.
  package mutating func step(to now: Timestamp) -> (effects: [VenueEffect], isLast: Bool) {
    var effects: [VenueEffect] = []
    skipPause(now, &effects)
    let isStep = step(to: now, beats: true, &effects)
    return (effects, !isStep)
  }

  /// Makes the due steps while there are no subscribers, so that responses are current.
  mutating func catchUp(to now: Timestamp) {
    guard !areListening else { return }
    // Without subscribers there is nothing to send.
    var unsent: [VenueEffect] = []
    skipPause(now, &unsent)
    while step(to: now, beats: false, &unsent) {}
  }

  /// Makes the next step that is due; false without one.
  private mutating func step(
    to now: Timestamp, beats: Bool, _ effects: inout [VenueEffect]
  ) -> Bool {
    let (publishDue, beatDue) = (schedule.publishDue, schedule.beatDue)
    let isBeat = beats && beatDue < publishDue
    let timer = isBeat ? beatDue : publishDue
    if let (index, events) = market.next(by: min(timer, now)) {
      for event in events { apply(event, of: index, &effects) }
      return true
    }
    guard timer <= now else { return false }
    if isBeat {
      beat(at: beatDue, &effects)
      schedule.beatDue = beatDue.adding(milliseconds: schedule.beatMilliseconds)
    } else {
      publish(at: publishDue, &effects)
      // Nothing is published without subscribers, so the time is skipped.
      let next = publishDue.adding(milliseconds: schedule.publishMilliseconds)
      schedule.publishDue = areListening ? next : max(next, now)
    }
    return true
  }

  private mutating func skipPause(_ now: Timestamp, _ effects: inout [VenueEffect]) {
    prepare(at: now)
    for reopening in market.reopen(at: now) {
      tapes[reopening.index].fill(from: reopening.paused, to: reopening.now)
      apply(reopening.event, of: reopening.index, &effects)
    }
    schedule.skip(to: now)
  }

  /// The current minute, as of the last moment whose steps have all been made.
  func minute(at now: Timestamp) -> Int64 {
    MarketTape.minute(MarketTape.microseconds(market.settled(now)))
  }

  /// A market's figures of the last 24 hours: whole minutes, and the current one.
  mutating func daySummary(of index: Int, at now: Timestamp) -> DaySummary {
    let minute = minute(at: now)
    return tapes[index].summary(from: minute - 1439, at: minute)
  }
}

/// Opens markets; agents trade for a minute before `start`, a formula gives earlier trades.
///
/// Each market's first trade has the number that `first` returns for its index. The events before
/// `start` are returned for the venue to record.
struct MarketOpening {
  let market: SimulatedMarket
  let tapes: [MarketTape]
  let past: [(index: Int, event: AgentEvent)]

  init(seed: UInt64, start: Timestamp, _ listings: [MarketListing], first: (Int) -> Int64) {
    var market = SimulatedMarket(seed: seed, start: start, listings)
    tapes = listings.indices.map { market.tape(of: $0, first: first($0)) }
    past = market.takePast().enumerated().flatMap { index, events in
      events.map { (index, $0) }
    }
    self.market = market
  }
}
