import MarketModel
import OrderMatching

/// One instrument of the simulated market; times are in microseconds since the market's start.
struct SimulatedInstrument: Sendable {
  /// Trading before the first visible moment, so that the book is realistic.
  private static let sessionWarmUp: Int64 = 5_000_000
  static let openingWarmUp: Int64 = 60_000_000
  private static let reopeningWarmUp: Int64 = 5_000_000
  /// The longest pause of the host after which an unbroken book is advanced step by step.
  static let longestPause: Int64 = 3_000_000

  let listing: MarketListing
  /// The price that the agents trade around.
  let value: FundamentalValue
  private let seed: UInt64
  /// Nil for an instrument of sessions that has not been requested yet.
  private var market: AgentMarket<FastMatchingEngine>?
  private var session: Int64 = -1

  init(_ listing: MarketListing, seed: UInt64) {
    self.listing = listing
    value = listing.value(seed: seed)
    self.seed = SeedText.seed(seed, "market " + listing.key)
  }

  /// Opens an unbroken book at 0 and returns the events before, for latest trades.
  mutating func open() -> [AgentEvent] {
    guard case .unbroken = listing.continuity else { return [] }
    market = AgentMarket(
      on: FastMatchingEngine.self, listing.profile, value, seed: seed,
      opening: -SimulatedInstrument.openingWarmUp)
    return market?.advance(to: 0) ?? []
  }

  var isOpen: Bool { market != nil }

  /// Opens an unbroken book at a moment; earlier events are discarded.
  mutating func open(at now: Int64) {
    guard case .unbroken = listing.continuity else { return }
    market = AgentMarket(
      on: FastMatchingEngine.self, listing.profile, value,
      seed: SeedText.seed(seed, "opened at \(now)"),
      opening: now - SimulatedInstrument.reopeningWarmUp)
    market?.advance(to: now)
  }

  mutating func close() { market = nil }

  /// When the next step of an unbroken book is due; nil for others, which move on request.
  var due: Int64? {
    guard case .unbroken = listing.continuity else { return nil }
    return market?.due
  }

  mutating func step() -> [AgentEvent] { market?.step() ?? [] }

  /// Rebuilds the book after a pause that is too long to catch up; returns the differences, or nil.
  mutating func reopen(at now: Int64) -> AgentEvent? {
    guard let due, now - due > SimulatedInstrument.longestPause else { return nil }
    let before = (levels(.buy, limit: .max), levels(.sell, limit: .max))
    open(at: now)
    let changes =
      SimulatedInstrument.changes(.buy, from: before.0, to: levels(.buy, limit: .max))
      + SimulatedInstrument.changes(.sell, from: before.1, to: levels(.sell, limit: .max))
    return AgentEvent(microseconds: now, trades: [], changes: changes)
  }

  /// Moves an instrument of sessions to a time; earlier times change nothing.
  mutating func look(at now: Int64) {
    guard case .sessions(let seconds) = listing.continuity else { return }
    let length = max(1, seconds) * 1_000_000
    let wanted = max(0, now) / length
    if wanted > session {
      session = wanted
      market = AgentMarket(
        on: FastMatchingEngine.self, listing.profile, value,
        seed: SeedText.seed(seed, "session \(wanted)"),
        opening: wanted * length - SimulatedInstrument.sessionWarmUp, keepsEvents: false)
    }
    market?.advance(to: now)
  }

  /// At most `limit` levels of a side, best first.
  func levels(_ side: Side, limit: Int) -> [BookLevel] { market?.levels(side, limit: limit) ?? [] }

  var top: MarketTop {
    MarketTop(
      bid: market?.best(.buy), ask: market?.best(.sell),
      last: market?.last ?? Price(units: value.startTicks))
  }

  private static func changes(
    _ side: Side, from old: [BookLevel], to new: [BookLevel]
  ) -> [LevelChange] {
    let known = Dictionary(old.map { ($0.price, $0.quantity) }) { first, _ in first }
    let kept = Set(new.map(\.price))
    let gone = old.filter { !kept.contains($0.price) }.map {
      LevelChange(side: side, price: $0.price, before: $0.quantity, after: .zero)
    }
    let others = new.compactMap { level -> LevelChange? in
      let before = known[level.price] ?? .zero
      guard before != level.quantity else { return nil }
      return LevelChange(side: side, price: level.price, before: before, after: level.quantity)
    }
    return gone + others
  }
}

/// The best prices and the latest trade of an instrument at one moment.
struct MarketTop: Sendable, Equatable {
  let bid: BookLevel?
  let ask: BookLevel?
  /// The price of the latest trade, in ticks.
  let last: Price

  /// Best prices in ticks; an empty side is a tick from the other one or from the latest trade.
  var prices: (bid: Int64, ask: Int64) {
    switch (bid?.price.units, ask?.price.units) {
    case (let bid?, let ask?): (bid, ask)
    case (let bid?, nil): (bid, bid + 1)
    case (nil, let ask?): (ask - 1, ask)
    case (nil, nil): (last.units, last.units + 1)
    }
  }
}
