import MarketModel
import Testing
import VenueCatalogue
import VenueProtocols
import VenueSimulator

/// A book venue of the fault suites: its simulation, its traps, and what its messages look like.
struct VenueCase: Sendable, CustomTestStringConvertible {
  let venue: Venue
  let bitcoin: Symbol
  let ether: Symbol
  /// The variant of the simulation, if it has several.
  var label = ""
  /// How long a response over HTTP takes; the venue makes it at once.
  var responseMilliseconds: Int64 = 0
  /// How often books are published; 0 with each change.
  var publishMilliseconds: Int64
  /// Silence after which a book is late, by heartbeats or without them.
  var silenceMilliseconds: Int64 = 3500
  /// The rows a side that the venue's proof covers.
  var provenRows = BookView.depth
  var make: @Sendable (_ seed: UInt64, _ start: Timestamp) -> any TruthTelling
  /// Whether a message is an update of the book of bitcoin.
  let isBookUpdate: @Sendable (String) -> Bool
  /// A message that breaks the book of bitcoin.
  var breaker = "{"
  /// Best levels of a second stream, altered so that they contradict the book; nil for others.
  var contradict: (@Sendable (String) -> String?)?
  /// What the session sends to fetch a lost book; nil for a new connection.
  var refetch: String?

  var testDescription: String { label.isEmpty ? "\(venue)" : "\(venue), \(label)" }

  var book: Subscription { Subscription(.book, bitcoin) }
  var trades: Subscription { Subscription(.trades, bitcoin) }
  var streams: Set<Subscription> {
    [
      book, trades, Subscription(.quote, bitcoin), Subscription(.figures, bitcoin),
      Subscription(.book, ether),
    ]
  }

  static let all = [kraken, coinbase, binance, okx, bybit, bybitLinear]

  static let kraken = VenueCase(
    venue: .kraken, bitcoin: Symbol(known: "BTC/USD"), ether: Symbol(known: "ETH/USD"),
    publishMilliseconds: 0, provenRows: 10,
    make: { SimulatedKraken(seed: $0, start: $1, listsAll: false) },
    isBookUpdate: {
      $0.hasPrefix(#"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD""#)
    },
    breaker: #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[],"asks":[],"#
      + #""checksum":1}]}"#,
    refetch: "unsubscribe")

  static let coinbase = VenueCase(
    venue: .coinbase, bitcoin: Symbol(known: "BTC-USD"), ether: Symbol(known: "ETH-USD"),
    publishMilliseconds: 50, make: { SimulatedCoinbase(seed: $0, start: $1) },
    isBookUpdate: { $0.contains(#""type":"update","product_id":"BTC-USD""#) })

  static let binance = VenueCase(
    venue: .binance, bitcoin: Symbol(known: "BTCUSDT"), ether: Symbol(known: "ETHUSDT"),
    publishMilliseconds: 100, silenceMilliseconds: 5000,
    make: { SimulatedBinance(seed: $0, start: $1) },
    isBookUpdate: { $0.contains(#""btcusdt@depth"#) },
    contradict: {
      $0.contains("btcusdt@bookTicker") ? $0.replacing(#""B":""#, with: #""B":"7"#) : nil
    },
    refetch: "GET /api/v3/depth?symbol=BTCUSDT")

  static let okx = VenueCase(
    venue: .okx, bitcoin: Symbol(known: "BTC-USDT"), ether: Symbol(known: "ETH-USDT"),
    publishMilliseconds: 100, silenceMilliseconds: 5000,
    make: { SimulatedOKX(seed: $0, start: $1) },
    isBookUpdate: {
      $0.contains(#""books","instId":"BTC-USDT""#) && $0.contains(#""update""#)
    },
    contradict: {
      $0.contains(#""bbo-tbt","instId":"BTC-USDT""#)
        ? $0.replacing(#""bids":[["#, with: #""bids":[["1","1","0","1"],["#) : nil
    },
    refetch: "unsubscribe")

  static let bybit = bybit(.spot, at: .bybit)
  static let bybitLinear = bybit(.linear, at: .bybitLinear)

  private static func bybit(_ category: BybitCategory, at venue: Venue) -> VenueCase {
    VenueCase(
      venue: venue, bitcoin: Symbol(known: "BTCUSDT"), ether: Symbol(known: "ETHUSDT"),
      publishMilliseconds: 20, silenceMilliseconds: 5000,
      make: { SimulatedBybit(category, seed: $0, start: $1) },
      isBookUpdate: { $0.contains("orderbook.50.BTCUSDT") && $0.contains(#""delta""#) },
      contradict: {
        $0.contains("orderbook.1.BTCUSDT")
          ? $0.replacing(#""b":[["#, with: #""b":[["1","1"],["#) : nil
      },
      refetch: "unsubscribe")
  }

  /// Every venue in each way that it may behave without a fault.
  static let variants: [VenueCase] =
    [kraken, coinbase] + okxVariants + variants(of: bybit, .spot)
    + variants(of: bybitLinear, .linear) + binanceVariants

  private static let okxVariants: [VenueCase] =
    OKXBehaviour.Checksum.allCases.map { checksum in
      okx.variant("checksum \(checksum)") { seed, start in
        var behaviour = OKXBehaviour()
        behaviour.checksum = checksum
        behaviour.resetMilliseconds = 7000
        return SimulatedOKX(seed: seed, start: start, behaviour: behaviour)
      }
    }

  private static func variants(of venue: VenueCase, _ category: BybitCategory) -> [VenueCase] {
    [false, true].map { isFirst in
      venue.variant(isFirst ? "snapshots first" : "responses first") { seed, start in
        var behaviour = BybitBehaviour()
        behaviour.snapshotsComeFirst = isFirst
        behaviour.restartMilliseconds = 7000
        return SimulatedBybit(category, seed: seed, start: start, behaviour: behaviour)
      }
    }
  }

  private static let binanceVariants: [VenueCase] =
    ([0, 150, 350, 1500] as [Int64]).map { delay in
      var copy = binance
      copy.label = "responses after \(delay) ms"
      copy.responseMilliseconds = delay
      return copy
    }

  /// The same venue with another simulation.
  func variant(
    _ label: String, _ make: @escaping @Sendable (UInt64, Timestamp) -> any TruthTelling
  ) -> VenueCase {
    var copy = self
    (copy.label, copy.make) = (label, make)
    return copy
  }

  /// A session that is connected and has received everything.
  func live(seed: UInt64 = 5, wanting wanted: Set<Subscription>? = nil) -> BookLoop {
    var loop = BookLoop(self, seed: seed, wanting: wanted)
    loop.connect()
    loop.run(milliseconds: 10_000)
    return loop
  }
}

/// Any simulated venue, with faults on demand.
struct FaultableVenue: TruthTelling, FaultInjecting {
  private(set) var venue: any TruthTelling & FaultInjecting

  init(_ venue: some TruthTelling, seed: UInt64) { self.venue = FaultyVenue(venue, seed: seed) }

  var plan: FaultPlan {
    get { venue.plan }
    set { venue.plan = newValue }
  }
  var nextEvent: Timestamp? { venue.nextEvent }

  mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    venue.refusal(of: request, at: now)
  }
  mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] { venue.connect(client, request, at: now) }
  mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] { venue.receive(bytes, binary: binary, from: client, at: now) }
  mutating func disconnect(_ client: ClientID) { venue.disconnect(client) }
  mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    venue.respond(to: request, at: now)
  }
  mutating func advance(to now: Timestamp) -> [VenueEffect] { venue.advance(to: now) }

  func answersPings(of client: ClientID) -> Bool { venue.answersPings(of: client) }
  func pongDue(of client: ClientID, at now: Timestamp) -> Timestamp {
    venue.pongDue(of: client, at: now)
  }
  mutating func inject(_ orders: [FaultOrder], at now: Timestamp) throws(FaultSpecError) {
    try venue.inject(orders, at: now)
  }
  mutating func clearFaults(at now: Timestamp) { venue.clearFaults(at: now) }
  func runningFaults(at now: Timestamp) -> [RunningFault] { venue.runningFaults(at: now) }

  func bestLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    venue.bestLevels(symbol, depth: depth)
  }
  func publishedLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? { venue.publishedLevels(symbol, depth: depth) }
  func streams(of client: ClientID) -> [String] { venue.streams(of: client) }
  func streams(for wanted: [Subscription]) -> [String] { venue.streams(for: wanted) }
}
