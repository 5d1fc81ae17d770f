import MarketModel

/// Assigns snapshots without rows, which contain no pair, to pairs.
///
/// Every subscribed pair gets one snapshot, so if as many are empty as pairs wait, all these are
/// empty. At Coinbase pairs are products.
struct EmptySnapshots {
  /// Empty snapshots that are not assigned yet.
  private var count = 0
  /// The pairs that one of them may belong to, with the times of their requests.
  private var candidates: [Int: MonotonicTime] = [:]

  /// Counts a snapshot whose rows have been applied, in O(instruments).
  ///
  /// - Returns: the pairs whose snapshots are now certain to be empty.
  mutating func receive<Details>(
    isEmpty: Bool, _ instruments: [InstrumentData<Details>]
  ) -> [Int] {
    if !isEmpty, count == 0 { return [] }
    for (pair, askedAt) in candidates where instruments[pair].tape.askedAt != askedAt {
      candidates[pair] = nil
      // Requested again or dropped: an empty snapshot may have been its response.
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
