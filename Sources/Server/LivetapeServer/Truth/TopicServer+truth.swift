// LT2: notes, beside every book that a page has open, how far it can be believed.

import AppState
package import MarketModel
package import MarketStreams

extension TopicServer {
  /// Notes what a topic's screen shows now.
  mutating func noteTruth(of name: String, at now: ClockReading) -> [TopicEffect] {
    guard let sample = slots[name]?.screen.truth else { return [] }
    // Single rows are proven where grouped ones can't be: they say it while both are open.
    if sample.isGrouped, slots["book/\(sample.instrument.symbol)"] != nil { return [] }
    let (level, instrument) = (sample.level, sample.instrument)
    let cause = level == .blind ? connections[instrument.venue]?.reason : sample.cause
    return note(level, of: instrument, from: sample.origin, cause: cause, at: now)
  }

  /// Nobody looks any more at the book that this topic's screen showed, or whose rows it waited
  /// for.
  mutating func endTruth(of screen: any TopicScreen, at now: ClockReading) -> [TopicEffect] {
    let books = screen.wanted.filter { $0.subscription.channel == .book }
    return Set(books.map { InstrumentKey($0.venue, $0.subscription.symbol) })
      .sorted { $0.text < $1.text }
      .flatMap { book -> [TopicEffect] in
        guard let record = truths.records[book] else { return [] }
        return note(.unwatched, of: book, from: record.origin, cause: nil, at: now)
      }
  }

  private mutating func note(
    _ level: TruthLevel, of instrument: InstrumentKey, from origin: DataOrigin, cause: String?,
    at now: ClockReading
  ) -> [TopicEffect] {
    truths.passOver(at: now.wall.milliseconds)
    let isNew = truths.note(
      level, of: instrument, from: origin, cause: cause, at: now.wall.milliseconds)
    guard isNew else { return [] }
    let topic = TruthTopic.name(of: instrument)
    guard slots[topic] != nil else { return [] }
    showTruth(topic)
    return deliver(.timer, to: topic, at: now)
  }

  /// Gives a topic of truth what is known.
  mutating func showTruth(_ topic: String) {
    guard let instrument = TruthTopic.instrument(of: topic) else { return }
    var record = truths.records[instrument]
    // What was kept of another source is not this one's.
    if let origin = connections[instrument.venue]?.origin, origin != record?.origin { record = nil }
    slots[topic]?.screen = TruthTopic(record: record)
  }

  /// Reads the books that no frame reads, for that every page that looks at them has a full socket:
  /// what they are worth is noted even so.
  package mutating func readUnseen(
    at now: ClockReading, _ value: (MarketKey) -> MarketValue?
  ) -> [TopicEffect] {
    let keys = unread.filter { key in
      guard key.subscription.channel == .book else { return false }
      let lookers = (followers[.values(key)] ?? []).flatMap { slots[$0]?.pages ?? [] }
      return lookers.allSatisfy { pages[$0]?.isBehind == true }
    }
    return read(keys, at: now, value)
  }

  /// The record of an instrument; nil until it was first shown.
  package func truth(of instrument: InstrumentKey) -> TruthRecord? {
    truths.records[instrument]
  }

  /// What there is to keep when something is new, and once a minute while a book is looked at.
  mutating func keepTruths(at now: ClockReading) -> [TopicEffect] {
    truths.toKeep(at: now.wall.milliseconds).map { [.keepTruths($0)] } ?? []
  }

  /// All of it, at the end of the server.
  func lastTruths(at now: ClockReading) -> TruthBoard { truths.closed(at: now.wall.milliseconds) }
}
