// LT2: records the integrity of every book on a page.

import AppState
package import MarketModel
package import MarketStreams

extension TopicServer {
  /// Records the integrity that a topic's screen shows.
  mutating func noteTruth(of name: String, at now: ClockReading) -> [TopicEffect] {
    guard let sample = slots[name]?.screen.truth else { return [] }
    // Ungrouped rows can be proven and grouped ones can't, so ungrouped ones take precedence.
    let (level, instrument) = (sample.level, sample.instrument)
    if sample.isGrouped, showsUngrouped(instrument) { return [] }
    let cause = level == .blind ? connections[instrument.venue]?.reason : sample.cause
    return note(level, of: instrument, from: sample.origin, cause: cause, at: now)
  }

  /// Whether a topic shows a book's ungrouped rows, by whichever name of the book.
  private func showsUngrouped(_ instrument: InstrumentKey) -> Bool {
    let book = MarketKey(instrument.venue, .book, instrument.symbol)
    return followers[.values(book)]?.contains { name in
      slots[name]?.screen.truth.map { $0.instrument == instrument && !$0.isGrouped } == true
    } == true
  }

  /// Ends the record of a book that this topic's screen showed or was waiting for.
  mutating func endTruth(of screen: any TopicScreen, at now: ClockReading) -> [TopicEffect] {
    let books = screen.interests.compactMap { interest -> InstrumentKey? in
      guard case .values(let key) = interest, key.subscription.channel == .book else { return nil }
      return InstrumentKey(key.venue, key.subscription.symbol)
    }
    return Set(books)
      .sorted { $0.text < $1.text }
      .flatMap { book -> [TopicEffect] in
        guard let record = truths.records[book] else { return [] }
        return note(.unwatched, of: book, from: record.origin, cause: nil, at: now)
      }
  }

  private mutating func note(
    _ level: TruthLevel, of instrument: InstrumentKey, from origin: DataOrigin, cause: Sentence?,
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

  mutating func showTruth(_ topic: String) {
    guard let instrument = TruthTopic.instrument(of: topic) else { return }
    var record = truths.records[instrument]
    // Records of another source do not belong to the current one.
    if let origin = connections[instrument.venue]?.origin, origin != record?.origin { record = nil }
    slots[topic]?.screen = TruthTopic(record: record)
  }

  /// Reads books whose pages all have full sockets, for their integrity records.
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

  /// The records to store: after changes, and once a minute while a book is shown.
  mutating func keepTruths(at now: ClockReading) -> [TopicEffect] {
    truths.toKeep(at: now.wall.milliseconds).map { [.keepTruths($0)] } ?? []
  }

  func lastTruths(at now: ClockReading) -> TruthBoard { truths.closed(at: now.wall.milliseconds) }
}
