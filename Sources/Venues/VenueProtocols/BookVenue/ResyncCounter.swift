import MarketModel

/// Recent refetches of books, by symbol number: at most the last few of a minute.
///
/// Repeated refetches do not repair a book: the connection or this program is at fault. Each
/// refetch is a large message, so requests are spaced.
struct ResyncCounter {
  /// Resyncs of one book within a minute after which the session reconnects.
  static let limit = 3
  /// The time between a first and a second resync, in milliseconds; each later pause is longer by
  /// it.
  static let pauseMilliseconds: Int64 = 1000

  enum Advice: Equatable {
    /// Request it.
    case now
    /// Request it at this time, when ``ResyncCounter/due(at:)`` returns it.
    case later(MonotonicTime)
    /// Reconnect.
    case never
  }

  private var times: [Int: [MonotonicTime]] = [:]
  private var postponed: [Int: MonotonicTime] = [:]

  /// Records a resync of a book; ``Advice/never`` clears all records.
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
      // A request that is sent now is not repeated a moment later.
      postponed[number] = nil
      return .now
    }
    postponed[number] = earliest
    return .later(earliest)
  }

  /// Books whose pause is over, each returned once.
  mutating func due(at now: MonotonicTime) -> [Int] {
    let due = postponed.filter { $0.value <= now }.keys.sorted()
    for number in due { postponed[number] = nil }
    return due
  }

  /// Cancels postponed requests, because the connection is a new one.
  mutating func forgetPostponed() { postponed = [:] }

  /// Clears the records of a book that is no longer requested.
  mutating func forget(_ number: Int) {
    times[number] = nil
    postponed[number] = nil
  }
}
