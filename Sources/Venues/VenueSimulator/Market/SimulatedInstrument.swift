// One instrument of the simulated market, at any time of its life.

import MarketModel
import OrderMatching

/// A market of agents that goes on as its listing says.
///
/// Times are microseconds since the market's
/// start.
struct SimulatedInstrument: Sendable {
  /// Trading before the first moment that anybody can see, so that the book is lived in.
  private static let sessionWarmUp: Int64 = 5_000_000
  static let openingWarmUp: Int64 = 60_000_000
  private static let reopeningWarmUp: Int64 = 5_000_000
  /// The longest pause of the host that an unbroken book catches up step by step.
  static let longestPause: Int64 = 3_000_000

  let listing: MarketListing
  /// What the agents believe in.
  let value: FundamentalValue
  private let seed: UInt64
  /// Nil for an instrument of sessions that nobody has looked at yet.
  private var market: AgentMarket<FastMatchingEngine>?
  private var session: Int64 = -1

  /// An instrument that is not open yet.
  init(_ listing: MarketListing, seed: UInt64) {
    self.listing = listing
    value = listing.value(seed: seed)
    self.seed = SeedText.seed(seed, "market " + listing.key)
  }

  /// Opens an unbroken book at 0 and returns what happened in it before, for who shows latest
  /// trades.
  mutating func open() -> [AgentEvent] {
    guard case .unbroken = listing.continuity else { return [] }
    market = AgentMarket(
      on: FastMatchingEngine.self, listing.profile, value, seed: seed,
      opening: -SimulatedInstrument.openingWarmUp)
    return market?.advance(to: 0) ?? []
  }

  /// Whether there is a book.
  var isOpen: Bool { market != nil }

  /// Opens an unbroken book at a moment; what happened in it before is nobody's business.
  mutating func open(at now: Int64) {
    guard case .unbroken = listing.continuity else { return }
    market = AgentMarket(
      on: FastMatchingEngine.self, listing.profile, value,
      seed: SeedText.seed(seed, "opened at \(now)"),
      opening: now - SimulatedInstrument.reopeningWarmUp)
    market?.advance(to: now)
  }

  /// Forgets the book.
  mutating func close() { market = nil }

  /// When the next step of an unbroken book is due; nil for others, which move when they are looked
  /// at.
  var due: Int64? {
    guard case .unbroken = listing.continuity else { return nil }
    return market?.due
  }

  /// Makes the next step of an unbroken book.
  mutating func step() -> [AgentEvent] { market?.step() ?? [] }

  /// After a longer pause than can be caught up: opens the book anew at `now` and tells how it
  /// differs; nil when there was no such pause.
  mutating func reopen(at now: Int64) -> AgentEvent? {
    guard let due, now - due > SimulatedInstrument.longestPause else { return nil }
    let before = (levels(.buy, limit: .max), levels(.sell, limit: .max))
    open(at: now)
    let changes =
      SimulatedInstrument.changes(.buy, from: before.0, to: levels(.buy, limit: .max))
      + SimulatedInstrument.changes(.sell, from: before.1, to: levels(.sell, limit: .max))
    return AgentEvent(microseconds: now, trades: [], changes: changes)
  }

  /// Moves an instrument of sessions to a time; one that has passed changes nothing.
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
  func levels(_ side: Side, limit: Int) -> [BookLevel] {
    market?.levels(side, limit: limit) ?? []
  }

  /// Best prices and latest trade.
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

/// What can be seen of an instrument at one moment.
struct MarketTop: Sendable, Equatable {
  /// The best level to sell to; nil when nobody bids.
  let bid: BookLevel?
  /// The best level to buy from; nil when nobody offers.
  let ask: BookLevel?
  /// The price of the latest trade, in ticks.
  let last: Price

  /// Best bid and best ask, in ticks: where a side is empty, a tick beside the other one or the
  /// latest trade.
  var prices: (bid: Int64, ask: Int64) {
    switch (bid?.price.units, ask?.price.units) {
    case (let bid?, let ask?): (bid, ask)
    case (let bid?, nil): (bid, bid + 1)
    case (nil, let ask?): (ask - 1, ask)
    case (nil, nil): (last.units, last.units + 1)
    }
  }
}
