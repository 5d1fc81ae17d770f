import MarketModel

/// Why a follower's session ended.
enum TapeProblem: Error, Equatable {
  /// No sign of a reader for this long.
  case silent(milliseconds: Int64)
  /// Another reader has taken over.
  case changed
  case gap
  /// The reader sent no checkpoint in time.
  case noCheckpoint
  case unreadable
  /// The reader is not connected to the venue; the reason.
  case venue(Sentence?)
  /// The venue rejects the reader's location or address; the reason.
  case rejected(Sentence)
  /// The bus is down; the reason.
  case bus(String)
}
