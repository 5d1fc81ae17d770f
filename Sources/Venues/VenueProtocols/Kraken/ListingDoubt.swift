import MarketModel

/// Decides when to refetch a list of pairs that lacks a requested pair.
///
/// A row that was damaged in transit, or left out by the venue, must not hide a pair for ever:
/// while a requested pair is missing, the list is refetched, after pauses that double.
struct ListingDoubt: Sendable {
  /// The pauses, in milliseconds.
  static let pauses: (first: Int64, last: Int64) = (10_000, 3_600_000)

  private var pause = ListingDoubt.pauses.first
  private var dueAt: MonotonicTime?

  /// Handles a missing requested pair.
  mutating func begin(at now: MonotonicTime) {
    if dueAt == nil { dueAt = now.adding(milliseconds: pause) }
  }

  /// Handles the end of the connection, or that no pair is missing any more.
  mutating func end() { self = ListingDoubt() }

  /// Whether to request the list now; if so, the next pause begins.
  mutating func isDue(at now: MonotonicTime) -> Bool {
    guard let dueAt, now >= dueAt else { return false }
    pause = min(2 * pause, Self.pauses.last)
    self.dueAt = now.adding(milliseconds: pause)
    return true
  }
}
