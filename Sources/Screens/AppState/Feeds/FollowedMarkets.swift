package import MarketModel
package import MarketStreams
package import PaperTrading
package import VenueCatalogue

/// The venues' markets that the order service follows: those in which orders are placed, open or
/// have left a position; for server and phone.
///
/// Inputs return effects, to be performed in order.
package struct FollowedMarkets {
  /// The most markets followed at a time.
  static let maximum = 200
  /// The most markets followed without an open order or a position.
  static let maximumUnused = 20
  /// How long the first book is awaited.
  package static let patienceMilliseconds: Int64 = 5000
  /// How long an unused market is followed after the latest order or preview.
  package static let lingerMilliseconds: Int64 = 300_000

  /// Why a market can't be traded.
  package struct Obstacle: Equatable {
    package let text: Sentence
    /// Whether a later attempt fails, too.
    package let isFinal: Bool
  }

  package enum Effect {
    /// Follow book, trades and connection of the market.
    case observe(Symbol, BookInstrument)
    case release(Symbol)
    /// Hand the input to the order service.
    case deliver(MarketInput, Symbol)
    /// A command may be sent, or why not.
    case answer(Int, Obstacle?)
    /// Call ``expire(_:of:)`` after ``patienceMilliseconds``.
    case schedule(Int, Symbol)
  }

  private struct Market {
    var gate: OrderMarketGate
    var waiting: [Int] = []
    var usedAt: MonotonicTime
  }

  private let venues: Set<Venue>
  private let rules: TradingRules
  private let fees: [Venue: FeeRates]
  /// How long new orders are on their way.
  package var latency: OrderLatency {
    didSet { for symbol in markets.keys { markets[symbol]?.gate.latency = latency } }
  }
  private var markets: [Symbol: Market] = [:]
  private var open: Set<Symbol> = []
  private var held: Set<Symbol> = []

  /// `rules` write the names of markets in texts; `fees` replace those of a venue's lowest tier;
  /// orders act after the `latency`.
  package init(
    venues: Set<Venue> = Set(Venue.allCases), rules: TradingRules, fees: [Venue: FeeRates] = [:],
    latency: OrderLatency = .fixed(milliseconds: 0)
  ) {
    (self.venues, self.rules, self.fees, self.latency) = (venues, rules, fees, latency)
  }

  /// Follows a market for a command, which is answered once the book has been delivered.
  package mutating func request(
    _ command: Int, in symbol: Symbol, at now: MonotonicTime
  ) -> [Effect] {
    var effects: [Effect] = []
    if let obstacle = follow(symbol, at: now, &effects) { return [.answer(command, obstacle)] }
    guard let gate = markets[symbol]?.gate, !gate.isOpen else {
      return effects + [.answer(command, nil)]
    }
    if gate.isUnknown { return effects + [.answer(command, unknown(symbol))] }
    markets[symbol]?.waiting.append(command)
    return effects + [.schedule(command, symbol)]
  }

  /// Ends a command's wait for the book.
  package mutating func expire(_ command: Int, of symbol: Symbol) -> [Effect] {
    guard let index = markets[symbol]?.waiting.firstIndex(of: command) else { return [] }
    markets[symbol]?.waiting.remove(at: index)
    let obstacle = Obstacle(
      text: "No prices of \(rules.text(symbol)) have arrived yet.", isFinal: false)
    return [.answer(command, obstacle)]
  }

  /// Follows the markets with open orders as long as they have some; trades before this were not
  /// observed.
  package mutating func keep(open: Set<Symbol>, at now: MonotonicTime) -> [Effect] {
    self.open = open
    var effects: [Effect] = []
    for symbol in open.sorted() where markets[symbol] == nil {
      guard follow(symbol, at: now, &effects) == nil else { continue }
      effects.append(.deliver(.missedTrades, symbol))
    }
    return effects
  }

  /// Follows a market as long as there is a position in it.
  package mutating func hold(
    _ symbol: Symbol, isFlat: Bool, at now: MonotonicTime
  ) -> [Effect] {
    var effects: [Effect] = []
    if isFlat {
      held.remove(symbol)
    } else if held.insert(symbol).inserted {
      _ = follow(symbol, at: now, &effects)
    }
    return effects
  }

  /// Receives an input of a market's streams.
  package mutating func receive(
    _ input: StreamInput, of symbol: Symbol, at now: ClockReading
  ) -> [Effect] {
    guard let inputs = markets[symbol]?.gate.receive(input, at: now) else { return [] }
    let effects = inputs.map { Effect.deliver($0, symbol) }
    guard let gate = markets[symbol]?.gate, gate.isOpen || gate.isUnknown else { return effects }
    return effects + answer(symbol, gate.isUnknown ? unknown(symbol) : nil)
  }

  /// Ends the markets that have not been used for this long.
  package mutating func endUnused(
    for milliseconds: Int64 = lingerMilliseconds, at now: MonotonicTime
  ) -> [Effect] {
    unused.prefix { symbol in
      markets[symbol].map { now.milliseconds(since: $0.usedAt) >= milliseconds } ?? false
    }.flatMap { end($0) }
  }

  /// Ends all markets; waiting commands are answered with the reason.
  package mutating func end(_ reason: Sentence) -> [Effect] {
    let obstacle = Obstacle(text: reason, isFinal: false)
    return markets.keys.sorted().flatMap { answer($0, obstacle) + end($0) }
  }

  private func unknown(_ symbol: Symbol) -> Obstacle {
    Obstacle(text: "The venue has no market \(rules.text(symbol)).", isFinal: true)
  }

  private mutating func follow(
    _ symbol: Symbol, at now: MonotonicTime, _ effects: inout [Effect]
  ) -> Obstacle? {
    if markets[symbol] != nil {
      markets[symbol]?.usedAt = now
      return nil
    }
    guard let key = InstrumentKey(text: symbol.text), venues.contains(key.venue),
      let instrument = BookCatalogue.instrument(key)
    else { return Obstacle(text: "There is no market \(rules.text(symbol)).", isFinal: true) }
    if let obstacle = instrument.obstacle { return Obstacle(text: obstacle, isFinal: true) }
    let unused = unused
    if unused.count >= Self.maximumUnused, let oldest = unused.first { effects += end(oldest) }
    guard markets.count < Self.maximum else {
      return Obstacle(
        text: "Orders can be open in at most \(Self.maximum) markets.", isFinal: false)
    }
    let gate = OrderMarketGate(
      instrument, fees: fees[key.venue] ?? key.venue.descriptor.fees, latency: latency)
    markets[symbol] = Market(gate: gate, usedAt: now)
    effects.append(.observe(symbol, instrument))
    return nil
  }

  private mutating func answer(_ symbol: Symbol, _ obstacle: Obstacle?) -> [Effect] {
    guard let waiting = markets[symbol]?.waiting, !waiting.isEmpty else { return [] }
    markets[symbol]?.waiting = []
    return waiting.map { .answer($0, obstacle) }
  }

  private mutating func end(_ symbol: Symbol) -> [Effect] {
    markets[symbol] = nil
    return [.release(symbol), .deliver(.ended, symbol)]
  }

  /// The markets without an open order, a position or a waiting command, least recently used first.
  private var unused: [Symbol] {
    markets.filter { !open.contains($0.key) && !held.contains($0.key) && $0.value.waiting.isEmpty }
      .sorted { $0.value.usedAt < $1.value.usedAt }.map(\.key)
  }
}
