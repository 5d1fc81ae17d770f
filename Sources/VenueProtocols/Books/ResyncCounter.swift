// A book that has to be fetched anew again and again is not cured by fetching: the connection is to
// blame, or this program.

import MarketModel

/// When books were fetched anew, by their number in the market: at most the last few of a minute.
struct ResyncCounter {
  /// Resyncs of one book within a minute after which the connection itself is given up.
  static let limit = 3

  private var times: [Int: [MonotonicTime]] = [:]

  /// Notes a resync of a book; says whether it was one too many, after which all are forgotten.
  mutating func exceedsLimit(_ number: Int, at now: MonotonicTime) -> Bool {
    var recent = times[number, default: []]
    recent.removeAll { now.milliseconds(since: $0) > 60_000 }
    recent.append(now)
    times[number] = recent
    guard recent.count > Self.limit else { return false }
    times = [:]
    return true
  }

  /// Nobody wants the book any more.
  mutating func forget(_ number: Int) { times[number] = nil }
}
