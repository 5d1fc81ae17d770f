// Counts who wants what. A stream that nobody wants any more lingers for a moment, so that a list
// that scrolls to and fro does not subscribe and unsubscribe with each row.

import MarketModel

/// The streams wanted of one venue.
struct SubscriptionLedger: Sendable, Equatable {
  /// How long an unwanted stream stays subscribed, in milliseconds.
  let lingerMilliseconds: Int64

  private var counts: [Subscription: Int] = [:]
  private var lingering: [Subscription: MonotonicTime] = [:]

  init(lingerMilliseconds: Int64) { self.lingerMilliseconds = max(0, lingerMilliseconds) }

  /// What the venue should send: wanted or lingering.
  var wanted: Set<Subscription> { Set(counts.keys).union(lingering.keys) }

  /// When the next lingering stream ends; nil when none lingers.
  var deadline: MonotonicTime? { lingering.values.min() }

  /// How many streams linger.
  var lingerCount: Int { lingering.count }

  /// Adds an observer; true when the wanted set has grown.
  mutating func add(_ subscription: Subscription) -> Bool {
    counts[subscription, default: 0] += 1
    guard counts[subscription] == 1 else { return false }
    return lingering.removeValue(forKey: subscription) == nil
  }

  /// Removes an observer; true when the last one is gone and the stream lingers from now on.
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

  /// Ends what has lingered long enough, the oldest first, as long as more than `kept` streams
  /// linger; true when the wanted set has shrunk.
  mutating func expire(at now: MonotonicTime, keeping kept: Int = 0) -> Bool {
    let excess = lingering.count - kept
    guard excess > 0 else { return false }
    let over = lingering.filter { $0.value <= now }
      .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(excess)
    for (subscription, _) in over { lingering[subscription] = nil }
    return !over.isEmpty
  }
}
