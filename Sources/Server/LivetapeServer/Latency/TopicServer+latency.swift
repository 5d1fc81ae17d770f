// The latency ladder: from a message to the frame that shows it, and the page's report of that
// frame. Pages receive only the mark of a measured frame.

import AppState
package import MarketModel
import MarketStreams

extension TopicServer {
  static let latencyMilliseconds: Int64 = 1000

  mutating func begin(
    _ stamp: MessageStamp, shownBy names: Set<String>, at now: ClockReading
  ) -> [TopicEffect] {
    for page in Set(names.compactMap { slots[$0] }.flatMap(\.pages)) {
      pages[page]?.measures.note(stamp.venue, shown: now.monotonic)
    }
    let nanoseconds = now.monotonic.nanoseconds - stamp.decoded.nanoseconds
    return [.measured(stamp.venue, .state, nanoseconds: nanoseconds, within: nil)]
  }

  /// Records that a measured frame was written to the page's socket.
  package mutating func written(_ frame: MeasuredFrame, at now: ClockReading) -> [TopicEffect] {
    pages[frame.page]?.measures.wrote(frame, at: now.monotonic)
    let nanoseconds = now.monotonic.nanoseconds - frame.shown.nanoseconds
    return frame.venues.map { .measured($0, .sent, nanoseconds: nanoseconds, within: nil) }
  }

  /// Applies a page's report.
  ///
  /// Each frame counts once. Unknown frames, and those received before they were sent or drawn
  /// after the report, are ignored: the clocks of pages stop while they sleep.
  mutating func take(
    _ report: FrameReport, from page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    guard let present = pages[page]?.measures.microseconds(at: now.monotonic) else { return [] }
    let moments = -report.within...present + report.within
    var effects: [TopicEffect] = []
    for row in report.rows {
      guard let frame = pages[page]?.measures.take(row.number), moments.contains(row.received),
        moments.contains(row.received + row.painted),
        case let received = row.received - frame.writtenAt, received >= -report.within
      else { continue }
      for venue in frame.venues {
        effects.append(
          .measured(
            venue, .received, nanoseconds: received * 1000, within: report.within * 1000))
        effects.append(.measured(venue, .painted, nanoseconds: row.painted * 1000, within: nil))
      }
    }
    return effects
  }

  /// Whether a page shows the ladder and its last update is a second old.
  mutating func wantsLatency(at now: ClockReading) -> Bool {
    guard isShown(.latency) else {
      latencyShownAt = nil
      return false
    }
    if let shown = latencyShownAt,
      now.monotonic.milliseconds(since: shown) < TopicServer.latencyMilliseconds
    {
      return false
    }
    latencyShownAt = now.monotonic
    return true
  }
}
