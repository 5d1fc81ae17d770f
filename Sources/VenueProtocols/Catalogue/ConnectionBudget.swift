// Some venues count connections: BitMEX allowed as few as 20 to 40 an hour. Whoever spends them all
// in a bad quarter of an hour stays out for the rest.

/// How many connection attempts a venue allows.
public struct ConnectionBudget: Sendable, Equatable {
  /// The most attempts in any window.
  public let attempts: Int
  /// The length of the window, in milliseconds.
  public let windowMilliseconds: Int64

  /// Makes a budget; both numbers are at least 1.
  public init(attempts: Int, windowMilliseconds: Int64 = 3_600_000) {
    self.attempts = max(1, attempts)
    self.windowMilliseconds = max(1, windowMilliseconds)
  }

  /// 720 an hour, for venues that name no limit: an attempt each 10 s takes half of them.
  public static let ordinary = ConnectionBudget(attempts: 720)
}
