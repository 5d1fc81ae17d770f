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

/// A simulated OKX with six spot pairs: its public WebSocket v5 and its REST API.
///
/// The markets move on their own schedule from the start on, with or without subscribers. Books are
/// published every 100 ms, best levels with each change; both count in one sequence with arbitrary
/// steps. After a pause of the host longer than three seconds the books are rebuilt, and the
/// streams send the differences.
public struct SimulatedOKX: SimulatedVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 64 * 1024
  static let depth = 400
  static let publishMilliseconds: Int64 = 100
  /// Silence of a book after which an update without changes is sent.
  static let idleMilliseconds: Int64 = 60_000
  static let firstTrade: Int64 = 1_060_000_000

  /// The published state of a pair.
  struct Published: Sendable {
    /// The number of the latest change of the market.
    var sequence: Int64
    /// The last book sent, its number and its time.
    var book: TopLevels
    var bookSequence: Int64
    var bookTime: Timestamp
    /// The last best levels sent.
    var touch: TopLevels
    /// The last five levels sent.
    var five: TopLevels
    /// Whether the ticker's figures have changed since it was sent.
    var isTickerDue = false
    var random: SplitMix64
  }

  let behaviour: OKXBehaviour
  let pairs: [SpotPair]
  var market: SimulatedMarket
  /// Each pair's trades from its listing on.
  var tapes: [MarketTape]
  var published: [Published]
  /// The latest trade message of each pair, which a new subscriber gets.
  var latestTrades: [OKXTradeRow?]
  var clients = OKXClients()
  private var publishDue: Timestamp
  private var resetDue: Timestamp?
  private var moved: Timestamp
  var connections: SplitMix64

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(seed: UInt64, start: Timestamp, behaviour: OKXBehaviour = OKXBehaviour()) {
    self.init(
      seed: seed, start: start, behaviour, SpotPair.tethered(separator: "-", levels: 520))
  }

  /// Opens only some markets, slower and smaller ones, for simulations of long times.
  package init(
    seed: UInt64, start: Timestamp, only symbols: [String], slowedBy factor: Int64, levels: Int
  ) {
    let pairs = SpotPair.tethered(separator: "-", levels: 520).filter {
      symbols.contains($0.symbol)
    }
    self.init(
      seed: seed, start: start, OKXBehaviour(),
      pairs.map { $0.slowed(by: factor, levels: levels) })
  }

  private init(
    seed: UInt64, start: Timestamp, _ behaviour: OKXBehaviour, _ pairs: [SpotPair]
  ) {
    self.behaviour = behaviour
    self.pairs = pairs
    var market = SimulatedMarket(seed: seed, start: start, pairs.map(\.listing))
    tapes = pairs.indices.map { market.tape(of: $0, first: Self.firstTrade) }
    let past = market.takePast()
    latestTrades = pairs.map { _ in nil }
    published = pairs.indices.map { index in
      var random = SplitMix64(seed: SeedText.seed(seed, "okx " + pairs[index].symbol))
      let book = TopLevels(market.instruments[index], depth: Self.depth)
      let sequence = 80_000_000_000 + random.below(1_000_000_000)
      return Published(
        sequence: sequence, book: book, bookSequence: sequence, bookTime: start,
        touch: book.cut(to: 1), five: book.cut(to: 5), random: random)
    }
    self.market = market
    moved = start
    connections = SplitMix64(seed: SeedText.seed(seed, "okx connections"))
    publishDue = start.adding(milliseconds: Self.publishMilliseconds)
    resetDue = behaviour.resetMilliseconds.map { start.adding(milliseconds: $0) }
    for (index, events) in past.enumerated() {
      for event in events { _ = record(event, of: index) }
    }
  }

  /// The listed symbols.
  public var symbols: [String] { pairs.map(\.symbol) }

  /// Refuses every path but `/ws/v5/public` with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == "/ws/v5/public" ? nil : VenueResponse(status: 404, body: [])
  }

  /// Accepts the client without a greeting.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    catchUpUnheard(to: now)
    clients.add(client, at: now)
    return []
  }

  /// Removes the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) { clients.remove(client) }

  /// The next step of a market that has subscribers, or the next publication.
  public var nextEvent: Timestamp? {
    guard clients.areListening else { return moved.adding(milliseconds: 1000) }
    return market.due.map { min($0, publishDue) } ?? publishDue
  }

  /// Makes the steps and publications that are due, in the order of their times.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    var effects: [VenueEffect] = []
    skipPause(now, &effects)
    while step(to: now, &effects) {}
    return effects
  }

  /// The same one by one: several steps may be due at one moment.
  package mutating func step(to now: Timestamp) -> (effects: [VenueEffect], isLast: Bool) {
    var effects: [VenueEffect] = []
    skipPause(now, &effects)
    let isStep = step(to: now, &effects)
    return (effects, !isStep)
  }

  private mutating func step(to now: Timestamp, _ effects: inout [VenueEffect]) -> Bool {
    if let (index, events) = market.next(by: min(publishDue, now)) {
      for event in events { tell(event, of: index, &effects) }
      return true
    }
    guard publishDue <= now else { return false }
    publish(at: publishDue, &effects)
    publishDue = publishDue.adding(milliseconds: Self.publishMilliseconds)
    return true
  }

  /// Makes the due steps while there are no subscribers, so that responses are current.
  mutating func catchUpUnheard(to now: Timestamp) {
    guard !clients.areListening else { return }
    _ = advance(to: now)
  }

  private mutating func skipPause(_ now: Timestamp, _ effects: inout [VenueEffect]) {
    moved = max(moved, now)
    for reopening in market.reopen(at: now) {
      tapes[reopening.index].fill(from: reopening.paused, to: reopening.now)
      tell(reopening.event, of: reopening.index, &effects)
    }
    let earliest = now.adding(milliseconds: -SimulatedInstrument.longestPause / 1000)
    if publishDue < earliest { publishDue = earliest }
  }

  /// Records an event, and sends its trades and new best levels.
  private mutating func tell(
    _ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]
  ) {
    let time = market.time(of: event)
    let rows = record(event, of: index)
    published[index].sequence += 1 + published[index].random.below(40)
    let listeners = clients.listeners(.trades, index)
    if !listeners.isEmpty {
      for row in rows {
        send(OKXText.trade(pairs[index], row), to: listeners, at: time, &effects)
      }
    }
    let touch = TopLevels(market.instruments[index], depth: 1)
    guard !touch.shows(published[index].touch) else { return }
    published[index].touch = touch
    published[index].isTickerDue = true
    send(
      OKXText.levels("bbo-tbt", pairs[index], touch, published[index].sequence, at: time),
      to: clients.listeners(.bestLevels, index), at: time, &effects)
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
    latestTrades[index] = rows.last
    published[index].isTickerDue = true
    return rows
  }

  private mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {
    if let due = resetDue, due <= time {
      for index in pairs.indices { published[index].sequence = published[index].random.below(1000) }
      resetDue = behaviour.resetMilliseconds.map { due.adding(milliseconds: $0) }
    }
    for index in pairs.indices { publish(index, at: time, &effects) }
    for client in clients.idle(
      since: time.adding(milliseconds: -OKXClients.patienceMilliseconds))
    {
      clients.remove(client)
      effects.append(.close(client, code: 4004, reason: "No data received in 30s"))
    }
  }

  private mutating func publish(
    _ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    let isIdle =
      time.milliseconds(since: published[index].bookTime) >= Self.idleMilliseconds
    if published[index].sequence != published[index].bookSequence || isIdle {
      publishBook(index, at: time, &effects)
    }
    let listeners = clients.listeners(.tickers, index)
    if published[index].isTickerDue, !listeners.isEmpty {
      published[index].isTickerDue = false
      send(ticker(index, at: time), to: listeners, at: time, &effects)
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
    let listeners = clients.listeners(.books, index)
    if !listeners.isEmpty {
      let message = OKXText.book(
        "update", pairs[index], bids: bids, asks: asks, sequence: old.sequence,
        previous: old.bookSequence, checksum: checksum(new, of: index), at: time)
      send(message, to: listeners, at: time, &effects)
    }
    let five = new.cut(to: 5)
    guard !five.shows(old.five) else { return }
    published[index].five = five
    send(
      OKXText.levels("books5", pairs[index], five, old.sequence, at: time),
      to: clients.listeners(.books5, index), at: time, &effects)
  }

  /// The checksum that a message has; nil for no key.
  func checksum(_ book: TopLevels, of index: Int) -> Int32? {
    switch behaviour.checksum {
    case .zero: 0
    case .absent: nil
    case .live: OKXText.checksum(pairs[index], book)
    }
  }

  func ticker(_ index: Int, at time: Timestamp) -> [UInt8] {
    var tape = tapes[index]
    let minute = MarketTape.minute(MarketTape.microseconds(market.settled(time)))
    let day = tape.summary(from: minute - 1439, at: minute)
    return OKXText.ticker(
      pairs[index], published[index].touch, day, lastLots: tapes[index].last?.lots ?? 0, at: time)
  }

  mutating func send(
    _ bytes: [UInt8], to listeners: [ClientID], at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    if listeners.isEmpty { return }
    clients.touch(listeners, at: time)
    effects.append(.send(to: listeners, bytes: bytes, binary: false))
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

extension SimulatedOKX {
  /// "price×size" of the best rows a side of the book that was last sent, bids first.
  package func publishedLevels(_ symbol: Symbol, depth: Int) -> [String] {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return [] }
    let book = published[index].book.cut(to: depth)
    return (book.bids + book.asks).map(pairs[index].trueLevel).map { "\($0.price)×\($0.size)" }
  }
}

extension SimulatedOKX: TruthTelling {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return nil }
    let book = TopLevels(market.instruments[index], depth: depth)
    return (book.bids.map(pairs[index].trueLevel), book.asks.map(pairs[index].trueLevel))
  }

  package func streams(of client: ClientID) -> [String] {
    clients.topics(of: client).map { topic in
      topic.pair.map { "\(topic.channel.rawValue) \(pairs[$0].symbol)" } ?? topic.channel.rawValue
    }.sorted()
  }
}
