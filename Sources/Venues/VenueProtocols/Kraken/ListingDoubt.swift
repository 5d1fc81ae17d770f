// When a list of pairs that lacks what is wanted is asked for again.

import MarketModel

/// A row that was spoilt on its way, or left out by the venue, must not hide a pair for ever: while
/// somebody wants a pair that the list lacks, the list is fetched anew, after pauses that double.
struct ListingDoubt: Sendable {
  /// The pauses, in milliseconds.
  static let pauses: (first: Int64, last: Int64) = (10_000, 3_600_000)

  private var pause = ListingDoubt.pauses.first
  private var dueAt: MonotonicTime?

  /// A wanted pair is missing.
  mutating func begin(at now: MonotonicTime) {
    if dueAt == nil { dueAt = now.adding(milliseconds: pause) }
  }

  /// Nothing is missing any more, or the connection has ended.
  mutating func end() { self = ListingDoubt() }

  /// Whether the list is to be asked for now; the next pause begins then.
  mutating func isDue(at now: MonotonicTime) -> Bool {
    guard let dueAt, now >= dueAt else { return false }
    pause = min(2 * pause, Self.pauses.last)
    self.dueAt = now.adding(milliseconds: pause)
    return true
  }
}
