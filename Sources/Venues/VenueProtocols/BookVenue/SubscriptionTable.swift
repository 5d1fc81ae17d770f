import MarketModel

/// The requested streams of one venue by symbol, with the topics that they need.
///
/// Lookups for each change don't slow down with the number of streams.
struct SubscriptionTable<Venue: BookVenue>: Sendable {
  private struct Use: Sendable {
    var count: Int
    let arrival: Int
  }

  private(set) var streams: Set<Subscription> = []
  private var bySymbol: [Symbol: Set<Subscription>] = [:]
  private var uses: [BookTopic: Use] = [:]
  private var arrivals = 0

  var topics: some Collection<BookTopic> { uses.keys }

  var symbols: some Collection<Symbol> { bySymbol.keys }

  mutating func insert(_ stream: Subscription) {
    guard streams.insert(stream).inserted else { return }
    bySymbol[stream.symbol, default: []].insert(stream)
    for topic in Venue.topics(for: stream) {
      arrivals += 1
      uses[topic, default: Use(count: 0, arrival: arrivals)].count += 1
    }
  }

  mutating func remove(_ stream: Subscription) {
    guard streams.remove(stream) != nil else { return }
    bySymbol[stream.symbol]?.remove(stream)
    if bySymbol[stream.symbol]?.isEmpty == true { bySymbol[stream.symbol] = nil }
    for topic in Venue.topics(for: stream) {
      uses[topic]?.count -= 1
      if uses[topic]?.count == 0 { uses[topic] = nil }
    }
  }

  func needs(_ topic: BookTopic) -> Bool { uses[topic] != nil }

  func streams(of symbol: Symbol) -> Set<Subscription> { bySymbol[symbol] ?? [] }

  /// The topics of a symbol's requested streams, without those of all symbols together.
  func topics(of symbol: Symbol) -> Set<BookTopic> {
    Set(streams(of: symbol).flatMap { Venue.topics(for: $0) }.filter { $0.symbol == symbol })
  }

  /// The `count` topics that have been needed for longest.
  func oldest(_ count: Int, of topics: [BookTopic]) -> [BookTopic] {
    if count == 0 { return [] }
    if count >= topics.count { return topics }
    return Array(
      topics.sorted { (uses[$0]?.arrival ?? 0) < (uses[$1]?.arrival ?? 0) }.prefix(count))
  }
}

/// One part of one instrument's data, as a venue subscribes it.
///
/// Common to all venues; each venue's request writer translates it.
struct BookTopic: Hashable, Comparable {
  /// The parts that venues send separately.
  enum Part: UInt8 {
    case book
    /// The best levels that the book is compared with.
    case audit
    case trades
    case quote
    /// The venue's instrument data: precision, tick size, state.
    case details
    /// The figures of the day.
    case figures
  }

  let part: Part
  /// Nil for the details of all instruments together.
  let symbol: Symbol?

  init(_ part: Part, _ symbol: Symbol?) {
    self.part = part
    self.symbol = symbol
  }

  /// By symbol, then by part, so that requests have a stable order.
  static func < (left: BookTopic, right: BookTopic) -> Bool {
    guard let mine = left.symbol, let other = right.symbol else {
      return left.symbol == nil && right.symbol != nil
    }
    return (mine, left.part.rawValue) < (other, right.part.rawValue)
  }
}

/// Topics that are subscribed again only once the venue has acknowledged their end.
///
/// An acknowledgement may be lost, so the end of a topic that waits is requested again after a
/// while.
struct EndingTopics: Sendable {
  /// How long an acknowledgement may take, in milliseconds.
  static let patienceMilliseconds: Int64 = 10_000

  /// Topics whose end the venue has not acknowledged.
  private var ending: Set<BookTopic> = []
  /// Topics of ``ending`` to subscribe after that.
  private var waiting: Set<BookTopic> = []
  /// Since when they wait, as of the first timer after their request.
  private var since: [BookTopic: MonotonicTime] = [:]

  /// Records that the end of topics is requested.
  mutating func end(_ topics: [BookTopic]) {
    ending.formUnion(topics)
    waiting.subtract(topics)
    for topic in topics { since[topic] = nil }
  }

  /// Returns the topics that can be subscribed now; the others wait.
  mutating func subscribe(_ topics: [BookTopic]) -> [BookTopic] {
    waiting.formUnion(topics.filter(ending.contains))
    return topics.filter { !ending.contains($0) }
  }

  /// Handles the end of topics; returns those that waited for it.
  mutating func acknowledge(_ topics: [BookTopic]) -> [BookTopic] {
    ending.subtract(topics)
    for topic in topics { since[topic] = nil }
    return topics.filter { waiting.remove($0) != nil }
  }

  /// The topics whose end is to be requested again now.
  mutating func overdue(at now: MonotonicTime) -> [BookTopic] {
    if waiting.isEmpty { return [] }
    return waiting.sorted().filter { topic in
      guard let start = since[topic] else {
        since[topic] = now
        return false
      }
      guard now.milliseconds(since: start) >= Self.patienceMilliseconds else { return false }
      since[topic] = now
      return true
    }
  }
}
