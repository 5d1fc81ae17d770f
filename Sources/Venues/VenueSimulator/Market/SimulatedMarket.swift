import MarketModel
import OrderMatching

/// The market that all simulated venues show: instruments by key, each a market of agents.
///
/// Each venue holds the instruments that it lists and formats their events. An instrument's state
/// at any time depends only on the seed, the start and its key, so venues that list the same
/// instrument show the same market. Exceptions: a deep book is rebuilt after a pause of the host of
/// more than three seconds, and an instrument that was added later opens on request.
struct SimulatedMarket: Sendable {
  /// The events before the start, by instrument; oldest first.
  private(set) var past: [[AgentEvent]]
  private(set) var instruments: [SimulatedInstrument] = []

  private let seed: UInt64
  private let start: Timestamp
  private var indexes: [String: Int] = [:]
  /// The next steps of the open unbroken books.
  private var steps = MinHeap<BookStep>()

  /// Opens the instruments, in this order; of two with one key the first counts.
  init(seed: UInt64, start: Timestamp, _ listings: [MarketListing]) {
    self.seed = seed
    self.start = start
    past = []
    for listing in listings where indexes[listing.key] == nil {
      indexes[listing.key] = instruments.count
      instruments.append(SimulatedInstrument(listing, seed: seed))
      past.append(instruments[instruments.count - 1].open())
      plan(instruments.count - 1)
    }
  }

  /// Adds an unopened instrument and returns its index.
  mutating func add(_ listing: MarketListing) -> Int {
    if let index = indexes[listing.key] { return index }
    indexes[listing.key] = instruments.count
    instruments.append(SimulatedInstrument(listing, seed: seed))
    return instruments.count - 1
  }

  /// Opens an unbroken book at a moment, if it is not open.
  mutating func open(_ index: Int, at now: Timestamp) {
    guard !instruments[index].isOpen else { return }
    instruments[index].open(at: microseconds(at: now))
    plan(index)
  }

  /// Closes an unbroken book and discards it.
  mutating func close(_ index: Int) {
    instruments[index].close()
    steps = MinHeap(steps.elements.filter { $0.index != index })
  }

  /// The index of an instrument; nil when it is not listed.
  func index(of key: String) -> Int? { indexes[key] }

  /// Returns the events before the start and releases them.
  mutating func takePast() -> [[AgentEvent]] {
    defer { past = [] }
    return past
  }

  func time(of event: AgentEvent) -> Timestamp { start.adding(microseconds: event.microseconds) }

  /// A time in the instruments' microseconds.
  func microseconds(at time: Timestamp) -> Int64 { (time.nanoseconds &- start.nanoseconds) / 1000 }

  /// When the next step of a deep book is due; nil without any.
  var due: Timestamp? { steps.first.map { start.adding(microseconds: $0.due) } }

  /// The latest moment up to `now` whose steps have all been made: reported history must not
  /// change.
  func settled(_ now: Timestamp) -> Timestamp {
    guard let due, due <= now else { return now }
    return due.adding(microseconds: -1)
  }

  /// Makes the earliest step of a deep book that is due by `limit`; nil without one.
  mutating func next(by limit: Timestamp) -> (index: Int, events: [AgentEvent])? {
    guard let first = steps.first, first.due <= microseconds(at: limit) else { return nil }
    let events = instruments[first.index].step()
    steps.replaceFirst(
      with: BookStep(index: first.index, due: instruments[first.index].due ?? .max))
    return (first.index, events)
  }

  /// The deep books with too long a pause to catch up, by index, with their missed step's time.
  func overdue(at now: Timestamp) -> [(index: Int, due: Timestamp)] {
    let end = microseconds(at: now)
    guard let first = steps.first, end - first.due > SimulatedInstrument.longestPause else {
      return []
    }
    return steps.elements.map(\.index).sorted().compactMap { index in
      guard let due = instruments[index].due, end - due > SimulatedInstrument.longestPause else {
        return nil
      }
      return (index, start.adding(microseconds: due))
    }
  }

  /// Rebuilds the deep books that have paused for too long, and returns the differences.
  mutating func reopen(at now: Timestamp) -> [MarketReopening] {
    let paused = overdue(at: now)
    if paused.isEmpty { return [] }
    let end = microseconds(at: now)
    let reopenings = paused.compactMap { index, due in
      instruments[index].reopen(at: end).map { event in
        MarketReopening(index: index, paused: due, now: now, event: event)
      }
    }
    let open = steps.elements
    steps = MinHeap()
    for step in open { plan(step.index) }
    return reopenings
  }

  private mutating func plan(_ index: Int) {
    guard let due = instruments[index].due else { return }
    steps.add(BookStep(index: index, due: due))
  }

  /// The tape of an unbroken book; its agents' first trade has the number `first`.
  func tape(of index: Int, first: Int64) -> MarketTape {
    tape(
      of: index, first: first,
      opening: start.adding(microseconds: -SimulatedInstrument.openingWarmUp))
  }

  /// The tape of a book that opens later, from its listing to the start.
  func tapeUntilStart(of index: Int, first: Int64) -> MarketTape {
    tape(of: index, first: first, opening: start)
  }

  private func tape(of index: Int, first: Int64, opening: Timestamp) -> MarketTape {
    let instrument = instruments[index]
    return MarketTape(
      instrument.listing, value: instrument.value, seed: seed, start: start, opening: opening,
      first: first)
  }

  /// The top of an instrument at a time; instruments of sessions move only on request.
  mutating func look(_ index: Int, at now: Timestamp) -> MarketTop {
    instruments[index].look(at: microseconds(at: now))
    return instruments[index].top
  }
}

struct MarketReopening: Sendable {
  let index: Int
  /// When the missed step was due.
  let paused: Timestamp
  let now: Timestamp
  /// The differences from its former state.
  let event: AgentEvent
}

/// An open book and when its next step is due; of equal times the lower index comes first.
struct BookStep: Ranked {
  let index: Int
  /// In microseconds after the start.
  let due: Int64

  func precedes(_ other: BookStep) -> Bool { (due, index) < (other.due, other.index) }
}
