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
public struct SimulatedBybit: SimulatedVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 32 * 1024
  static let depth = 50
  static let publishMilliseconds: Int64 = 20
  /// Silence after which the best levels are repeated.
  static let repeatMilliseconds: Int64 = 3000
  static let firstTrade: Int64 = 2_100_000_000_188_000_000
  static let tickerMilliseconds: Int64 = 500

  /// The published state of a pair.
  struct Published: Sendable {
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

  let behaviour: BybitBehaviour
  let pairs: [SpotPair]
  var market: SimulatedMarket
  /// Each pair's trades from its listing on.
  var tapes: [MarketTape]
  var published: [Published]
  var clients = BybitClients()
  private var publishDue: Timestamp
  private var restartDue: Timestamp?
  private var moved: Timestamp

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(seed: UInt64, start: Timestamp, behaviour: BybitBehaviour = BybitBehaviour()) {
    self.init(
      seed: seed, start: start, behaviour, SpotPair.tethered(separator: "", levels: 220))
  }

  /// Opens only some markets, slower and smaller ones, for simulations of long times.
  package init(
    seed: UInt64, start: Timestamp, only symbols: [String], slowedBy factor: Int64, levels: Int
  ) {
    let pairs = SpotPair.tethered(separator: "", levels: 220).filter {
      symbols.contains($0.symbol)
    }
    self.init(
      seed: seed, start: start, BybitBehaviour(),
      pairs.map { $0.slowed(by: factor, levels: levels) })
  }

  private init(
    seed: UInt64, start: Timestamp, _ behaviour: BybitBehaviour, _ pairs: [SpotPair]
  ) {
    self.behaviour = behaviour
    self.pairs = pairs
    var market = SimulatedMarket(seed: seed, start: start, pairs.map(\.listing))
    tapes = pairs.indices.map { market.tape(of: $0, first: 1) }
    let past = market.takePast()
    published = pairs.indices.map { index in
      var random = SplitMix64(seed: SeedText.seed(seed, "bybit " + pairs[index].symbol))
      let book = TopLevels(market.instruments[index], depth: Self.depth)
      let sequence = 113_000_000_000 + random.below(1_000_000_000)
      let update = 200_000_000 + random.below(1_000_000)
      return Published(
        sequence: sequence, book: book, bookUpdate: update, bookSequence: sequence,
        touch: book.cut(to: 1), touchUpdate: update / 2, touchSequence: sequence,
        touchTime: start, tickerTime: start, random: random)
    }
    self.market = market
    moved = start
    publishDue = start.adding(milliseconds: Self.publishMilliseconds)
    restartDue = behaviour.restartMilliseconds.map { start.adding(milliseconds: $0) }
    for (index, events) in past.enumerated() {
      for event in events { _ = record(event, of: index) }
    }
  }

  /// The listed symbols.
  public var symbols: [String] { pairs.map(\.symbol) }

  /// Refuses every path but `/v5/public/spot` with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == "/v5/public/spot" ? nil : VenueResponse(status: 404, body: [])
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
    // Nothing is published without subscribers, so the time is skipped.
    let next = publishDue.adding(milliseconds: Self.publishMilliseconds)
    publishDue = clients.areListening ? next : max(next, now)
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

  /// Records an event, and sends its trades.
  private mutating func tell(
    _ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]
  ) {
    published[index].sequence += 1 + published[index].random.below(9)
    let rows = record(event, of: index)
    let listeners = clients.listeners(.trades, index)
    guard !rows.isEmpty, !listeners.isEmpty else { return }
    let identifiers = rows.map { Self.tradeIdentifier($0.identifier) }
    let time = market.time(of: event)
    effects.append(
      .send(
        to: listeners,
        bytes: BybitText.trades(
          pairs[index], rows, identifiers, sequence: published[index].sequence, at: time),
        binary: false))
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

  private mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {
    var isRestart = false
    if let due = restartDue, due <= time {
      isRestart = true
      restartDue = behaviour.restartMilliseconds.map { due.adding(milliseconds: $0) }
    }
    for index in pairs.indices { publish(index, at: time, isRestart: isRestart, &effects) }
    for client in clients.silent(
      since: time.adding(milliseconds: -BybitClients.patienceMilliseconds))
    {
      clients.remove(client)
      effects.append(.close(client, code: 1000, reason: "no ping"))
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
      send(
        BybitText.book(
          1, pairs[index], type: "snapshot", bids: touch.bids, asks: touch.asks,
          update: published[index].touchUpdate, sequence: published[index].touchSequence, at: time),
        to: clients.listeners(.bestLevels, index), &effects)
    }
    let listeners = clients.listeners(.tickers, index)
    if old.isTickerDue, !listeners.isEmpty,
      time.milliseconds(since: old.tickerTime) >= Self.tickerMilliseconds
    {
      published[index].isTickerDue = false
      published[index].tickerTime = time
      send(ticker(index, at: time), to: listeners, &effects)
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
    send(
      BybitText.book(
        Self.depth, pairs[index], type: isRestart ? "snapshot" : "delta", bids: bids, asks: asks,
        update: published[index].bookUpdate, sequence: old.sequence, at: time),
      to: clients.listeners(.book, index), &effects)
  }

  func ticker(_ index: Int, at time: Timestamp) -> [UInt8] {
    var tape = tapes[index]
    let minute = MarketTape.minute(MarketTape.microseconds(market.settled(time)))
    return BybitText.ticker(pairs[index], tape.summary(from: minute - 1439, at: minute), at: time)
  }

  private func send(
    _ bytes: @autoclosure () -> [UInt8], to listeners: [ClientID],
    _ effects: inout [VenueEffect]
  ) {
    if !listeners.isEmpty {
      effects.append(.send(to: listeners, bytes: bytes(), binary: false))
    }
  }
}

extension SimulatedBybit {
  /// "price×size" of the best rows a side of the book that was last sent, bids first.
  package func publishedLevels(_ symbol: Symbol, depth: Int) -> [String] {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return [] }
    return spelled(published[index].book.cut(to: depth), index)
  }

  /// The same of the present book, which REST has.
  package func presentLevels(_ symbol: Symbol, depth: Int) -> [String] {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return [] }
    return spelled(TopLevels(market.instruments[index], depth: depth), index)
  }

  private func spelled(_ book: TopLevels, _ index: Int) -> [String] {
    (book.bids + book.asks).map(pairs[index].trueLevel).map { "\($0.price)×\($0.size)" }
  }
}

extension SimulatedBybit: TruthTelling {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return nil }
    let book = TopLevels(market.instruments[index], depth: depth)
    return (book.bids.map(pairs[index].trueLevel), book.asks.map(pairs[index].trueLevel))
  }

  package func streams(of client: ClientID) -> [String] {
    clients.topics(of: client).map { "\($0.channel.rawValue) \(pairs[$0.pair].symbol)" }.sorted()
  }
}
