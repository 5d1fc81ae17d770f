import Logging
import MarketModel
import NIOConcurrencyHelpers
import NIOHTTP1
import SocketServer

/// Rate-limits wrong tokens per source, as a pure state machine.
struct TokenPace: Sendable {
  /// The wrong tokens a source may send at once; one more is allowed each second.
  static let burst: Int64 = 20
  /// How long a source is exempt after a valid token, so that an attacker behind the same address
  /// cannot block its orders.
  static let trustMilliseconds: Int64 = 3_600_000
  /// The minimum time between two log lines.
  static let reportMilliseconds: Int64 = 10_000
  /// The number of recent wrong tokens of a source that count only once: a page or script that
  /// repeats an old token is not guessing.
  static let maximumRepeated = 4
  /// The maximum number of tracked sources; the least recently seen is dropped.
  static let maximumSources = 1024

  private struct Entry {
    /// When the source's count is back to zero.
    var freeAt: MonotonicTime
    var trustedUntil: MonotonicTime?
    var seenAt: MonotonicTime
    var latest: [Int] = []
  }

  private var entries: [SocketSource: Entry] = [:]
  private var unreported = 0
  private var reportedAt: MonotonicTime?

  func mayCompare(_ source: SocketSource, at now: MonotonicTime) -> Bool {
    guard let entry = entries[source] else { return true }
    if let end = entry.trustedUntil, now < end { return true }
    return entry.freeAt.milliseconds(since: now) <= (TokenPace.burst - 1) * 1000
  }

  mutating func admit(_ source: SocketSource, at now: MonotonicTime) {
    let end = now.adding(milliseconds: TokenPace.trustMilliseconds)
    update(source, at: now) { $0.trustedUntil = end }
  }

  /// Applies a wrong token with that hash; returns the count to log, or nil to log later.
  mutating func refuse(_ source: SocketSource, _ hash: Int, at now: MonotonicTime) -> Int? {
    let end = now.adding(milliseconds: TokenPace.burst * 1000)
    update(source, at: now) { entry in
      guard !entry.latest.contains(hash) else { return }
      entry.latest = entry.latest.suffix(TokenPace.maximumRepeated - 1) + [hash]
      entry.freeAt = min(end, max(entry.freeAt, now).adding(milliseconds: 1000))
    }
    unreported += 1
    if let reportedAt, now.milliseconds(since: reportedAt) < TokenPace.reportMilliseconds {
      return nil
    }
    defer { (unreported, reportedAt) = (0, now) }
    return unreported
  }

  private mutating func update(
    _ source: SocketSource, at now: MonotonicTime, _ change: (inout Entry) -> Void
  ) {
    if entries[source] == nil, entries.count >= TokenPace.maximumSources {
      let oldest = entries.min { left, right in
        let (isTrusted, other) = (left.value.trustedUntil != nil, right.value.trustedUntil != nil)
        return isTrusted == other ? left.value.seenAt < right.value.seenAt : other
      }
      if let oldest { entries[oldest.key] = nil }
    }
    var entry = entries[source] ?? Entry(freeAt: now, seenAt: now)
    entry.seenAt = now
    change(&entry)
    entries[source] = entry
  }
}

/// The rate limit of one server's tokens, with its log.
final class TokenGuard: Sendable {
  private let pace = NIOLockedValueBox(TokenPace())
  private let now: @Sendable () -> MonotonicTime
  private let logger: Logger?

  init(now: @escaping @Sendable () -> MonotonicTime, logger: Logger?) {
    (self.now, self.logger) = (now, logger)
  }

  func pause(for source: SocketSource) -> PlainResponse? {
    let now = now()
    return pace.withLockedValue { $0.mayCompare(source, at: now) } ? nil : TokenGuard.tooMany
  }

  func admit(_ source: SocketSource) {
    let now = now()
    pace.withLockedValue { $0.admit(source, at: now) }
  }

  func refuse(_ token: [String], from source: SocketSource) {
    let now = now()
    guard let count = pace.withLockedValue({ $0.refuse(source, token.hashValue, at: now) }) else {
      return
    }
    let requests = count == 1 ? "1 request" : "\(count) requests"
    logger?.warning(
      "Rejected \(requests) with a wrong or expired access token, the last from \(source).")
  }

  private static let tooMany = PlainResponse(
    status: .tooManyRequests, headers: ["Retry-After": "1"],
    text: "Too many wrong access tokens. Try again in a few seconds.\n")
}
