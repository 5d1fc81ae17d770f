import MarketModel

/// Counts a venue's observers; unobserved streams linger, so that scrolling does not resubscribe.
struct SubscriptionLedger: Sendable, Equatable {
  /// How long an unobserved stream stays subscribed, in milliseconds.
  let lingerMilliseconds: Int64

  private var counts: [Subscription: Int] = [:]
  private var lingering: [Subscription: MonotonicTime] = [:]

  init(lingerMilliseconds: Int64) { self.lingerMilliseconds = max(0, lingerMilliseconds) }

  var wanted: Set<Subscription> { Set(counts.keys).union(lingering.keys) }

  var deadline: MonotonicTime? { lingering.values.min() }

  var lingerCount: Int { lingering.count }

  /// Adds an observer; true if the wanted set has grown.
  mutating func add(_ subscription: Subscription) -> Bool {
    counts[subscription, default: 0] += 1
    guard counts[subscription] == 1 else { return false }
    return lingering.removeValue(forKey: subscription) == nil
  }

  /// Removes an observer; true if it was the last and the stream now lingers.
  mutating func remove(_ subscription: Subscription, at now: MonotonicTime) -> Bool {
    guard let count = counts[subscription] else { return false }
    if count > 1 {
      counts[subscription] = count - 1
      return false
    }
    counts[subscription] = nil
    lingering[subscription] = now.adding(milliseconds: lingerMilliseconds)
    return true
  }

  /// Ends the oldest expired streams while more than `kept` linger; true if any ended.
  mutating func expire(at now: MonotonicTime, keeping kept: Int = 0) -> Bool {
    let excess = lingering.count - kept
    guard excess > 0 else { return false }
    let over = lingering.filter { $0.value <= now }
      .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(excess)
    for (subscription, _) in over { lingering[subscription] = nil }
    return !over.isEmpty
  }
}
