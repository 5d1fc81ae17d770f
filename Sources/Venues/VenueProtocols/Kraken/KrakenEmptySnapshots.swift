// Snapshots without rows name no pair, so which pair each belongs to follows from what is awaited.

import MarketModel

/// Finds the pairs that snapshots without rows belong to, since these name none.
///
/// Every subscribed pair gets one snapshot. So as soon as there are as many empty ones as
/// pairs that still wait, each of these has one.
struct KrakenEmptySnapshots {
  /// Empty snapshots whose pair is not known yet.
  private var count = 0
  /// The pairs that one of them may belong to, and when they were asked for.
  private var candidates: [Int: MonotonicTime] = [:]

  /// Counts a snapshot whose rows have been applied.
  ///
  /// O(instruments).
  ///
  /// - Returns: the pairs that are known to be empty by now.
  mutating func receive<Details>(
    isEmpty: Bool, _ instruments: [InstrumentData<Details>]
  ) -> [Int] {
    if !isEmpty, count == 0 { return [] }
    for (pair, askedAt) in candidates where instruments[pair].tape.askedAt != askedAt {
      candidates[pair] = nil
      // Asked for again or dropped: an empty snapshot may have been its answer.
      if instruments[pair].tape.awaitsSnapshot { forget() }
    }
    if isEmpty {
      count += 1
      for pair in instruments.indices {
        if let askedAt = instruments[pair].tape.askedAt { candidates[pair] = askedAt }
      }
    }
    guard candidates.count <= count else { return [] }
    let empty = candidates.keys.sorted()
    forget()
    return empty
  }

  private mutating func forget() { (count, candidates) = (0, [:]) }
}
