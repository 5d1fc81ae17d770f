import MarketModel

/// The rate limit of public calls, a token bucket with 15 at once and one more each second.
///
/// It is for all clients together, because a simulated venue can't distinguish them.
struct KrakenCallBudget: Sendable {
  static let burst: Int64 = 15

  private let isLimited: Bool
  /// Thousandths of a call.
  private var left = KrakenCallBudget.burst * 1000
  private var counted: Timestamp

  init(isLimited: Bool, at now: Timestamp) { (self.isLimited, counted) = (isLimited, now) }

  /// Uses a call; false when the bucket is empty.
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
