public import MarketModel
import OrderMatching
import WireJSON

/// What the simulated Bybit does now and then.
public struct BybitBehaviour: Sendable, Equatable {
  /// Milliseconds between restarts of a book's numbers: a snapshot with the number 1.
  public var restartMilliseconds: Int64?
  /// Whether a snapshot precedes the response to its request.
  public var snapshotsComeFirst = true

  /// As the venue is seen to be.
  public init() {}
}

/// A simulated Bybit with six spot pairs: its public WebSocket v5 and its REST API.
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
  static let tickerMilliseconds: Int64 = 500

  /// Silence of a client after which the venue disconnects it.
  static let patienceMilliseconds: Int64 = 600_000
  static let path = "/v5/public/spot"

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
    var random: SplitMix64
  }

  /// A client.
  struct ClientState: Sendable {
    var receivedAt: Timestamp
  }

  let behaviour: BybitBehaviour
  let pairs: [SpotPair]
  var market: SimulatedMarket
  var tapes: [MarketTape]
  var published: [Published]
  var schedule: VenueSchedule
  var clients = VenueClients<PairTopic<Channel>, ClientState>()
  private var restartDue: Timestamp?

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(seed: UInt64, start: Timestamp, behaviour: BybitBehaviour = BybitBehaviour()) {
    self.init(
      seed: seed, start: start, behaviour, SpotPair.tethered(at: .bybit, separator: "", levels: 220)
    )
  }

  /// Opens only some markets, slower and smaller ones, for simulations of long times.
  package init(
    seed: UInt64, start: Timestamp, only symbols: [String], slowedBy factor: Int64, levels: Int
  ) {
    self.init(
      seed: seed, start: start, BybitBehaviour(),
      SpotPair.tethered(at: .bybit, separator: "", levels: 220).slowed(
        only: symbols, by: factor, levels: levels))
  }

  private init(
    seed: UInt64, start: Timestamp, _ behaviour: BybitBehaviour, _ pairs: [SpotPair]
  ) {
    self.behaviour = behaviour
    self.pairs = pairs
    let opening = MarketOpening(seed: seed, start: start, pairs.map(\.listing)) { _ in 1 }
    (market, tapes) = (opening.market, opening.tapes)
    published = pairs.indices.map { index in
      var random = SplitMix64(seed: SeedText.seed(seed, "bybit " + pairs[index].symbol))
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

  func newState(at now: Timestamp) -> ClientState { ClientState(receivedAt: now) }

  /// Records an event, and sends its trades.
  mutating func apply(
    _ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]
  ) {
    published[index].sequence += 1 + published[index].random.below(9)
    let rows = record(event, of: index)
    guard !rows.isEmpty, !listeners(.trades, index).isEmpty else { return }
    let identifiers = rows.map { Self.tradeIdentifier($0.identifier) }
    let (pair, sequence) = (pairs[index], published[index].sequence)
    let time = market.time(of: event)
    send(
      BybitText.trades(pair, rows, identifiers, sequence: sequence, at: time), .trades, index,
      at: time, &effects)
  }

  /// The venue's identifier of a trade, by its number in the tape: they rise by 1 to 5.
  static func tradeIdentifier(_ number: Int64) -> Int64 {
    firstTrade + 3 * number + (number &* 2_654_435_761 >> 7 & 0xFFFF) % 3
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
    if old.isTickerDue, !listeners(.tickers, index).isEmpty,
      time.milliseconds(since: old.tickerTime) >= Self.tickerMilliseconds
    {
      published[index].isTickerDue = false
      published[index].tickerTime = time
      let message = ticker(index, at: time)
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
    let (pair, update) = (pairs[index], published[index].bookUpdate)
    send(
      BybitText.book(
        Self.depth, pair, type: isRestart ? "snapshot" : "delta", bids: bids, asks: asks,
        update: update, sequence: old.sequence, at: time),
      .book, index, at: time, &effects)
  }

  func bestLevels(_ index: Int, at time: Timestamp) -> [UInt8] {
    let state = published[index]
    return BybitText.book(
      1, pairs[index], type: "snapshot", bids: state.touch.bids, asks: state.touch.asks,
      update: state.touchUpdate, sequence: state.touchSequence, at: time)
  }

  mutating func ticker(_ index: Int, at time: Timestamp) -> [UInt8] {
    BybitText.ticker(pairs[index], daySummary(of: index, at: time), at: time)
  }
}
