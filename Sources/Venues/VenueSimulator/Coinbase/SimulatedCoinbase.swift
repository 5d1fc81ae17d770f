public import MarketModel
import OrderMatching
import WireJSON

/// A simulated Coinbase Advanced Trade: its WebSocket and its public market data over HTTP.
///
/// It has the real venue's traps: one count of messages for each connection, with responses and
/// heartbeats among them; responses that come after the snapshots; updates without a change, and
/// updates that remove a price that is not in the book; trades newest first and with the maker's
/// side; products with two names. The markets move on their own schedule from the start on,
/// with or without subscribers; each book is sent every 50 ms. After a pause of the host longer
/// than three seconds the books are rebuilt, and the streams send the differences.
public struct SimulatedCoinbase: ScheduledVenue {
  /// Maximum bytes of a client's message; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 16 * 1024
  /// The time between two updates of a book, in milliseconds.
  public static let publishMilliseconds: Int64 = 50
  /// The time between two heartbeats, in milliseconds.
  public static let heartbeatMilliseconds: Int64 = 1000
  /// The time in which a client must subscribe to something, in milliseconds.
  public static let patienceMilliseconds: Int64 = 5000
  var path: String { "/advanced" }
  static let snapshotTrades = 100
  /// The share of updates without a change that are sent, in percent.
  private static let emptyPercent: Int64 = 40
  /// The share of updates that remove a price that is not in the book, in percent.
  private static let orphanPercent: Int64 = 10

  let products: [CoinbaseListedProduct]
  var market: SimulatedMarket
  var tapes: [MarketTape]
  var schedule: VenueSchedule
  var clients = VenueClients<CoinbaseTopic, CoinbaseClient>()
  /// Each product's changes since its last update; empty without subscribers.
  private var pending: [[CoinbaseLevelKey: CoinbasePending]]
  /// Each product's trades since the last update.
  private var pendingTrades: [[TapeTrade]]
  /// A price that was removed and has not come back, by product.
  private var orphans: [CoinbaseLevelKey?]
  private var random: SplitMix64

  /// Opens the markets; agents trade for a minute before `start`, a formula gives earlier trades.
  public init(seed: UInt64, start: Timestamp, markets: OpenedMarkets = .all) {
    products = markets.of(CoinbaseListedProduct.all)
    let opening = MarketOpening(
      seed: seed, start: start, products.map(\.listing), first: Self.firstTrade)
    (market, tapes) = (opening.market, opening.tapes)
    pending = Array(repeating: [:], count: products.count)
    pendingTrades = Array(repeating: [], count: products.count)
    orphans = Array(repeating: nil, count: products.count)
    random = SplitMix64(seed: SeedText.seed(seed, "coinbase updates"))
    schedule = VenueSchedule(
      publishEvery: Self.publishMilliseconds, beatEvery: Self.heartbeatMilliseconds, from: start)
    for (index, event) in opening.past {
      _ = tapes[index].record(event.trades, at: market.time(of: event))
    }
  }

  private static func firstTrade(of index: Int) -> Int64 { 1_069_726_293 + Int64(index) * 50_000 }

  var areListening: Bool { clients.topics.topics.contains { $0.product != nil } }

  mutating func admit(_ client: ClientID, at now: Timestamp) -> [VenueEffect] {
    clients.add(client, CoinbaseClient(at: now))
    return []
  }

  /// Removes the client and its subscriptions.
  public mutating func disconnect(_ client: ClientID) {
    clients.remove(client)
    forgetUnheard()
  }

  mutating func apply(_ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]) {
    let rows =
      event.trades.isEmpty
      ? [] : tapes[index].record(event.trades, at: market.time(of: event))
    if isHeard(index) { pendingTrades[index] += rows }
    guard !listeners(.level2(index)).isEmpty else { return }
    for change in event.changes {
      let key = CoinbaseLevelKey(isBid: change.side == .buy, ticks: change.price.units)
      let before = pending[index][key]?.before ?? change.before.units
      pending[index][key] = CoinbasePending(before: before, after: change.after.units)
      if change.after == .zero {
        orphans[index] = key
      } else if orphans[index] == key {
        orphans[index] = nil
      }
    }
  }

  private func isHeard(_ index: Int) -> Bool {
    !listeners(.trades(index)).isEmpty || !listeners(.ticker(index)).isEmpty
  }

  mutating func forgetUnheard() {
    for index in products.indices {
      if listeners(.level2(index)).isEmpty {
        pending[index].removeAll(keepingCapacity: true)
        orphans[index] = nil
      }
      if !isHeard(index) { pendingTrades[index] = [] }
    }
  }

  // MARK: Updates

  mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {
    for index in products.indices { publish(index, at: time, &effects) }
  }

  /// Sends a product's trades, figures and book since the last update.
  private mutating func publish(_ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]) {
    let rows = pendingTrades[index]
    if !rows.isEmpty {
      pendingTrades[index] = []
      send(
        CoinbaseText.trades("update", products[index], rows, at: time),
        to: listeners(.trades(index)), &effects)
      let listeners = self.listeners(.ticker(index))
      if !listeners.isEmpty {
        send(ticker("update", index, at: time), to: listeners, &effects)
      }
    }
    let listeners = self.listeners(.level2(index))
    if listeners.isEmpty { return }
    var changes = pending[index].map { key, change in
      CoinbaseChange(isBid: key.isBid, ticks: key.ticks, lots: change.after)
    }
    pending[index].removeAll(keepingCapacity: true)
    let chance = random.below(100)
    if changes.isEmpty, chance >= Self.emptyPercent { return }
    changes.sort { $0.isBefore($1) }
    if let orphan = orphans[index], chance < Self.orphanPercent,
      !changes.contains(where: { $0.isBid == orphan.isBid && $0.ticks == orphan.ticks })
    {
      changes.append(CoinbaseChange(isBid: orphan.isBid, ticks: orphan.ticks, lots: 0))
    }
    send(CoinbaseText.book("update", products[index], changes, at: time), to: listeners, &effects)
  }

  /// The levels of a product's book as of its latest update, bids first, each side best first; at
  /// least `depth` a side of those there are.
  func published(_ index: Int, depth: Int = .max) -> [CoinbaseChange] {
    var levels: [CoinbaseLevelKey: Int64] = [:]
    // Each change since then has added one level at most.
    let (limit, isWhole) = depth.addingReportingOverflow(pending[index].count)
    for level in book(index, limit: isWhole ? .max : limit) {
      levels[CoinbaseLevelKey(isBid: level.isBid, ticks: level.ticks)] = level.lots
    }
    for (key, change) in pending[index] { levels[key] = change.before }
    return levels.filter { $0.value > 0 }.map { key, lots in
      CoinbaseChange(isBid: key.isBid, ticks: key.ticks, lots: lots)
    }.sorted { $0.isBefore($1) }
  }

  /// A product's latest trades that have been sent.
  func sentTrades(_ index: Int, latest count: Int) -> ArraySlice<TapeTrade> {
    tapes[index].latest(count + pendingTrades[index].count).dropLast(pendingTrades[index].count)
  }

  mutating func beat(at time: Timestamp, _ effects: inout [VenueEffect]) {
    effects += clients.close(code: 1000, reason: "no subscription") {
      !$0.hasSubscribed
        && time.milliseconds(since: $0.connectedAt) >= Self.patienceMilliseconds
    }
    for client in listeners(.heartbeats) {
      guard let number = clients[client]?.takeHeartbeat() else { continue }
      send(CoinbaseText.heartbeat(number, at: time), to: [client], &effects)
    }
  }

  /// The subscribers of a topic, in order of subscription.
  func listeners(_ topic: CoinbaseTopic) -> [ClientID] { clients.topics.clients(of: topic) }

  mutating func send(
    _ text: CoinbaseText, to listeners: [ClientID], _ effects: inout [VenueEffect]
  ) {
    for client in listeners {
      guard let number = clients[client]?.takeNumber() else { continue }
      effects.append(.send(to: [client], bytes: text.bytes(number: number), binary: false))
    }
  }

  mutating func ticker(_ type: String, _ index: Int, at time: Timestamp) -> CoinbaseText {
    let day = daySummary(of: index, at: time)
    return CoinbaseText.ticker(type, products[index], market.instruments[index].top, day, at: time)
  }
}

/// One price of a side.
struct CoinbaseLevelKey: Sendable, Hashable {
  let isBid: Bool
  let ticks: Int64
}

/// A level's lots at the latest update and now.
struct CoinbasePending: Sendable {
  let before: Int64
  let after: Int64
}
