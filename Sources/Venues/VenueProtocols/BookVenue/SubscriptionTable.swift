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
