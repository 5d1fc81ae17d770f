// A book that has to be fetched anew again and again is not cured by fetching: the connection is to
// blame, or this program. And each fetch is a large message, so a venue is not asked in haste.

import MarketModel

/// When books were fetched anew, by their number in the market: at most the last few of a minute.
struct ResyncCounter {
  /// Resyncs of one book within a minute after which the connection itself is given up.
  static let limit = 3
  /// The least time between a first and a second resync, in milliseconds; each further one waits
  /// as much longer.
  static let pauseMilliseconds: Int64 = 1000

  /// What to do about a book that must be fetched anew.
  enum Advice: Equatable {
    /// Ask for it.
    case now
    /// Ask at this time, when ``ResyncCounter/due(at:)`` names it.
    case later(MonotonicTime)
    /// Give the connection up.
    case never
  }

  private var times: [Int: [MonotonicTime]] = [:]
  private var postponed: [Int: MonotonicTime] = [:]

  /// Notes a resync of a book; after ``Advice/never`` all are forgotten.
  mutating func advice(_ number: Int, at now: MonotonicTime) -> Advice {
    var recent = times[number, default: []]
    recent.removeAll { now.milliseconds(since: $0) > 60_000 }
    let pause = Self.pauseMilliseconds * Int64(recent.count)
    let earliest = recent.last.map { max(now, $0.adding(milliseconds: pause)) } ?? now
    recent.append(earliest)
    times[number] = recent
    guard recent.count <= Self.limit else {
      times = [:]
      postponed = [:]
      return .never
    }
    guard earliest > now else {
      // What is asked for now is not asked for again a moment later.
      postponed[number] = nil
      return .now
    }
    postponed[number] = earliest
    return .later(earliest)
  }

  /// Books whose pause is over, each named once.
  mutating func due(at now: MonotonicTime) -> [Int] {
    let due = postponed.filter { $0.value <= now }.keys.sorted()
    for number in due { postponed[number] = nil }
    return due
  }

  /// The connection is another one: nothing that was postponed is asked for there.
  mutating func forgetPostponed() { postponed = [:] }

  /// Nobody wants the book any more.
  mutating func forget(_ number: Int) {
    times[number] = nil
    postponed[number] = nil
  }
}
