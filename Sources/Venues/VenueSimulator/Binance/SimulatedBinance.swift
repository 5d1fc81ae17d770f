public import MarketModel
import OrderMatching
import WireJSON

/// What the simulated Binance does now and then.
public struct BinanceBehaviour: Sendable, Equatable {
  /// How many of the first snapshots have the state of the start.
  public var oldSnapshots = 0
  /// How many of the first snapshots are refused with 429 and a wait of two seconds.
  public var limitedSnapshots = 0
  /// The status of every response over HTTP: 451 for a refused location, 418 for a ban.
  public var blockedStatus: Int?
  /// Every so many updates one deletes a price that the book does not hold; 0 for never.
  public var orphanEvery: Int64 = 7

  /// As the venue is seen to be.
  public init() {}
}

/// A simulated Binance with seven spot pairs: its combined streams and its REST API.
///
/// The markets move on their own schedule from the start on, with or without subscribers. Each
/// change of a market takes numbers; an update contains those of 100 ms, and a snapshot has the
/// latest, so that it may end within the next update. After a pause of the host longer than three
/// seconds the books are rebuilt, and the streams send the differences.
public struct SimulatedBinance: SpotVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 32 * 1024
  static let publishMilliseconds: Int64 = 100
  static let tickerMilliseconds: Int64 = 1000
  static let firstTrade: Int64 = 3_988_881_941

  /// Messages in a second beyond which the venue disconnects a client.
  static let messagesPerSecond = 5
  var path: String { "/stream" }

  enum Channel: String, Sendable, CaseIterable {
    case book = "depth@100ms"
    case bestLevels = "bookTicker"
    case trades = "trade"
    /// The trades of one taker order at one price; here each trade alone.
    case aggregates = "aggTrade"
    case ticker
  }

  /// The published state of a pair.
  struct Published: PublishedPair, Sendable {
    /// Of the market's latest change.
    var number: Int64
    /// Of the latest update.
    var last: Int64
    var book: TopLevels
    /// The states of snapshots since the latest update.
    var stated: [TopLevels] = []
    var touch: TopLevels
    var updates: Int64 = 0
    var isTickerDue = false
    var tickerTime: Timestamp
    /// The state of the start, for snapshots that are too old.
    let old: TopLevels
    let oldNumber: Int64
    var random: SplitMix64
  }

  /// A client: the times of its latest messages, and whether its own lack the name of their stream.
  struct ClientState: Sendable {
    let isRaw: Bool
    private var messages: [Timestamp] = []

    init(isRaw: Bool = false) { self.isRaw = isRaw }

    /// Counts a message; false when the client has sent too many within a second.
    mutating func count(at now: Timestamp) -> Bool {
      messages.removeAll { now.milliseconds(since: $0) >= 1000 }
      messages.append(now)
      return messages.count <= SimulatedBinance.messagesPerSecond
    }
  }

  let behaviour: BinanceBehaviour
  let pairs: [SpotPair]
  var market: SimulatedMarket
  var tapes: [MarketTape]
  var published: [Published]
  var schedule: VenueSchedule
  var clients = VenueClients<PairTopic<Channel>, ClientState>()
  var limitedSnapshots = 0
  var usedWeight = 0
  var weightMinute: Int64 = 0
  private var oldSnapshots = 0

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(
    seed: UInt64, start: Timestamp, behaviour: BinanceBehaviour = BinanceBehaviour(),
    markets: OpenedMarkets = .all
  ) {
    self.behaviour = behaviour
    let pairs = markets.of(SpotPair.tethered(at: .binance, separator: "", levels: 220))
    self.pairs = pairs
    let opening = MarketOpening(seed: seed, start: start, pairs.map(\.listing)) { _ in
      Self.firstTrade
    }
    (market, tapes) = (opening.market, opening.tapes)
    published = pairs.indices.map { index in
      var random = SplitMix64(seed: SeedText.seed(seed, "binance " + pairs[index].symbol))
      let book = TopLevels(opening.market.instruments[index], depth: .max)
      let number = 66_000_000_000 + random.below(1_000_000_000)
      return Published(
        number: number, last: number, book: book, touch: book.cut(to: 1), tickerTime: start,
        old: book, oldNumber: number - 5, random: random)
    }
    schedule = VenueSchedule(publishEvery: Self.publishMilliseconds, from: start)
    for (index, event) in opening.past { _ = record(event, of: index) }
  }

  func newState(at now: Timestamp) -> ClientState { ClientState() }

  /// Refuses every path but `/stream`, `/ws` and those below `/ws` with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == path || Self.isRaw(request.path)
      ? nil : VenueResponse(status: 404, body: [])
  }

  private static func isRaw(_ path: String) -> Bool { path == "/ws" || path.hasPrefix("/ws/") }

  /// Accepts the client without a greeting, and subscribes the streams that its address names:
  /// `/stream?streams=a/b` or `/ws/a`.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    catchUp(to: now)
    let isRaw = Self.isRaw(request.path)
    clients.add(client, ClientState(isRaw: isRaw))
    let names = isRaw ? String(request.path.dropFirst(4)) : request.queryValue("streams") ?? ""
    for name in names.split(separator: "/") {
      if let stream = stream(String(name)) { clients.topics.insert(client, stream) }
    }
    return []
  }

  func framed(_ bytes: [UInt8], for listeners: [ClientID]) -> [VenueEffect] {
    let raw = listeners.filter { clients[$0]?.isRaw == true }
    let combined = listeners.filter { !raw.contains($0) }
    return [(combined, bytes), (raw, BinanceText.unnamed(bytes))].compactMap { clients, bytes in
      clients.isEmpty ? nil : .send(to: clients, bytes: bytes, binary: false)
    }
  }

  /// The venue closes no silent connection.
  mutating func beat(at time: Timestamp, _ effects: inout [VenueEffect]) {}

  /// Records an event, and sends its trades and the best levels that it changed.
  mutating func apply(_ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]) {
    published[index].number += 1 + published[index].random.below(3)
    let (pair, number) = (pairs[index], published[index].number)
    let time = market.time(of: event)
    for row in record(event, of: index) {
      send(BinanceText.trade(pair, row, at: time), .trades, index, at: time, &effects)
      send(BinanceText.aggregate(pair, row, at: time), .aggregates, index, at: time, &effects)
    }
    guard !listeners(.bestLevels, index).isEmpty else { return }
    let touch = TopLevels(market.instruments[index], depth: 1)
    guard !touch.shows(published[index].touch) else { return }
    published[index].touch = touch
    send(BinanceText.bestLevels(pair, touch, last: number), .bestLevels, index, at: time, &effects)
  }

  private mutating func record(_ event: AgentEvent, of index: Int) -> [TapeTrade] {
    guard !event.trades.isEmpty else { return [] }
    published[index].isTickerDue = true
    return tapes[index].record(event.trades, at: market.time(of: event))
  }

  mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {
    for index in pairs.indices { publish(index, at: time, &effects) }
  }

  private mutating func publish(_ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]) {
    let (old, pair) = (published[index], pairs[index])
    if old.number != old.last {
      let new = TopLevels(market.instruments[index], depth: .max)
      // An update has every level that was touched, also one that is as before: a snapshot in
      // between may have stated it.
      var (bids, asks) = old.book.changes(to: new, alsoFrom: old.stated)
      published[index].stated = []
      published[index].updates += 1
      let every = behaviour.orphanEvery
      if every > 0, published[index].updates % every == 0, let worst = new.asks.last {
        asks.append(
          BookLevel(
            price: Price(units: worst.price.units + 1000), quantity: .zero, orders: 0))
      }
      published[index].book = new
      published[index].last = old.number
      send(
        BinanceText.update(
          pair, first: old.last + 1, last: old.number, bids: bids, asks: asks, at: time),
        .book, index, at: time, &effects)
    }
    if old.isTickerDue, !listeners(.ticker, index).isEmpty,
      time.milliseconds(since: old.tickerTime) >= Self.tickerMilliseconds
    {
      published[index].isTickerDue = false
      published[index].tickerTime = time
      let top = TopLevels(market.instruments[index], depth: 1)
      let day = daySummary(of: index, at: time)
      send(BinanceText.ticker(pair, day, top, at: time), .ticker, index, at: time, &effects)
    }
  }

  /// The present book with its number, or an older one.
  mutating func snapshot(_ index: Int, limit: Int) -> (levels: TopLevels, number: Int64) {
    if oldSnapshots < behaviour.oldSnapshots {
      oldSnapshots += 1
      return (published[index].old.cut(to: limit), published[index].oldNumber)
    }
    let state = TopLevels(market.instruments[index], depth: .max)
    if published[index].number != published[index].last { published[index].stated.append(state) }
    return (state.cut(to: limit), published[index].number)
  }

  /// Announces the end of all connections, as the venue does before a server stops.
  package func shutdown(at now: Timestamp) -> [VenueEffect] {
    let text =
      #"{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":\#(now.milliseconds)}}"#
    return [.send(to: clients.all, bytes: Array(text.utf8), binary: false)]
  }
}

// Requests of clients. The venue acknowledges streams that do not exist, and stays silent.

extension SimulatedBinance {
  mutating func handle(_ bytes: [UInt8], of client: ClientID, at now: Timestamp) -> [VenueEffect] {
    guard clients[client]?.count(at: now) == true else {
      clients.remove(client)
      return [.close(client, code: 1008, reason: "Too many requests")]
    }
    guard let request = try? BinanceCommand(bytes) else {
      return [
        reply(client, BinanceText.failure(3, "Invalid JSON: expected value at line 1 column 1"))
      ]
    }
    switch request.method {
    case "SUBSCRIBE":
      for name in request.streams {
        if let stream = stream(name) { clients.topics.insert(client, stream) }
      }
      return [reply(client, BinanceText.response(request.number))]
    case "UNSUBSCRIBE":
      for name in request.streams {
        if let stream = stream(name) { clients.topics.remove(client, stream) }
      }
      return [reply(client, BinanceText.response(request.number))]
    case "LIST_SUBSCRIPTIONS":
      let names = clients.topics.topics(of: client).compactMap { topic in
        topic.pair.map { BinanceText.name(topic.channel, pairs[$0]) }
      }
      return [reply(client, BinanceText.response(request.number, streams: names))]
    default:
      return [
        reply(
          client, BinanceText.failure(2, "Invalid request: unknown variant `\(request.method)`"))
      ]
    }
  }

  func stream(_ name: String) -> PairTopic<Channel>? {
    let parts = name.split(separator: "@", maxSplits: 1)
    guard parts.count == 2, let channel = Channel(rawValue: String(parts[1])),
      let pair = pairs.firstIndex(where: { $0.symbol.lowercased() == parts[0] })
    else { return nil }
    return PairTopic(channel: channel, pair: pair)
  }
}

/// A client's command: `{"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1}`.
struct BinanceCommand: Sendable {
  private(set) var method = ""
  private(set) var streams: [String] = []
  private(set) var number: Int64?

  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, key, cursor) throws(JSONError) in
      switch key {
      case "method": method = try CommandReader.text(span, &cursor)
      case "id": number = try cursor.integer(span)
      case "params": streams = try CommandReader.texts(span, &cursor)
      default: break
      }
    }
  }
}
