// When to ask for a product again: at first, when a person says so, and by itself after a failure
// of the network or a reconnect (PD8). Never two requests at once, never in a hurry.

import MarketModel

/// The course of a product's requests.
struct ProductFetching: Sendable, Equatable {
  /// An answer older than this is asked for again after a reconnect.
  static let oldAfterMilliseconds: Int64 = 60_000
  /// A request without an answer counts as failed after this.
  static let patienceMilliseconds: Int64 = 30_000
  /// The first wait before trying again by itself; it doubles up to ``longestPauseMilliseconds``.
  static let firstPauseMilliseconds: Int64 = 5000
  static let longestPauseMilliseconds: Int64 = 60_000

  /// When the outstanding request was made; nil while there is none.
  private(set) var askedAt: MonotonicTime?
  /// When the latest good answer came.
  private(set) var loadedAt: ClockReading?
  private var failedAt: MonotonicTime?
  private var failuresInARow = 0
  private var canRepeatByItself = false

  /// Notes that a request is made, unless one is outstanding; true when it is to be sent.
  mutating func ask(at now: ClockReading) -> Bool {
    guard askedAt == nil else { return false }
    askedAt = now.monotonic
    return true
  }

  /// Notes a good answer.
  mutating func succeeded(at now: ClockReading) {
    (askedAt, loadedAt, failedAt, failuresInARow) = (nil, now, nil, 0)
  }

  /// Notes a bad answer.
  mutating func failed(_ failure: ProductFailure, at now: ClockReading) {
    (askedAt, failedAt) = (nil, now.monotonic)
    failuresInARow += 1
    canRepeatByItself = failure.code == ProductScreen.networkFailureCode
  }

  /// Whether the outstanding request has waited for too long.
  func isOverdue(at now: ClockReading) -> Bool {
    guard let askedAt else { return false }
    return now.monotonic.milliseconds(since: askedAt) >= ProductFetching.patienceMilliseconds
  }

  /// Whether it is time to ask by itself: at the very start, or after a pause when the network
  /// failed.
  func isDue(at now: ClockReading) -> Bool {
    guard askedAt == nil else { return false }
    guard let failedAt else { return loadedAt == nil }
    var pause = ProductFetching.firstPauseMilliseconds
    for _ in 1..<max(1, min(failuresInARow, 8)) { pause *= 2 }
    pause = min(pause, ProductFetching.longestPauseMilliseconds)
    return canRepeatByItself && now.monotonic.milliseconds(since: failedAt) >= pause
  }

  /// Whether a reconnect is a reason to ask again.
  func isDueAfterReconnect(at now: ClockReading) -> Bool {
    if failedAt != nil { return canRepeatByItself }
    guard let loadedAt else { return false }
    let age = now.monotonic.milliseconds(since: loadedAt.monotonic)
    return age > ProductFetching.oldAfterMilliseconds
  }
}
