// The truth strip against the simulation's own record: what each stretch of time was worth by what
// the network and the venue did, and what the strip made of it.

import MarketModel
import MarketStreams

/// The record of one book's worth, and what its strip says otherwise.
struct StripAudit {
  /// A time in which a book was worth one thing for certain; of the server's wall clock, in
  /// milliseconds.
  private struct Stretch {
    let level: TruthLevel
    let since: Int64
    var until: Int64
    /// The longest cadence that the strip had meanwhile.
    var cadence: Int64

    mutating func widen(to cadence: Int64) { self.cadence = max(self.cadence, cadence) }
  }

  /// How often a stretch that goes on is judged, in milliseconds.
  private static let judgeEvery: Int64 = 1000

  /// A pause that counts as not watched, in milliseconds; one that is shorter may or may not.
  private static let shortestPause: Int64 = 2000

  private var current: Stretch?
  /// Those that are over, until the strip must know them.
  private var ended: [Stretch] = []
  private var judgedAt: Int64 = 0
  private var latest: Int64 = .min
  private var cadence: Int64 = 0
  /// What was judged, by level.
  private(set) var sums: [TruthLevel: Int64] = [:]

  /// Notes what the book is worth now; nil where that is not certain.
  ///
  /// The strip may need one cadence to notice.
  mutating func note(_ level: TruthLevel?, at wall: Int64, cadence: Int64) {
    self.cadence = cadence
    current?.widen(to: cadence)
    note(level, at: wall)
  }

  private mutating func note(_ level: TruthLevel?, at wall: Int64) {
    // What a clock that was set back says twice, nobody can tell apart.
    guard wall >= latest else {
      end()
      ended.removeAll { $0.until > wall }
      return
    }
    latest = wall
    current?.until = wall
    guard level != current?.level else { return }
    end()
    current = level.map { Stretch(level: $0, since: wall, until: wall, cadence: cadence) }
  }

  /// Nobody saw what was from one moment to the other: the machine slept, or its clock was set.
  mutating func pass(from start: Int64, to end: Int64) {
    guard end > start, start >= latest else { return self.end() }
    let level = current?.level
    note(level, at: start)
    self.end()
    latest = end
    guard let level, level != .unwatched, end - start > StripAudit.shortestPause else { return }
    ended.append(Stretch(level: .unwatched, since: start, until: end, cadence: cadence))
  }

  private mutating func end() {
    if let current { ended.append(current) }
    current = nil
  }

  /// What the strip says otherwise, for more than one cadence of milliseconds; nil when it agrees.
  mutating func problem(with spans: [TruthSpan]) -> String? {
    while let first = ended.first, first.until + first.cadence <= latest {
      ended.removeFirst()
      if let problem = problem(with: spans, of: first) { return problem }
      sums[first.level, default: 0] += first.until - first.since
    }
    guard var running = current, latest - judgedAt >= StripAudit.judgeEvery else { return nil }
    judgedAt = latest
    running.until -= running.cadence
    return problem(with: spans, of: running)
  }

  private func problem(
    with spans: [TruthSpan], of stretch: Stretch
  ) -> String? {
    var until = Int64.max
    var right: Int64 = 0
    var others: [String] = []
    for span in spans.reversed() {
      let length = min(until, stretch.until) - max(span.since, stretch.since)
      if length > 0, span.level == stretch.level { right += length }
      if length > 0, span.level != stretch.level { others.append("\(span.level) \(length)") }
      until = span.since
      if until <= stretch.since { break }
    }
    let before = min(until, stretch.until) - stretch.since
    if before > 0, stretch.level == .unwatched { right += before }
    if before > 0, stretch.level != .unwatched { others.append("nothing noted for \(before)") }
    let expected = stretch.until - stretch.since
    guard expected - right > stretch.cadence else { return nil }
    return "expected \(expected) ms of \(stretch.level) up to \(stretch.until), found \(right) "
      + "and \(others.reversed().joined(separator: ", "))"
  }
}
