// BitMEX's realtime protocol as a session: which topics the venue should send, what its answers
// mean, when a book must be fetched anew. The market data itself is BitMEXMarket's.

public import MarketModel
import OrderBook

/// The BitMEX realtime WebSocket, without the socket.
///
/// | link | opened | welcome | closed | wanted |
/// |---|---|---|---|---|
/// | never, closed | greeting | – | closed | noted |
/// | greeting | greeting | ready; subscribes | closed | noted |
/// | ready | greeting | ignored | closed | asks for the difference |
///
/// Data that comes before the welcome is used. Without a welcome the connection is given up after
/// 10 s. Every reconnect subscribes to exactly the wanted topics, each once.
public struct BitMEXSession: VenueSession {
  enum Link: Equatable {
    case down
    case greeting(since: MonotonicTime)
    case ready
  }

  /// How long a welcome or a snapshot may take; 2.5 s were seen for a snapshot.
  static let patienceMilliseconds: Int64 = 10_000

  /// BitMEX.
  public var venue: Venue { .bitmex }
  /// Where the data comes from.
  public let origin: DataOrigin
  /// Text `ping` after 5 s of silence, dead after 5 s more (the venue's rule).
  public let heartbeat = HeartbeatPolicy(
    probe: .text("ping"), probeAfterMilliseconds: BitMEXHeartbeat.probeAfterMilliseconds,
    deadAfterMilliseconds: BitMEXHeartbeat.deadAfterMilliseconds)

  var market: BitMEXMarket
  var link = Link.down
  var wanted: Set<Subscription> = []
  /// Topics that the venue was asked for on this connection.
  var asked: Set<BitMEXTopic> = []
  /// Topics that the venue does not know; not asked for again on this connection.
  var refused: Set<BitMEXTopic> = []
  /// How often books were fetched anew of late.
  var resyncs = ResyncCounter()
  /// The effect of the most frequent message, made once for each symbol.
  var changedBook: [[SessionEffect]] = []

  /// A session that is down and wants nothing.
  public init(origin: DataOrigin) {
    self.origin = origin
    market = BitMEXMarket(origin: origin, takesEverything: false)
  }

  /// Takes an event and returns what to do.
  public mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      // An `opened` without `closed` before it is a new connection all the same.
      market.interrupt()
      market.link = .open
      forgetConnection()
      link = .greeting(since: now.monotonic)
      return []
    case .closed:
      let wasDown = link == .down && market.link == .closed
      link = .down
      market.link = .closed
      market.interrupt()
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
    let message: BitMEXMessage
    do {
      message = try market.receive(bytes, at: now)
    } catch {
      return reject(error, at: now)
    }
    switch message {
    case .table: return afterTable(at: now)
    case .pong: return [.pong]
    case .welcome: return welcome(at: now)
    case .failure(let failure): return fail(failure, at: now)
    case .acknowledged, .ignored: return []
    }
  }

  /// The present value of a stream; nil when the venue does not know the symbol.
  public func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    if isRefused(subscription) { return nil }
    guard let number = market.known(subscription.symbol), wanted.contains(subscription) else {
      return BitMEXMarket.emptyValue(subscription, market.onLink(.waiting(origin)))
    }
    switch subscription.channel {
    case .book: return .book(market.bookView(number, at: now))
    case .trades: return .trades(market.tapeView(number, at: now))
    case .quote: return .quote(market.quoteView(number, at: now))
    }
  }

  private mutating func forgetConnection() {
    asked = []
    refused = []
    resyncs.forgetPostponed()
  }

  private mutating func welcome(at now: ClockReading) -> [SessionEffect] {
    guard case .greeting = link else { return [] }
    link = .ready
    return [.ready] + askForDifference(at: now)
  }
}
