// Why a follower stops to follow.

/// What ended a follower's session.
enum TapeProblem: Error, Equatable {
  /// Nothing has been heard of a reader for this long, in milliseconds.
  case silent(milliseconds: Int64)
  /// Another reader has taken over.
  case changed
  /// Records are missing.
  case gap
  /// The reader did not say in time what it knows.
  case noCheckpoint
  /// A record makes no sense.
  case unreadable
  /// The reader is not connected with the venue, and why.
  case venue(String)
  /// The bus is down, and why.
  case bus(String)
}
