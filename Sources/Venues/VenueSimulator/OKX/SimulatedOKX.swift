public import MarketModel
import OrderMatching
import WireJSON

/// What the simulated OKX does that the documents leave open, or announce.
public struct OKXBehaviour: Sendable, Equatable {
  /// What a book message has as its checksum.
  public enum Checksum: Sendable, CaseIterable {
    /// The constant 0, as since June 2026.
    case zero
    /// No such key.
    case absent
    /// The right one, as before.
    case live
  }

  /// What a book message has as its checksum.
  public var checksum = Checksum.zero
  /// Whether `books` starts with a snapshot; the venue has announced to leave it out.
  public var sendsSnapshots = true
  /// Milliseconds between resets of a book's numbers to lower ones, as after maintenance; nil for
  /// none.
  public var resetMilliseconds: Int64?

  /// As the venue is today.
  public init() {}
}

/// A simulated OKX with seven spot pairs: its public WebSocket v5 and its REST API.
///
/// The markets move on their own schedule from the start on, with or without subscribers. Books are
/// published every 100 ms, best levels with each change; both count in one sequence with arbitrary
/// steps. After a pause of the host longer than three seconds the books are rebuilt, and the
/// streams send the differences.
public struct SimulatedOKX: SpotVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 64 * 1024
  static let depth = 400
  static let publishMilliseconds: Int64 = 100
  /// Silence of a book after which an update without changes is sent.
  static let idleMilliseconds: Int64 = 60_000
  static let firstTrade: Int64 = 1_060_000_000

  /// Requests of one connection in an hour.
  static let maximumRequestsPerHour = 480
  /// Silence of both sides after which the venue disconnects a client.
  static let patienceMilliseconds: Int64 = 30_000
  var path: String { "/ws/v5/public" }

  enum Channel: String, Sendable, CaseIterable {
    case books
    case books5
    case bestLevels = "bbo-tbt"
    case trades
    case tickers
    case status
    /// Accepted; instruments never change here, so nothing is sent.
    case instruments
  }

  /// The published state of a pair.
  struct Published: PublishedPair, Sendable {
    /// The number of the latest change of the market.
    var sequence: Int64
    var book: TopLevels
    /// The number and the time of the last book sent.
    var bookSequence: Int64
    var bookTime: Timestamp
    /// The last best levels sent.
    var touch: TopLevels
    /// The last five levels sent.
    var five: TopLevels
    /// Whether the ticker's figures have changed since it was sent.
    var isTickerDue = false
    /// The latest trade message, which a new subscriber gets.
    var trade: OKXTradeRow?
    var random: SplitMix64
  }

  /// A client.
  struct ClientState: Sendable {
    var hour: Int64 = .min
    var requests = 0
    /// When either side last sent a message.
    var active: Timestamp

    /// Counts a request; false when it exceeds this hour's limit.
    mutating func countRequest(at now: Timestamp) -> Bool {
      let present = now.milliseconds / 3_600_000
      if hour != present { (hour, requests) = (present, 0) }
      requests += 1
      return requests <= SimulatedOKX.maximumRequestsPerHour
    }
  }

  let behaviour: OKXBehaviour
  let pairs: [SpotPair]
  var market: SimulatedMarket
  var tapes: [MarketTape]
  var published: [Published]
  var schedule: VenueSchedule
  var clients = VenueClients<PairTopic<Channel>, ClientState>()
  private var resetDue: Timestamp?

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(
    seed: UInt64, start: Timestamp, behaviour: OKXBehaviour = OKXBehaviour(),
    markets: OpenedMarkets = .all
  ) {
    self.behaviour = behaviour
    let pairs = markets.of(SpotPair.tethered(at: .okx, separator: "-", levels: 520))
    self.pairs = pairs
    let opening = MarketOpening(seed: seed, start: start, pairs.map(\.listing)) { _ in
      Self.firstTrade
    }
    (market, tapes) = (opening.market, opening.tapes)
    published = pairs.indices.map { index in
      var random = SplitMix64(seed: SeedText.seed(seed, "okx " + pairs[index].symbol))
      let book = TopLevels(opening.market.instruments[index], depth: Self.depth)
      let sequence = 80_000_000_000 + random.below(1_000_000_000)
      return Published(
        sequence: sequence, book: book, bookSequence: sequence, bookTime: start,
        touch: book.cut(to: 1), five: book.cut(to: 5), random: random)
    }
    schedule = VenueSchedule(publishEvery: Self.publishMilliseconds, from: start)
    resetDue = behaviour.resetMilliseconds.map { start.adding(milliseconds: $0) }
    for (index, event) in opening.past { _ = record(event, of: index) }
  }

  func newState(at now: Timestamp) -> ClientState { ClientState(active: now) }

  mutating func noteSent(to clients: [ClientID], at time: Timestamp) {
    for client in clients { self.clients[client]?.active = time }
  }

  /// Records an event, and sends its trades and new best levels.
  mutating func apply(_ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]) {
    let (pair, time) = (pairs[index], market.time(of: event))
    let rows = record(event, of: index)
    published[index].sequence += 1 + published[index].random.below(40)
    for row in rows { send(OKXText.trade(pair, row), .trades, index, at: time, &effects) }
    let touch = TopLevels(market.instruments[index], depth: 1)
    guard !touch.shows(published[index].touch) else { return }
    published[index].touch = touch
    published[index].isTickerDue = true
    let sequence = published[index].sequence
    send(
      OKXText.levels("bbo-tbt", pair, touch, sequence, at: time), .bestLevels, index, at: time,
      &effects)
  }

  /// Fills of one taker at one price are one row.
  private mutating func record(_ event: AgentEvent, of index: Int) -> [OKXTradeRow] {
    guard !event.trades.isEmpty else { return [] }
    var rows: [OKXTradeRow] = []
    for trade in tapes[index].record(event.trades, at: market.time(of: event)) {
      if let last = rows.last, last.ticks == trade.ticks, last.isBuy == trade.isBuy {
        rows[rows.count - 1].add(trade)
      } else {
        rows.append(OKXTradeRow(trade, sequence: published[index].sequence))
      }
    }
    published[index].trade = rows.last
    published[index].isTickerDue = true
    return rows
  }

  mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {
    if let due = resetDue, due <= time {
      for index in pairs.indices { published[index].sequence = published[index].random.below(1000) }
      resetDue = behaviour.resetMilliseconds.map { due.adding(milliseconds: $0) }
    }
    for index in pairs.indices { publish(index, at: time, &effects) }
  }

  mutating func beat(at time: Timestamp, _ effects: inout [VenueEffect]) {
    effects += clients.close(code: 4004, reason: "No data received in 30s") {
      time.milliseconds(since: $0.active) >= Self.patienceMilliseconds
    }
  }

  private mutating func publish(_ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]) {
    let isIdle =
      time.milliseconds(since: published[index].bookTime) >= Self.idleMilliseconds
    if published[index].sequence != published[index].bookSequence || isIdle {
      publishBook(index, at: time, &effects)
    }
    if published[index].isTickerDue, !listeners(.tickers, index).isEmpty {
      published[index].isTickerDue = false
      let message = ticker(index, at: time)
      send(message, .tickers, index, at: time, &effects)
    }
  }

  private mutating func publishBook(
    _ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    let old = published[index]
    let new = TopLevels(market.instruments[index], depth: Self.depth)
    let (bids, asks) = old.book.changes(to: new)
    published[index].book = new
    published[index].bookSequence = old.sequence
    published[index].bookTime = time
    let pair = pairs[index]
    if !listeners(.books, index).isEmpty {
      let message = OKXText.book(
        "update", pair, bids: bids, asks: asks, sequence: old.sequence,
        previous: old.bookSequence, checksum: checksum(new, of: index), at: time)
      send(message, .books, index, at: time, &effects)
    }
    let five = new.cut(to: 5)
    guard !five.shows(old.five) else { return }
    published[index].five = five
    send(
      OKXText.levels("books5", pair, five, old.sequence, at: time), .books5, index, at: time,
      &effects)
  }

  /// The checksum that a message has; nil for no key.
  func checksum(_ book: TopLevels, of index: Int) -> Int32? {
    switch behaviour.checksum {
    case .zero: 0
    case .absent: nil
    case .live: OKXText.checksum(pairs[index], book)
    }
  }

  mutating func ticker(_ index: Int, at time: Timestamp) -> [UInt8] {
    let day = daySummary(of: index, at: time)
    return OKXText.ticker(
      pairs[index], published[index].touch, day, lastLots: tapes[index].last?.lots ?? 0, at: time)
  }
}

/// One row of the trades channel: consecutive fills of one taker at one price.
struct OKXTradeRow: Sendable {
  private(set) var identifier: Int64
  let milliseconds: Int64
  let ticks: Int64
  private(set) var lots: Int64
  let isBuy: Bool
  private(set) var count: Int64
  let sequence: Int64

  init(_ trade: TapeTrade, sequence: Int64) {
    identifier = trade.identifier
    milliseconds = trade.microseconds / 1000
    (ticks, lots, isBuy, count) = (trade.ticks, trade.lots, trade.isBuy, 1)
    self.sequence = sequence
  }

  mutating func add(_ trade: TapeTrade) {
    identifier = trade.identifier
    lots += trade.lots
    count += 1
  }
}

// Requests of clients: an acknowledgement per topic, before its data.

extension SimulatedOKX {
  private static let maximumArguments = 480

  mutating func handle(_ bytes: [UInt8], of client: ClientID, at now: Timestamp) -> [VenueEffect] {
    clients[client]?.active = now
    if bytes.elementsEqual("ping".utf8) { return [reply(client, Array("pong".utf8))] }
    guard let request = try? OKXRequest(bytes),
      request.operation == "subscribe" || request.operation == "unsubscribe"
    else { return [refuse(client, "60012", "Invalid request: \(Self.shown(bytes))")] }
    guard clients[client]?.countRequest(at: now) == true else {
      return [refuse(client, "60014", "Requests too frequent")]
    }
    guard !request.arguments.isEmpty, request.arguments.count <= Self.maximumArguments else {
      return [refuse(client, "60013", "Invalid args")]
    }
    return request.arguments.flatMap { argument -> [VenueEffect] in
      guard let topic = topic(argument) else {
        let text =
          "Wrong URL or channel:\(argument.channel),instId:\(argument.instrument ?? "") doesn't "
          + "exist. Please use the correct URL, channel and parameters referring to API document."
        return [refuse(client, "60018", text)]
      }
      let acknowledged = reply(
        client, OKXText.event(request.operation, argument, connection: Self.connection(client)))
      if request.operation == "unsubscribe" {
        clients.topics.remove(client, topic)
        return [acknowledged]
      }
      // Subscribing again is acknowledged, but brings no snapshot.
      guard !clients.topics.contains(client, topic) else { return [acknowledged] }
      clients.topics.insert(client, topic)
      return [acknowledged] + first(topic, at: now).map { reply(client, $0) }
    }
  }

  private func topic(_ argument: OKXArgument) -> PairTopic<Channel>? {
    guard let channel = Channel(rawValue: argument.channel) else { return nil }
    if channel == .status || channel == .instruments {
      return PairTopic(channel: channel, pair: nil)
    }
    return index(of: argument.instrument).map { PairTopic(channel: channel, pair: $0) }
  }

  /// What a new subscriber gets at once.
  private mutating func first(_ topic: PairTopic<Channel>, at now: Timestamp) -> [[UInt8]] {
    guard let index = topic.pair else { return [] }
    let state = published[index]
    switch topic.channel {
    case .books:
      guard behaviour.sendsSnapshots else { return [] }
      return [
        OKXText.book(
          "snapshot", pairs[index], bids: state.book.bids, asks: state.book.asks,
          sequence: state.bookSequence, previous: -1, checksum: checksum(state.book, of: index),
          at: now)
      ]
    case .books5:
      return [OKXText.levels("books5", pairs[index], state.five, state.bookSequence, at: now)]
    case .bestLevels:
      return [OKXText.levels("bbo-tbt", pairs[index], state.touch, state.sequence, at: now)]
    case .trades: return state.trade.map { [OKXText.trade(pairs[index], $0)] } ?? []
    case .tickers: return [ticker(index, at: now)]
    case .status, .instruments: return []
    }
  }

  /// Announces the end of all connections, as a minute before an upgrade.
  public mutating func announceUpgrade() -> [VenueEffect] {
    clients.all.map { client in
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("event", "notice")
        writer.member(
          "msg",
          "The connection will soon be closed for a service upgrade. Please reconnect.")
        writer.member("code", "64008")
        writer.member("connId", Self.connection(client))
      }
      return reply(client, writer.bytes)
    }
  }

  private func refuse(_ client: ClientID, _ code: String, _ text: String) -> VenueEffect {
    reply(client, OKXText.error(code, text, connection: Self.connection(client)))
  }

  private static func connection(_ client: ClientID) -> String {
    let digits = String(0x3a00_0000 + client.number, radix: 16)
    return String(digits.suffix(8))
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(64), as: UTF8.self)
  }
}

/// A client's command: `{"op":"subscribe","args":[{"channel":"books","instId":"BTC-USDT"}]}`.
struct OKXRequest: Sendable {
  private(set) var operation = ""
  private(set) var arguments: [OKXArgument] = []

  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, key, cursor) throws(JSONError) in
      switch key {
      case "op": operation = try CommandReader.text(span, &cursor)
      case "args":
        arguments = try cursor.list(span, atMost: 1000) { (cursor) throws(JSONError) in
          try Self.argument(span, &cursor)
        }
      default: break
      }
    }
  }

  private static func argument(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> OKXArgument {
    var argument = OKXArgument()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "channel": argument.channel = try CommandReader.text(bytes, &cursor)
      case "instId": argument.instrument = try CommandReader.text(bytes, &cursor)
      case "instType": argument.instrumentType = try CommandReader.text(bytes, &cursor)
      default: break
      }
    }
    return argument
  }
}
