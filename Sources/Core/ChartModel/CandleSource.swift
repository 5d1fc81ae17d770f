/// The source of a candle, the most reliable first.
public enum CandleSource: UInt8, Hashable, Sendable, CaseIterable {
  /// A final candle from the venue.
  case venue
  /// Built from the venue's numbered trades.
  case trades
  /// Built from an observed stream without sequence numbers.
  case seen
}

/// The result of comparing a candle with the venue's.
public enum CandleProof: UInt8, Hashable, Sendable, CaseIterable {
  case none
  /// Built from trades and equal to the venue's in all six figures.
  case proven
  /// Built from trades and different from the venue's.
  case contradicted
}
