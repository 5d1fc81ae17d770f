public import MarketModel
import OrderMatching
import WireJSON

/// A simulated Kraken with about as many pairs as the real one: WebSocket v2 and public REST.
///
/// Clients written for Kraken connect unchanged and find every checksum right. Eight markets have
/// deep books that move on their own schedule from the start on, with or without subscribers: a
/// seed always gives the same markets. The others have quiet books that open on request and close a
/// minute after their last subscriber; trades in between follow from the formula of the past. After
/// a pause of the host longer than three seconds the books are rebuilt, and the streams send the
/// differences.
public struct SimulatedKraken: ScheduledVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 16 * 1024
  /// Silence of the venue after which it sends a heartbeat.
  public static let heartbeatMilliseconds: Int64 = 1000
  /// Silence of a client after which the venue disconnects it.
  public static let patienceMilliseconds: Int64 = 60_000
  /// The offered book depths.
  public static let depths = [10, 25, 100, 500, 1000]
  var path: String { "/v2" }
  static let snapshotTrades = 50

  let directory: KrakenDirectory
  /// The requested pairs, deep books first; all lists of pairs here have the same indexes.
  var pairs: [KrakenPair]
  /// The indexes of the pairs, by their places in the directory.
  var places: [Int: Int]
  /// The state of pairs with quiet books; nil for the others.
  var quiet: [KrakenQuietMarket?]
  var openQuiet: [Int] = []
  /// The quiet pairs with cached hours, the latest request at the end.
  var remembered: [Int] = []
  var market: SimulatedMarket
  /// Each pair's trades from its listing on.
  var tapes: [MarketTape]
  /// Each pair's best prices at its latest trade, with its time.
  var touches: [KrakenTouch]
  /// Each pair's latest figures of a day; recomputed with each trade or minute.
  var figures: [KrakenFigures?]
  var calls: KrakenCallBudget
  var clients = KrakenClients()
  /// The last published books of topics with subscribers.
  var published: [KrakenTopic: KrakenTopBook] = [:]
  /// The last published best prices, of pairs that had ticker subscribers.
  var publishedTouches: [Int: KrakenTouch] = [:]
  let proof = KrakenProof()
  let begin: Timestamp
  var schedule: VenueSchedule
  private var connections: SplitMix64

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  ///
  /// - Parameters:
  ///   - seed: The seed of everything random.
  ///   - start: When the markets start.
  ///   - limitsCalls: Whether public calls are limited: 15 at once, then one a second.
  ///   - markets: The deep markets to open; a choice of symbols lists no others.
  ///   - listsAll: Whether to list about as many pairs as the real venue, or only deep ones.
  public init(
    seed: UInt64, start: Timestamp, limitsCalls: Bool = true, markets: OpenedMarkets = .all,
    listsAll: Bool = true
  ) {
    let pairs = markets.of(KrakenPair.deep)
    directory =
      markets.symbols == nil ? (listsAll ? .all : .deep) : KrakenDirectory(pairs)
    self.pairs = pairs
    places = Dictionary(uniqueKeysWithValues: pairs.indices.map { ($0, $0) })
    quiet = Array(repeating: nil, count: pairs.count)
    begin = start
    let opening = MarketOpening(
      seed: seed, start: start, pairs.map(\.listing), first: Self.firstTrade)
    (market, tapes) = (opening.market, opening.tapes)
    touches = opening.market.instruments.map { KrakenTouch($0.top, at: start) }
    figures = Array(repeating: nil, count: pairs.count)
    calls = KrakenCallBudget(isLimited: limitsCalls, at: start)
    schedule = VenueSchedule(publishEvery: nil, beatEvery: Self.heartbeatMilliseconds, from: start)
    connections = SplitMix64(seed: SeedText.seed(seed, "kraken connections"))
    for (index, event) in opening.past { record(event, of: index) }
  }

  var areListening: Bool { clients.areListening }

  mutating func admit(_ client: ClientID, at now: Timestamp) -> [VenueEffect] {
    clients.add(client, at: now)
    return [tell(client, KrakenText.status(connection: connections.next() | 1 << 63))]
  }

  mutating func prepare(at now: Timestamp) { closeOverdue(at: now) }

  /// Sends a market's event: its trades, then the changes of each depth's book.
  mutating func apply(_ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]) {
    let time = market.time(of: event)
    let rows = record(event, of: index)
    let listeners = clients.listeners(.trade(pair: index))
    if !rows.isEmpty, !listeners.isEmpty {
      let bytes = KrakenText.trades("update", pairs[index], rows)
      clients.tell(listeners, at: time)
      effects.append(.send(to: listeners, bytes: bytes, binary: false))
    }
    tellTickers(of: index, traded: !rows.isEmpty, at: time, &effects)
    for depth in SimulatedKraken.depths { publish(index, depth: depth, at: time, &effects) }
  }

  @discardableResult
  private mutating func record(_ event: AgentEvent, of index: Int) -> [TapeTrade] {
    guard !event.trades.isEmpty else { return [] }
    let time = market.time(of: event)
    touches[index] = KrakenTouch(market.instruments[index].top, at: time)
    return tapes[index].record(event.trades, at: time)
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

  /// Sends heartbeats to clients that received nothing for a while, and disconnects silent clients.
  mutating func beat(at time: Timestamp, _ effects: inout [VenueEffect]) {
    closeUnheard(at: time)
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

// MARK: - Ticker

// Best prices, and the figures of the last 24 hours.

struct KrakenTouch: Sendable, Equatable {
  let bid: BookLevel?
  let ask: BookLevel?
  let time: Timestamp

  init(_ top: MarketTop, at time: Timestamp) { (bid, ask, self.time) = (top.bid, top.ask, time) }

  /// Whether prices and sizes are the same, at any time.
  func shows(_ other: KrakenTouch) -> Bool { bid == other.bid && ask == other.ask }
}

/// A pair's figures of a day, with the minute and the last trade that they cover.
struct KrakenFigures: Sendable {
  let minute: Int64
  let lastTrade: Int64
  /// Of the last 1,440 minutes, including the current one.
  let summary: DaySummary
}

extension SimulatedKraken {
  /// The figures of the last 24 hours: whole minutes, and the current one.
  mutating func summary(of index: Int, at now: Timestamp) -> DaySummary {
    let minute = MarketTape.minute(MarketTape.microseconds(now))
    let lastTrade = tapes[index].lastIdentifier
    if let known = figures[index], known.minute == minute, known.lastTrade == lastTrade {
      return known.summary
    }
    let summary = tapes[index].summary(from: minute - 1439, at: minute)
    figures[index] = KrakenFigures(minute: minute, lastTrade: lastTrade, summary: summary)
    return summary
  }

  /// A ticker message: with `trades` the best prices are those at the latest trade.
  mutating func ticker(
    _ type: String, _ index: Int, _ trigger: KrakenTrigger, at now: Timestamp
  ) -> [UInt8] {
    let touch =
      trigger == .trades
      ? touches[index] : KrakenTouch(market.instruments[index].top, at: now)
    return KrakenText.ticker(type, pairs[index], touch, summary(of: index, at: now))
  }

  private mutating func tellTickers(
    of index: Int, traded: Bool, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    for trigger in KrakenTrigger.allCases {
      let listeners = clients.listeners(.ticker(pair: index, trigger))
      if listeners.isEmpty { continue }
      if trigger == .trades, !traded { continue }
      if trigger == .bbo {
        let touch = KrakenTouch(market.instruments[index].top, at: time)
        if publishedTouches[index]?.shows(touch) == true { continue }
        publishedTouches[index] = touch
      }
      let bytes = ticker("update", index, trigger, at: time)
      clients.tell(listeners, at: time)
      effects.append(.send(to: listeners, bytes: bytes, binary: false))
    }
  }
}

extension KrakenText {
  /// Best prices and a day's figures; an empty side has the last price and size 0.
  static func ticker(
    _ type: String, _ pair: KrakenPair, _ touch: KrakenTouch, _ day: DaySummary
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 384)
    begin(&writer, "ticker", type)
    writer.object { writer in
      writer.member("symbol", pair.symbol)
      writer.member("bid", number: pair.price(touch.bid?.price.units ?? day.traded.close))
      writer.member("bid_qty", number: pair.quantity(touch.bid?.quantity ?? .zero))
      writer.member("ask", number: pair.price(touch.ask?.price.units ?? day.traded.close))
      writer.member("ask_qty", number: pair.quantity(touch.ask?.quantity ?? .zero))
      let prices: [(StaticString, Int64)] = [
        ("vwap", (day.traded.average + 500) / 1000), ("low", day.traded.low),
        ("high", day.traded.high), ("change", day.change),
      ]
      writer.member("last", number: pair.price(day.traded.close))
      writer.member("volume", number: pair.quantity(lots: day.traded.lots))
      for (name, ticks) in prices {
        writer.key(name)
        writer.number(pair.price(ticks))
      }
      writer.member(
        "change_pct", number: FixedDecimal(units: day.changeBasisPoints, scale: Scale(clamping: 2)))
      writer.member("trades", day.traded.count)
      writer.key("timestamp")
      time(&writer, touch.time)
    }
    end(&writer)
    return writer.bytes
  }
}
