public import MarketModel
import OrderMatching
import WireJSON

/// Markets of Bybit that share a socket, as its REST names them.
public enum BybitCategory: String, Sendable, Hashable {
  /// Spot pairs.
  case spot
  /// Perpetuals that settle in tethers.
  case linear

  var venue: Venue { self == .spot ? .bybit : .bybitLinear }

  /// The most active ones.
  fileprivate var pairs: [SpotPair] {
    let all = SpotPair.tethered(
      at: venue, separator: "", levels: 220,
      lots: self == .spot
        ? [:]
        : [
          "BTC": 100_000, "ETH": 1_000_000, "SOL": 10_000_000, "XRP": 10_000_000,
          "DOGE": 100_000_000, "LTC": 10_000_000,
        ])
    // The venue has a perpetual of a thousand of these instead.
    return self == .spot ? all : all.filter { $0.base != "SHIB" }
  }
}

/// What the simulated Bybit does now and then.
public struct BybitBehaviour: Sendable, Equatable {
  /// Milliseconds between restarts of a book's numbers: a snapshot with the number 1.
  public var restartMilliseconds: Int64?
  /// Whether a snapshot precedes the response to its request.
  public var snapshotsComeFirst = true

  /// As the venue is seen to be.
  public init() {}
}

/// A simulated Bybit with seven spot pairs, or six perpetuals: its public WebSocket v5 and its REST
/// API.
///
/// The markets move on their own schedule from the start on, with or without subscribers. Books and
/// best levels are published every 20 ms; both have the sequence of the market's latest change,
/// trades that of their own. After a pause of the host longer than three seconds the books are
/// rebuilt, and the streams send the differences.
public struct SimulatedBybit: SpotVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 32 * 1024
  static let depth = 50
  static let publishMilliseconds: Int64 = 20
  /// Silence after which the best levels are repeated.
  static let repeatMilliseconds: Int64 = 3000
  static let firstTrade: Int64 = 2_100_000_000_188_000_000

  /// Silence of a client after which the venue disconnects it.
  static let patienceMilliseconds: Int64 = 600_000
  var path: String { "/v5/public/\(category)" }
  /// Between a pair's tickers.
  private var tickerMilliseconds: Int64 { category == .spot ? 500 : 100 }

  enum Channel: String, Sendable, CaseIterable {
    case book = "orderbook.50"
    case bestLevels = "orderbook.1"
    case trades = "publicTrade"
    case tickers
  }

  /// The published state of a pair.
  struct Published: PublishedPair, Sendable {
    /// Of the market's latest change.
    var sequence: Int64
    var book: TopLevels
    var bookUpdate: Int64
    var bookSequence: Int64
    var touch: TopLevels
    var touchUpdate: Int64
    var touchSequence: Int64
    var touchTime: Timestamp
    var isTickerDue = false
    var tickerTime: Timestamp
    /// The perpetual's ticker as sent, by member.
    var ticker: [BybitText.Member] = []
    var random: SplitMix64
  }

  /// A client.
  struct ClientState: Sendable {
    var receivedAt: Timestamp
  }

  let category: BybitCategory
  let behaviour: BybitBehaviour
  let pairs: [SpotPair]
  var market: SimulatedMarket
  var tapes: [MarketTape]
  var published: [Published]
  var schedule: VenueSchedule
  var clients = VenueClients<PairTopic<Channel>, ClientState>()
  private var restartDue: Timestamp?

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(
    _ category: BybitCategory = .spot, seed: UInt64, start: Timestamp,
    behaviour: BybitBehaviour = BybitBehaviour(), markets: OpenedMarkets = .all
  ) {
    self.category = category
    self.behaviour = behaviour
    let pairs = markets.of(category.pairs)
    self.pairs = pairs
    let opening = MarketOpening(seed: seed, start: start, pairs.map(\.listing)) { _ in 1 }
    (market, tapes) = (opening.market, opening.tapes)
    published = pairs.indices.map { index in
      var random = SplitMix64(seed: SeedText.seed(seed, "\(category.venue) " + pairs[index].symbol))
      let book = TopLevels(opening.market.instruments[index], depth: Self.depth)
      let sequence = 113_000_000_000 + random.below(1_000_000_000)
      let update = 200_000_000 + random.below(1_000_000)
      return Published(
        sequence: sequence, book: book, bookUpdate: update, bookSequence: sequence,
        touch: book.cut(to: 1), touchUpdate: update / 2, touchSequence: sequence,
        touchTime: start, tickerTime: start, random: random)
    }
    schedule = VenueSchedule(publishEvery: Self.publishMilliseconds, from: start)
    restartDue = behaviour.restartMilliseconds.map { start.adding(milliseconds: $0) }
    for (index, event) in opening.past { _ = record(event, of: index) }
  }

  var text: BybitText { BybitText(category: category) }

  func newState(at now: Timestamp) -> ClientState { ClientState(receivedAt: now) }

  /// Records an event, and sends its trades.
  mutating func apply(_ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]) {
    published[index].sequence += 1 + published[index].random.below(9)
    let rows = record(event, of: index)
    guard !rows.isEmpty, !listeners(.trades, index).isEmpty else { return }
    let identifiers = rows.map { tradeIdentifier($0.identifier, of: index) }
    let (pair, sequence) = (pairs[index], published[index].sequence)
    let time = market.time(of: event)
    let text = text
    send(
      text.trades(pair, rows, identifiers, sequence: sequence, at: time), .trades, index,
      at: time, &effects)
  }

  /// The venue's identifier of a trade, by its number in the tape: spot's rise by 1 to 5, a
  /// perpetual's is a UUID.
  func tradeIdentifier(_ number: Int64, of index: Int) -> String {
    if category == .spot {
      return String(Self.firstTrade + 3 * number + (number &* 2_654_435_761 >> 7 & 0xFFFF) % 3)
    }
    var random = SplitMix64(seed: SeedText.seed(UInt64(bitPattern: number), pairs[index].symbol))
    let digits = [random.next(), random.next()].map { half in
      let hex = String(half, radix: 16)
      return String(repeating: "0", count: 16 - hex.utf8.count) + hex
    }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  private mutating func record(_ event: AgentEvent, of index: Int) -> [TapeTrade] {
    guard !event.trades.isEmpty else { return [] }
    published[index].isTickerDue = true
    return tapes[index].record(event.trades, at: market.time(of: event))
  }

  mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {
    var isRestart = false
    if let due = restartDue, due <= time {
      isRestart = true
      restartDue = behaviour.restartMilliseconds.map { due.adding(milliseconds: $0) }
    }
    for index in pairs.indices { publish(index, at: time, isRestart: isRestart, &effects) }
  }

  mutating func beat(at time: Timestamp, _ effects: inout [VenueEffect]) {
    effects += clients.close(code: 1000, reason: "no ping") {
      time.milliseconds(since: $0.receivedAt) >= Self.patienceMilliseconds
    }
  }

  private mutating func publish(
    _ index: Int, at time: Timestamp, isRestart: Bool, _ effects: inout [VenueEffect]
  ) {
    let old = published[index]
    if isRestart || old.sequence != old.bookSequence {
      publishBook(index, at: time, isRestart: isRestart, &effects)
    }
    let touch = published[index].book.cut(to: 1)
    let isNews = !touch.shows(old.touch)
    if isNews || time.milliseconds(since: old.touchTime) >= Self.repeatMilliseconds {
      if isNews { published[index].touchUpdate += 1 }
      published[index].touch = touch
      published[index].touchSequence = published[index].bookSequence
      published[index].touchTime = time
      let message = bestLevels(index, at: time)
      send(message, .bestLevels, index, at: time, &effects)
    }
    if isNews, category == .linear { published[index].isTickerDue = true }
    if published[index].isTickerDue, !listeners(.tickers, index).isEmpty,
      time.milliseconds(since: old.tickerTime) >= tickerMilliseconds
    {
      published[index].isTickerDue = false
      published[index].tickerTime = time
      guard let message = nextTicker(index, at: time) else { return }
      send(message, .tickers, index, at: time, &effects)
    }
  }

  private mutating func publishBook(
    _ index: Int, at time: Timestamp, isRestart: Bool, _ effects: inout [VenueEffect]
  ) {
    let old = published[index]
    let new = TopLevels(market.instruments[index], depth: Self.depth)
    published[index].bookSequence = old.sequence
    guard isRestart || !new.shows(old.book) else { return }
    published[index].book = new
    published[index].bookUpdate = isRestart ? 1 : old.bookUpdate + 1
    let (bids, asks) = isRestart ? (new.bids, new.asks) : old.book.changes(to: new)
    let (pair, text, update) = (pairs[index], text, published[index].bookUpdate)
    send(
      text.book(
        Self.depth, pair, type: isRestart ? "snapshot" : "delta", bids: bids, asks: asks,
        update: update, sequence: old.sequence, at: time),
      .book, index, at: time, &effects)
  }

  func bestLevels(_ index: Int, at time: Timestamp) -> [UInt8] {
    let state = published[index]
    return text.book(
      1, pairs[index], type: "snapshot", bids: state.touch.bids, asks: state.touch.asks,
      update: state.touchUpdate, sequence: state.touchSequence, at: time)
  }

  /// The whole ticker: spot's as of now, a perpetual's as its subscribers have it.
  mutating func ticker(_ index: Int, at time: Timestamp) -> [UInt8] {
    let pair = pairs[index]
    if category == .spot {
      return text.ticker(pair, text.figures(pair, daySummary(of: index, at: time)), at: time)
    }
    if listeners(.tickers, index).count <= 1 { published[index].ticker = members(index, at: time) }
    return text.ticker(pair, published[index].ticker, at: time)
  }

  /// The next ticker of the stream: spot's whole one, the changed members of a perpetual's; nil
  /// without any.
  private mutating func nextTicker(_ index: Int, at time: Timestamp) -> [UInt8]? {
    if category == .spot { return ticker(index, at: time) }
    let members = members(index, at: time)
    let changed = zip(published[index].ticker, members).filter { $0.value != $1.value }.map(\.1)
    published[index].ticker = members
    return changed.isEmpty ? nil : text.ticker(pairs[index], changed, isDelta: true, at: time)
  }

  private mutating func members(_ index: Int, at time: Timestamp) -> [BybitText.Member] {
    let pair = pairs[index]
    return text.figures(pair, daySummary(of: index, at: time))
      + text.bestLevels(pair, published[index].touch)
  }
}

// Requests of clients: one response each, because one bad topic rejects a whole request.

extension SimulatedBybit {
  /// The most arguments of a request for spot pairs.
  private static let maximumArguments = 10

  mutating func handle(_ bytes: [UInt8], of client: ClientID, at now: Timestamp) -> [VenueEffect] {
    clients[client]?.receivedAt = now
    guard let request = try? BybitRequest(bytes) else {
      return [respond(BybitRequest(), to: client, problem: "error:json parse failed")]
    }
    switch request.operation {
    case "ping":
      let pong = BybitText.response(
        "ping", isSuccess: true, "pong", request: request.identifier,
        connection: Self.connection(client))
      return [reply(client, pong)]
    case "subscribe": return subscribe(request, of: client, at: now)
    case "unsubscribe":
      for argument in request.arguments {
        if let topic = topic(argument) { clients.topics.remove(client, topic) }
      }
      return [respond(request, to: client)]
    default: return [respond(request, to: client, problem: "error:unknown op")]
    }
  }

  private mutating func subscribe(
    _ request: BybitRequest, of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard category == .linear || request.arguments.count <= Self.maximumArguments else {
      return [respond(request, to: client, problem: "args size >10")]
    }
    var topics: [PairTopic<Channel>] = []
    for argument in request.arguments {
      guard let topic = topic(argument) else {
        // The venue leaves out the request's number here.
        var unnumbered = request
        unnumbered.identifier = nil
        let problem =
          category == .spot
          ? "Invalid symbol :[\(argument)]" : "error:handler not found,topic:\(argument)"
        return [respond(unnumbered, to: client, problem: problem)]
      }
      guard !clients.topics.contains(client, topic), !topics.contains(topic) else {
        let problem = "error:already subscribed,topic:\(argument)"
        return [respond(request, to: client, problem: problem)]
      }
      topics.append(topic)
    }
    for topic in topics { clients.topics.insert(client, topic) }
    let snapshots = topics.flatMap { first($0, at: now) }.map { reply(client, $0) }
    let acknowledged = [respond(request, to: client)]
    return behaviour.snapshotsComeFirst ? snapshots + acknowledged : acknowledged + snapshots
  }

  private func topic(_ text: String) -> PairTopic<Channel>? {
    guard let dot = text.lastIndex(of: "."),
      let channel = Channel(rawValue: String(text[..<dot])),
      let pair = index(of: String(text[text.index(after: dot)...]))
    else { return nil }
    return PairTopic(channel: channel, pair: pair)
  }

  /// What a new subscriber gets at once; trades have no history.
  private mutating func first(_ topic: PairTopic<Channel>, at now: Timestamp) -> [[UInt8]] {
    guard let index = topic.pair else { return [] }
    let state = published[index]
    switch topic.channel {
    case .book:
      return [
        text.book(
          Self.depth, pairs[index], type: "snapshot", bids: state.book.bids, asks: state.book.asks,
          update: state.bookUpdate, sequence: state.bookSequence, at: now)
      ]
    case .bestLevels: return [bestLevels(index, at: now)]
    case .trades: return []
    case .tickers: return [ticker(index, at: now)]
    }
  }

  private func respond(
    _ request: BybitRequest, to client: ClientID, problem: String? = nil
  ) -> VenueEffect {
    reply(
      client,
      BybitText.response(
        request.operation, isSuccess: problem == nil,
        problem ?? (category == .spot ? request.operation : ""),
        request: request.identifier, connection: Self.connection(client)))
  }

  private static func connection(_ client: ClientID) -> String {
    "d967ikkn0ine3iqmjc30-\(String(1_000_000 + client.number, radix: 36))"
  }
}

/// A client's command: `{"op":"subscribe","args":["orderbook.50.BTCUSDT"],"req_id":"1"}`.
struct BybitRequest: Sendable {
  private(set) var operation = ""
  private(set) var arguments: [String] = []
  var identifier: String?

  init() {}

  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, key, cursor) throws(JSONError) in
      switch key {
      case "op": operation = try CommandReader.text(span, &cursor)
      case "req_id":
        // Some clients send a number.
        var copy = cursor
        if let number = try? copy.integer(span) {
          (identifier, cursor) = (String(number), copy)
        } else {
          identifier = try CommandReader.text(span, &cursor)
        }
      case "args": arguments = try CommandReader.texts(span, &cursor)
      default: break
      }
    }
  }
}
