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
  mutating func apply(
    _ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]
  ) {
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

  private mutating func publish(
    _ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
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
