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

/// A simulated Binance with six spot pairs: its combined streams and its REST API.
///
/// The markets move on their own schedule from the start on, with or without subscribers. Each
/// change of a market takes numbers; an update contains those of 100 ms, and a snapshot has the
/// latest, so that it may end within the next update. After a pause of the host longer than three
/// seconds the books are rebuilt, and the streams send the differences.
public struct SimulatedBinance: SimulatedVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 32 * 1024
  static let publishMilliseconds: Int64 = 100
  static let tickerMilliseconds: Int64 = 1000
  static let firstTrade: Int64 = 3_988_881_941

  /// The published state of a pair.
  struct Published: Sendable {
    /// Of the market's latest change.
    var number: Int64
    /// Of the latest update.
    var last: Int64
    var book: TopLevels
    var touch: TopLevels
    var updates: Int64 = 0
    var isTickerDue = false
    var tickerTime: Timestamp
    /// The state of the start, for snapshots that are too old.
    let old: TopLevels
    let oldNumber: Int64
    var random: SplitMix64
  }

  let behaviour: BinanceBehaviour
  let pairs: [SpotPair]
  var market: SimulatedMarket
  /// Each pair's trades from its listing on.
  var tapes: [MarketTape]
  var published: [Published]
  var clients = BinanceClients()
  var limitedSnapshots = 0
  var usedWeight = 0
  var weightMinute: Int64 = 0
  private var oldSnapshots = 0
  private var publishDue: Timestamp
  private var moved: Timestamp

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(seed: UInt64, start: Timestamp, behaviour: BinanceBehaviour = BinanceBehaviour()) {
    self.behaviour = behaviour
    pairs = SpotPair.tethered(separator: "", levels: 220)
    var market = SimulatedMarket(seed: seed, start: start, pairs.map(\.listing))
    tapes = pairs.indices.map { market.tape(of: $0, first: Self.firstTrade) }
    let past = market.takePast()
    published = pairs.indices.map { [pairs] index in
      var random = SplitMix64(seed: SeedText.seed(seed, "binance " + pairs[index].symbol))
      let book = TopLevels(market.instruments[index], depth: .max)
      let number = 66_000_000_000 + random.below(1_000_000_000)
      return Published(
        number: number, last: number, book: book, touch: book.cut(to: 1), tickerTime: start,
        old: book, oldNumber: number - 5, random: random)
    }
    self.market = market
    moved = start
    publishDue = start.adding(milliseconds: Self.publishMilliseconds)
    for (index, events) in past.enumerated() {
      for event in events { _ = record(event, of: index) }
    }
  }

  /// The listed symbols.
  public var symbols: [String] { pairs.map(\.symbol) }

  /// Refuses every path but `/stream`, `/ws` and those below `/ws` with 404.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    request.path == "/stream" || Self.isRaw(request.path)
      ? nil : VenueResponse(status: 404, body: [])
  }

  private static func isRaw(_ path: String) -> Bool { path == "/ws" || path.hasPrefix("/ws/") }

  /// Accepts the client without a greeting, and subscribes the streams that its address names:
  /// `/stream?streams=a/b` or `/ws/a`.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    catchUpUnheard(to: now)
    let isRaw = Self.isRaw(request.path)
    clients.add(client, isRaw: isRaw)
    let names = isRaw ? String(request.path.dropFirst(4)) : request.queryValue("streams") ?? ""
    for name in names.split(separator: "/") {
      if let stream = stream(String(name)) { clients.subscribe(client, stream) }
    }
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
      for event in events { send(event, of: index, &effects) }
      return true
    }
    guard publishDue <= now else { return false }
    for index in pairs.indices { publish(index, at: publishDue, &effects) }
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
      send(reopening.event, of: reopening.index, &effects)
    }
    let earliest = now.adding(milliseconds: -SimulatedInstrument.longestPause / 1000)
    if publishDue < earliest { publishDue = earliest }
  }

  /// Records an event, and sends its trades and the best levels that it changed.
  private mutating func send(
    _ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]
  ) {
    published[index].number += 1 + published[index].random.below(3)
    let time = market.time(of: event)
    for row in record(event, of: index) {
      send(
        BinanceText.trade(pairs[index], row, at: time), to: clients.listeners(.trades, index),
        &effects)
      send(
        BinanceText.aggregate(pairs[index], row, at: time),
        to: clients.listeners(.aggregates, index), &effects)
    }
    let listeners = clients.listeners(.bestLevels, index)
    guard !listeners.isEmpty else { return }
    let touch = TopLevels(market.instruments[index], depth: 1)
    guard !touch.shows(published[index].touch) else { return }
    published[index].touch = touch
    send(
      BinanceText.bestLevels(pairs[index], touch, last: published[index].number), to: listeners,
      &effects)
  }

  private mutating func record(_ event: AgentEvent, of index: Int) -> [TapeTrade] {
    guard !event.trades.isEmpty else { return [] }
    published[index].isTickerDue = true
    return tapes[index].record(event.trades, at: market.time(of: event))
  }

  private mutating func publish(
    _ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    let old = published[index]
    if old.number != old.last {
      let new = TopLevels(market.instruments[index], depth: .max)
      var (bids, asks) = old.book.changes(to: new)
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
          pairs[index], first: old.last + 1, last: old.number, bids: bids, asks: asks, at: time),
        to: clients.listeners(.book, index), &effects)
    }
    let listeners = clients.listeners(.ticker, index)
    if old.isTickerDue, !listeners.isEmpty,
      time.milliseconds(since: old.tickerTime) >= Self.tickerMilliseconds
    {
      published[index].isTickerDue = false
      published[index].tickerTime = time
      let top = TopLevels(market.instruments[index], depth: 1)
      send(
        BinanceText.ticker(pairs[index], summary(index, at: time), top, at: time), to: listeners,
        &effects)
    }
  }

  /// The present book with its number, or an older one.
  mutating func snapshot(_ index: Int, limit: Int) -> (levels: TopLevels, number: Int64) {
    if oldSnapshots < behaviour.oldSnapshots {
      oldSnapshots += 1
      return (published[index].old.cut(to: limit), published[index].oldNumber)
    }
    return (TopLevels(market.instruments[index], depth: limit), published[index].number)
  }

  func summary(_ index: Int, at time: Timestamp) -> DaySummary {
    var tape = tapes[index]
    let minute = MarketTape.minute(MarketTape.microseconds(market.settled(time)))
    return tape.summary(from: minute - 1439, at: minute)
  }

  private func send(
    _ bytes: @autoclosure () -> [UInt8], to listeners: [ClientID],
    _ effects: inout [VenueEffect]
  ) {
    if listeners.isEmpty { return }
    let bytes = bytes()
    let raw = listeners.filter(clients.isRaw)
    if raw.count < listeners.count {
      let combined = raw.isEmpty ? listeners : listeners.filter { !raw.contains($0) }
      effects.append(.send(to: combined, bytes: bytes, binary: false))
    }
    if !raw.isEmpty {
      effects.append(.send(to: raw, bytes: BinanceText.unnamed(bytes), binary: false))
    }
  }

  /// Announces the end of all connections, as the venue does before a server stops.
  package func shutdown(at now: Timestamp) -> [VenueEffect] {
    let text =
      #"{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":\#(now.milliseconds)}}"#
    return [.send(to: clients.all, bytes: Array(text.utf8), binary: false)]
  }
}

extension SimulatedBinance {
  /// "price×size" of the best rows a side of the book that was last sent, bids first.
  package func publishedLevels(_ symbol: Symbol, depth: Int) -> [String] {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return [] }
    return rows(published[index].book.cut(to: depth), index)
  }

  /// The same of the present book, which a snapshot has.
  package func presentLevels(_ symbol: Symbol, depth: Int) -> [String] {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return [] }
    return rows(TopLevels(market.instruments[index], depth: depth), index)
  }

  private func rows(_ book: TopLevels, _ index: Int) -> [String] {
    (book.bids + book.asks).map { level in
      let size = pairs[index].quantity(lots: level.quantity.units)
      return "\(pairs[index].price(level.price.units))×\(size)"
    }
  }
}

extension SimulatedBinance: TruthTelling {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return nil }
    let book = TopLevels(market.instruments[index], depth: depth)
    func spelled(_ level: BookLevel) -> TrueLevel {
      TrueLevel(
        price: pairs[index].price(level.price.units),
        size: pairs[index].quantity(lots: level.quantity.units))
    }
    return (book.bids.map(spelled), book.asks.map(spelled))
  }

  package func streams(of client: ClientID) -> [String] {
    clients.streams(of: client).map { "\($0.channel.rawValue) \(pairs[$0.pair].symbol)" }.sorted()
  }
}
