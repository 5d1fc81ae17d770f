import ChartModel
import MarketModel
import MarketStreams
import WireJSON

struct ScriptReading: Sendable {
  /// Its members, with age, sequence number and time.
  let object: PageObject
  let isKnown: Bool
  /// Whether it has a first value, or will never have one.
  let isSettled: Bool
}

/// The beginning of a candles object being sent to a script.
package struct ScriptCandlesHead: Sendable, Equatable {
  let instrument: InstrumentKey
  let interval: CandleInterval
  let object: PageValue
}

extension TopicServer {
  static let maximumScriptMessageBytes = 4096

  /// A number higher than all previous ones, also across restarts as far as the clock advanced: the
  /// wall clock's microseconds, or one more than the last number.
  mutating func nextSequence(at now: ClockReading) -> Int64 {
    lastSequence = max(lastSequence + 1, min(max(0, now.wall.milliseconds), 1 << 42) * 1000)
    return lastSequence
  }

  /// Opens a subject for scripts over HTTP or a script's socket; false if it does not exist.
  mutating func look(
    at subject: ScriptSubject, for page: PageID, at now: ClockReading,
    into effects: inout [TopicEffect]
  ) -> Bool {
    guard open(subject.topic, for: page, at: now, into: &effects) else { return false }
    let isNew = effects.contains { if case .observe = $0 { true } else { false } }
    let patience = isNew ? TopicServer.frameMilliseconds : 0
    effects += requestFrame(for: [page], .hasty, patience: patience, at: now)
    return true
  }

  mutating func lookAway(
    from subject: ScriptSubject, for page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    close(subject.topic, for: page, at: now)
  }

  /// Reads the subject's streams that have changed since they were last read.
  mutating func readStreams(
    of subject: ScriptSubject, at now: ClockReading, _ value: (MarketKey) -> MarketValue?
  ) -> [TopicEffect] {
    let topic = subject.topic
    return read(unread.filter { followers[.values($0)]?.contains(topic) == true }, at: now, value)
  }

  /// A subject's current state; nil if it is not open.
  mutating func reading(of subject: ScriptSubject, at now: ClockReading) -> ScriptReading? {
    reading(of: subject.topic, at: now)
  }

  private mutating func reading(of topic: String, at now: ClockReading) -> ScriptReading? {
    guard let held = slots[topic]?.refresh(), let screen = slots[topic]?.screen else { return nil }
    if slots[topic]?.sequence?.version != held.version {
      let number = nextSequence(at: now)
      slots[topic]?.sequence = (held.version, number)
    }
    var object = PageObject()
    guard case .object(let fields) = held.value else { return nil }
    for field in fields {
      object.set(
        field.key,
        field.key == "freshness" ? field.value.aged(screen.freshness, at: now) : field.value)
    }
    object.set("sequence", integer: slots[topic]?.sequence?.number)
    object.set("at", time: now.wall)
    return ScriptReading(object: object, isKnown: screen.isKnown, isSettled: screen.isSettled)
  }

  /// The changes of a script's subjects since they were last sent.
  mutating func scriptMessages(for page: PageID, at now: ClockReading) -> [TopicEffect] {
    guard let names = pages[page]?.topics.keys.sorted() else { return [] }
    return names.flatMap { name -> [TopicEffect] in
      guard let present = slots[name]?.refresh(),
        pages[page]?.topics[name]?.held?.version != present.version,
        let reading = reading(of: name, at: now), let subject = ScriptSubject(topic: name)
      else { return [] }
      pages[page]?.topics[name]?.held = present
      guard reading.isKnown else {
        let problem = ScriptProblem(404, "the venue has no such instrument")
        return [.send(page, ScriptSocketMessage.problem(problem, of: subject, request: nil))]
          + close(name, for: page, at: now)
      }
      if case .candles(let instrument, let interval) = subject {
        guard reading.isSettled else { return [] }
        return [
          .sendCandles(
            page,
            ScriptCandlesHead(
              instrument: instrument, interval: interval, object: reading.object.value))
        ]
      }
      return [.send(page, reading.object.value.json)]
    }
  }
}

extension PageValue {
  /// Adds the value's age in milliseconds to a freshness; null without a value.
  fileprivate func aged(_ freshness: Freshness?, at now: ClockReading) -> PageValue {
    guard case .object(let fields) = self else { return self }
    let age = freshness?.confirmedAt.map { max(0, now.monotonic.milliseconds(since: $0.monotonic)) }
    var writer = JSONWriter(capacity: 16)
    if let age { writer.integer(age) } else { writer.null() }
    return .object(fields + [PageField(key: "age", value: .leaf(writer.bytes))])
  }
}
