import MarketModel
import MarketStreams

/// A book's level over time by what the network and the venue did, compared with its truth strip.
struct StripAudit {
  /// A time with one certain level; on the server's wall clock, in milliseconds.
  private struct Stretch {
    let level: TruthLevel
    let since: Int64
    var until: Int64
    /// The strip's longest cadence in this time.
    var cadence: Int64

    mutating func widen(to cadence: Int64) { self.cadence = max(self.cadence, cadence) }
  }

  /// How often a continuing stretch is judged, in milliseconds.
  private static let judgeEvery: Int64 = 1000

  /// A pause that counts as not observed, in milliseconds; a shorter one may or may not.
  private static let shortestPause: Int64 = 2000

  private var current: Stretch?
  /// Ended stretches, until the strip must include them.
  private var ended: [Stretch] = []
  private var judgedAt: Int64 = 0
  private var latest: Int64 = .min
  private var cadence: Int64 = 0
  private(set) var sums: [TruthLevel: Int64] = [:]

  /// Records the book's level now; nil where it is uncertain.
  ///
  /// The strip may need one cadence to notice.
  mutating func note(_ level: TruthLevel?, at wall: Int64, cadence: Int64) {
    self.cadence = cadence
    current?.widen(to: cadence)
    note(level, at: wall)
  }

  private mutating func note(_ level: TruthLevel?, at wall: Int64) {
    // Repeated times of a clock that was set back are indistinguishable.
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

  /// Records an unobserved time: the machine slept, or its clock was set.
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

  /// The strip's difference of more than one cadence, in milliseconds; nil when it agrees.
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
