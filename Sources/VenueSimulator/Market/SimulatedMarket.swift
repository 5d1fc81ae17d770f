// The one market that all simulated venues show: each venue holds the instruments that it lists and
// spells what happens to them.

import MarketModel
import OrderMatching

/// Instruments by key, each a market of agents on a matching engine.
///
/// What an instrument is at any time follows from the seed, the start and its key alone, so venues
/// that list the same instrument show the same market, and it does not matter who looks, or when.
/// The exception is a pause of the host: after more than three seconds a deep book opens anew.
struct SimulatedMarket: Sendable {
  /// What trading before the start left, by instrument; oldest first.
  private(set) var past: [[AgentEvent]]
  private(set) var instruments: [SimulatedInstrument] = []

  private let seed: UInt64
  private let start: Timestamp
  private var indexes: [String: Int] = [:]

  /// Opens the instruments, in this order; of two with one key the first counts.
  init(seed: UInt64, start: Timestamp, _ listings: [MarketListing]) {
    self.seed = seed
    self.start = start
    past = []
    for listing in listings where indexes[listing.key] == nil {
      indexes[listing.key] = instruments.count
      instruments.append(SimulatedInstrument(listing, seed: seed))
      past.append(instruments[instruments.count - 1].open())
    }
  }

  /// Where an instrument stands; nil when it is not listed.
  func index(of key: String) -> Int? { indexes[key] }

  /// Takes the trading before the start, which is kept only until somebody has it.
  mutating func takePast() -> [[AgentEvent]] {
    defer { past = [] }
    return past
  }

  /// The time of an event.
  func time(of event: AgentEvent) -> Timestamp { start.adding(microseconds: event.microseconds) }

  /// A time as the instruments count it.
  func microseconds(at time: Timestamp) -> Int64 {
    (time.nanoseconds &- start.nanoseconds) / 1000
  }

  /// When the next step of a deep book is due; nil when there are none.
  var due: Timestamp? {
    earliest.map { start.adding(microseconds: $0.due) }
  }

  /// The latest moment up to `now` whose steps have all been made: what is told of the past must
  /// not change.
  func settled(_ now: Timestamp) -> Timestamp {
    guard let due, due <= now else { return now }
    return due.adding(microseconds: -1)
  }

  /// Makes the earliest step of a deep book that is due by `limit`; nil when none is.
  mutating func next(by limit: Timestamp) -> (index: Int, events: [AgentEvent])? {
    guard let found = earliest, found.due <= microseconds(at: limit) else { return nil }
    return (found.index, instruments[found.index].step())
  }

  private var earliest: (index: Int, due: Int64)? {
    var found: (index: Int, due: Int64)?
    for index in instruments.indices {
      guard let due = instruments[index].due else { continue }
      if due < found?.due ?? .max { found = (index, due) }
    }
    return found
  }

  /// Opens the deep books anew that have paused for too long, and tells how they differ.
  mutating func reopen(at now: Timestamp) -> [MarketReopening] {
    let end = microseconds(at: now)
    return instruments.indices.compactMap { index in
      let paused = instruments[index].due ?? end
      return instruments[index].reopen(at: end).map { event in
        MarketReopening(
          index: index, paused: start.adding(microseconds: paused), now: now, event: event)
      }
    }
  }

  /// The tape of an unbroken book, from its listing to the first trade that its agents make;
  /// that one has the number `first`.
  func tape(of index: Int, first: Int64) -> MarketTape {
    let instrument = instruments[index]
    return MarketTape(
      instrument.listing, value: instrument.value, seed: seed, start: start,
      opening: start.adding(microseconds: -SimulatedInstrument.openingWarmUp), first: first)
  }

  /// The top of an instrument at a time; instruments of sessions move only when they are looked at.
  mutating func look(_ index: Int, at now: Timestamp) -> MarketTop {
    instruments[index].look(at: microseconds(at: now))
    return instruments[index].top
  }
}

/// A book that was opened anew.
struct MarketReopening: Sendable {
  /// Whose.
  let index: Int
  /// When the step was due that nobody made.
  let paused: Timestamp
  /// When it opened.
  let now: Timestamp
  /// How it differs from what it was.
  let event: AgentEvent
}
