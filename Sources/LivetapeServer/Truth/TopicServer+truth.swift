// LT2: notes, beside every book that a page has open, how far it can be believed.

import AppState
import MarketModel
import MarketStreams

extension TopicServer {
  /// Notes what a topic's screen shows now.
  mutating func noteTruth(of name: String, at now: ClockReading) -> [TopicEffect] {
    guard let sample = slots[name]?.screen.truth else { return [] }
    // Single rows are proven where grouped ones can't be: they say it while both are open.
    if sample.isGrouped, slots["book/\(sample.instrument.symbol)"] != nil { return [] }
    return note(sample.level, of: sample.instrument, at: now)
  }

  /// Nobody looks any more at the book that this topic's screen showed.
  mutating func endTruth(of screen: any TopicScreen, at now: ClockReading) -> [TopicEffect] {
    guard let sample = screen.truth else { return [] }
    return note(.unwatched, of: sample.instrument, at: now)
  }

  private mutating func note(
    _ level: TruthLevel, of instrument: InstrumentKey, at now: ClockReading
  ) -> [TopicEffect] {
    let cause = level == .blind ? connections[instrument.venue]?.reason : nil
    guard truths.note(level, of: instrument, cause: cause, at: now.wall.milliseconds) else {
      return []
    }
    let topic = TruthTopic.name(of: instrument)
    guard slots[topic] != nil else { return [] }
    showTruth(topic)
    return deliver(.timer, to: topic, at: now)
  }

  /// Gives a topic of truth what is known.
  mutating func showTruth(_ topic: String) {
    guard let instrument = TruthTopic.instrument(of: topic) else { return }
    slots[topic]?.screen = TruthTopic(record: truths.records[instrument] ?? TruthRecord())
  }
}
