// Kraken's WebSocket v2 as a session: what the venue should send, what its answers mean, when a
// book must be fetched anew. The market data itself is KrakenMarket's.

public import MarketModel
import OrderBook

/// Kraken's WebSocket v2, without the socket.
///
/// | link | opened | status | closed | wanted |
/// |---|---|---|---|---|
/// | never, closed | greeting | – | closed | noted |
/// | greeting | greeting | ready; asks for the pairs | closed | noted |
/// | ready | greeting | maintenance: closed; then all anew | closed | asks for the difference |
///
/// Books and trades are asked for once the instrument channel has named their precision, without
/// which no checksum can be computed. Every reconnect subscribes to exactly the wanted topics, each
/// once.
public struct KrakenSession: VenueSession {
  enum Link: Equatable {
    case down
    case greeting(since: MonotonicTime)
    case ready
  }

  /// How long the greeting, the pairs or a snapshot may take.
  static let patienceMilliseconds: Int64 = 10_000

  /// Kraken.
  public var venue: Venue { .kraken }
  /// Where the data comes from.
  public let origin: DataOrigin
  /// A ping after 5 s of silence, dead after 5 s more: heartbeats come every second.
  public let heartbeat = HeartbeatPolicy(
    probe: .text(KrakenHeartbeat.ping),
    probeAfterMilliseconds: KrakenHeartbeat.probeAfterMilliseconds,
    deadAfterMilliseconds: KrakenHeartbeat.deadAfterMilliseconds)

  var market: KrakenMarket
  var link = Link.down
  var wanted: Set<Subscription> = []
  /// Topics that the venue was asked for on this connection.
  var asked: Set<KrakenTopic> = []
  /// Topics that the venue does not have; not asked for again on this connection.
  var refused: Set<KrakenTopic> = []
  /// When the pairs were asked for; nil when they have come.
  var instrumentsAskedAt: MonotonicTime?
  /// How often books were fetched anew of late.
  var resyncs = ResyncCounter()
  /// When the trades of a pair were last fetched anew for a hole, by pair number.
  var lastRefills: [Int: MonotonicTime] = [:]
  /// When anything was sent.
  var lastSent = MonotonicTime(nanoseconds: 0)
  var requests = KrakenRequests()
  /// The effect of the most frequent message, made once for each pair.
  var changedBook: [[SessionEffect]] = []

  /// A session that is down and wants nothing.
  public init(origin: DataOrigin) {
    self.origin = origin
    market = KrakenMarket(origin: origin, takesEverything: false)
  }

  /// Takes an event and returns what to do.
  public mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      // An `opened` without `closed` before it is a new connection all the same.
      forgetConnection()
      market.link = .open
      link = .greeting(since: now.monotonic)
      lastSent = now.monotonic
      return []
    case .closed:
      let wasDown = link == .down && market.link == .closed
      link = .down
      market.link = .closed
      forgetConnection()
      return wasDown ? [] : wanted.sorted().map(SessionEffect.changed)
    case .wanted(let new): return want(new, at: now)
    case .timer: return checkTimes(at: now)
    }
  }

  /// Takes a received message and returns what to do.
  public mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect] {
    if link == .down { return [] }
    let message: KrakenMessage
    do {
      message = try market.receive(bytes, at: now)
    } catch {
      return reject(error, at: now)
    }
    switch message {
    case .books, .trades: return afterData(at: now)
    case .instruments: return afterInstruments(at: now)
    case .status(let system): return take(system, at: now)
    case .pong: return [.pong]
    case .refused(let answer): return fail(answer, at: now)
    case .acknowledged, .heartbeat, .ignored: return []
    }
  }

  /// The present value of a stream; it says so when the venue does not know the pair.
  public func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    if isRefused(subscription) {
      return KrakenMarket.emptyValue(subscription, market.onLink(.waiting(origin)), isKnown: false)
    }
    guard let number = market.known(subscription.symbol), wanted.contains(subscription) else {
      return KrakenMarket.emptyValue(
        subscription, market.onLink(.waiting(origin)), isKnown: true)
    }
    switch subscription.channel {
    case .book: return .book(market.bookView(number, at: now))
    case .trades: return .trades(market.tapeView(number, at: now))
    case .quote: return .quote(market.quoteView(number, at: now))
    }
  }

  private mutating func forgetConnection() {
    market.interrupt()
    asked = []
    refused = []
    instrumentsAskedAt = nil
    lastRefills = [:]
    resyncs.forgetPostponed()
  }
}
