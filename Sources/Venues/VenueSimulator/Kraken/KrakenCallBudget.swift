// How many public calls may still be made: for everybody together, since a venue here does not know
// who asks.

import MarketModel

/// A bucket of tokens: 15 at once, one more each second.
struct KrakenCallBudget: Sendable {
  static let burst: Int64 = 15

  private let isLimited: Bool
  /// Thousandths of a call.
  private var left = KrakenCallBudget.burst * 1000
  private var counted: Timestamp

  init(isLimited: Bool, at now: Timestamp) { (self.isLimited, counted) = (isLimited, now) }

  /// Takes a call; false when there is none.
  mutating func take(at now: Timestamp) -> Bool {
    guard isLimited else { return true }
    let elapsed = max(0, now.milliseconds - counted.milliseconds)
    left = min(left + min(elapsed, 60_000), KrakenCallBudget.burst * 1000)
    counted = max(counted, now)
    guard left >= 1000 else { return false }
    left -= 1000
    return true
  }
}
