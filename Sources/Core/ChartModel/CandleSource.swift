// Where a candle comes from, and whether it was proven.

/// Who vouches for a candle, the best first.
public enum CandleSource: UInt8, Hashable, Sendable, CaseIterable {
  /// The venue gave it whole, and it can't change any more.
  case venue
  /// Made of the venue's numbered trades.
  case trades
  /// Made of what was seen, of a stream without numbers.
  case seen
}

/// Whether a candle was compared with the venue's.
public enum CandleProof: UInt8, Hashable, Sendable, CaseIterable {
  /// Not compared.
  case none
  /// Made of trades, and equal to the venue's in all six figures.
  case proven
  /// Made of trades, and not what the venue says.
  case contradicted
}
