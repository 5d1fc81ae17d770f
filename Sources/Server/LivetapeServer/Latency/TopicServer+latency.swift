// The latency ladder at the topic server: from a message to the frame that shows it, and what the
// page says of that frame. Nothing here is sent to pages but the mark of a measured frame.

import AppState
package import MarketModel
package import MarketStreams

extension TopicServer {
  /// The topic that shows it.
  static let latencyTopic = "latency"
  /// How often it is shown, in milliseconds.
  static let latencyMilliseconds: Int64 = 1000

  /// Screens have the message that began this frame.
  mutating func begin(
    _ stamp: MessageStamp, shownBy names: Set<String>, at now: ClockReading
  ) -> [TopicEffect] {
    for page in Set(names.compactMap { slots[$0] }.flatMap(\.pages)) {
      pages[page]?.measures.note(stamp.venue, shown: now.monotonic)
    }
    let nanoseconds = now.monotonic.nanoseconds - stamp.decoded.nanoseconds
    return [.measured(stamp.venue, .state, nanoseconds: nanoseconds, within: nil)]
  }

  /// A measured frame was handed to the page's socket.
  package mutating func written(_ frame: MeasuredFrame, at now: ClockReading) -> [TopicEffect] {
    pages[frame.page]?.measures.wrote(frame, at: now.monotonic)
    let nanoseconds = now.monotonic.nanoseconds - frame.shown.nanoseconds
    return frame.venues.map { .measured($0, .sent, nanoseconds: nanoseconds, within: nil) }
  }

  /// A page tells when measured frames came and were drawn.
  ///
  /// A frame counts once; one that is not known (any more), that came before it was sent or is
  /// drawn after it is told of is passed over: clocks of pages stand still while they sleep.
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

  /// Whether a page looks at the ladder and has not been told for a second.
  mutating func wantsLatency(at now: ClockReading) -> Bool {
    guard slots[TopicServer.latencyTopic] != nil else {
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

  /// What was measured now.
  package mutating func receive(
    _ reports: [LatencyReport], at now: ClockReading
  ) -> [TopicEffect] {
    latency = reports
    guard slots[TopicServer.latencyTopic] != nil else { return [] }
    slots[TopicServer.latencyTopic]?.screen = LatencyTopic(reports: reports)
    return deliver(.timer, to: TopicServer.latencyTopic, at: now)
  }
}
