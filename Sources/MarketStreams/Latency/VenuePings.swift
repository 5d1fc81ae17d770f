// How a venue is pinged while nothing is wrong.

/// What a venue's answers to pings tell.
public enum VenuePings: Sendable {
  /// It is not pinged: its protocol has no ping.
  case none
  /// How long an answer takes: WebSocket ping frames, which RFC 6455 makes it answer.
  case frames
  /// That, and the venue's time: messages of its own.
  case timed

  /// Between two pings, in nanoseconds: what is delayed is told within a second.
  static let pauseNanoseconds: Int64 = 1_000_000_000
}
