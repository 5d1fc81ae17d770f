// Each page gets its changes since the last frame at its own pace, in one message. Parts needed by
// several pages in the same frame are encoded once.

package import MarketModel
import WireJSON

enum FrameHaste {
  /// Immediate, and counts for the pace even if empty, so that a feed of invisible changes causes
  /// no more frames than a visible one.
  case counts
  /// Immediate; an empty frame does not count.
  case hasty
  /// With the next frame, or alone after a delay.
  case patient
}

/// Parts already encoded for a frame.
private struct EncodedTopics {
  /// From a version of a topic to the current one.
  struct Step: Hashable {
    let topic: String
    let version: Int
  }

  var snapshots: [String: [UInt8]] = [:]
  /// Names of snapshots that are too large for a message.
  var documents: [String: String] = [:]
  /// Empty if nothing differs.
  var patches: [Step: [UInt8]] = [:]
}

extension TopicServer {
  /// Makes the messages of every page that is due.
  ///
  /// Call it when ``TopicEffect/wake(at:)`` is due; `value` returns a stream's current value.
  package mutating func frame(
    at now: ClockReading, reading value: (MarketKey) -> MarketValue?
  ) -> [TopicEffect] {
    wakesAt = nil
    let due = Set(pages.keys.filter { pages[$0]?.pacer.isDue(at: now.monotonic) == true })
    var effects = read(for: due, at: now, value)
    var encoded = EncodedTopics()
    for page in due.sorted() {
      let messages = messages(for: page, &encoded, at: now)
      if !messages.isEmpty || pages[page]?.nextFrameCounts == true {
        pages[page]?.pacer.frameSent(at: now.monotonic)
      } else {
        pages[page]?.pacer.frameSkipped()
      }
      pages[page]?.nextFrameCounts = false
      if !messages.isEmpty { counts.frames &+= 1 }
      effects += messages
      if let frame = pages[page]?.measures.takeFrame(of: page, at: now.monotonic),
        !messages.isEmpty
      {
        effects.append(.written(frame))
      }
      if let ping = pages[page]?.ping, pages[page]?.isBehind == false {
        pages[page]?.ping = nil
        effects.append(.send(page, pong(ping, to: page, at: now)))
      }
    }
    let next = pages.values.compactMap(\.pacer.due).min()
    // Wakes requested meanwhile are covered by this frame.
    effects.removeAll { if case .wake = $0 { true } else { false } }
    wakesAt = nil
    return effects + wake(by: next)
  }

  /// Requests a frame for these pages, whose topics have changed.
  mutating func requestFrame(
    for ids: Set<PageID>, _ haste: FrameHaste, patience: Int64 = 0, at now: ClockReading
  ) -> [TopicEffect] {
    let patience = haste == .patient ? TopicServer.patienceMilliseconds : patience
    var first: MonotonicTime?
    for id in ids where pages[id]?.isBehind == false {
      if haste == .counts { pages[id]?.nextFrameCounts = true }
      _ = pages[id]?.pacer.changed(at: now.monotonic, patience: patience)
      first = [first, pages[id]?.pacer.due].compactMap { $0 }.min()
    }
    return wake(by: first)
  }

  /// Requests a wake at this time unless an earlier one is scheduled.
  mutating func wake(by time: MonotonicTime?) -> [TopicEffect] {
    guard let time, wakesAt.map({ time < $0 }) ?? true else { return [] }
    wakesAt = time
    return [.wake(at: time)]
  }

  private mutating func messages(
    for page: PageID, _ encoded: inout EncodedTopics, at now: ClockReading
  ) -> [TopicEffect] {
    switch pages[page]?.reader {
    case .page: pageMessages(for: page, &encoded, at: now).map { .send(page, $0) }
    case .script: scriptMessages(for: page, at: now)
    case .scripts: [.look(page)]
    case nil: []
    }
  }

  /// A page's part of this frame: one message, or several instead of a large one.
  private mutating func pageMessages(
    for page: PageID, _ encoded: inout EncodedTopics, at now: ClockReading
  ) -> [[UInt8]] {
    guard let record = pages[page] else { return [] }
    let parts = record.topics.keys.sorted().compactMap { part(of: $0, for: page, &encoded) }
    let groups = record.fetchesDocuments ? TopicServer.grouped(parts) : [parts]
    return groups.enumerated().compactMap { index, parts in
      guard !parts.isEmpty, let frame = pages[page]?.countFrame() else { return nil }
      let isLast = index == groups.count - 1
      let isMeasured = isLast && pages[page]?.measures.begin(frame, at: now.monotonic) == true
      return TopicServer.join(
        parts, frame: frame, isMeasured: isMeasured, isViewer: record.isViewer, at: now)
    }
  }

  /// Groups parts into messages of bounded size; a larger part gets a separate message.
  private static func grouped(_ parts: [[UInt8]]) -> [[[UInt8]]] {
    var groups: [[[UInt8]]] = []
    var bytes = 0
    for part in parts {
      if groups.isEmpty || bytes + part.count > TopicDocuments.maximumMessageBytes {
        groups.append([])
        bytes = 0
      }
      groups[groups.count - 1].append(part)
      bytes += part.count
    }
    return groups
  }

  /// A topic's part of a page's message; nil if the page is up to date.
  private mutating func part(
    of name: String, for page: PageID, _ encoded: inout EncodedTopics
  ) -> [UInt8]? {
    guard let present = slots[name]?.refresh(), let topic = pages[page]?.topics[name],
      topic.held?.version != present.version
    else { return nil }
    pages[page]?.topics[name]?.held = present
    let fetches = pages[page]?.fetchesDocuments == true
    if let held = topic.held {
      let step = EncodedTopics.Step(topic: name, version: held.version)
      let patch = encoded.patches[step] ?? TopicServer.patch(from: held.value, to: present.value)
      encoded.patches[step] = patch
      guard !patch.isEmpty else { return nil }
      if !fetches || patch.count <= TopicDocuments.maximumMessageBytes {
        return numbered(name, for: page, "patch", patch)
      }
    }
    let snapshot = encoded.snapshots[name] ?? TopicServer.snapshot(present.value)
    encoded.snapshots[name] = snapshot
    guard fetches, snapshot.count > TopicDocuments.maximumMessageBytes,
      let screen = slots[name]?.screen
    else { return numbered(name, for: page, "snapshot", snapshot) }
    let document =
      encoded.documents[name] ?? documents.keep(snapshot, isLasting: screen.isLasting)
    encoded.documents[name] = document
    return numbered(
      name, for: page, "snapshot", screen.beginning.map(TopicServer.snapshot), document: document)
  }

  private mutating func numbered(
    _ name: String, for page: PageID, _ kind: StaticString, _ content: [UInt8]?,
    document: String? = nil
  ) -> [UInt8]? {
    guard let number = pages[page]?.topics[name]?.countPart() else { return nil }
    return TopicServer.part(name, number, kind, content, document: document)
  }

  private static func snapshot(_ value: PageValue) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    value.write(to: &writer)
    return writer.bytes
  }

  private static func patch(from old: PageValue, to new: PageValue) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    return MergePatch.write(from: old, to: new, into: &writer) ? writer.bytes : []
  }

  private static func part(
    _ name: String, _ sequence: Int, _ kind: StaticString, _ content: [UInt8]?,
    document: String?
  ) -> [UInt8] {
    JSONWriter.object(capacity: (content?.count ?? 0) + name.utf8.count + 96) { writer in
      writer.member("topic", name)
      writer.member("seq", sequence)
      if let document { writer.member("document", document) }
      if let content {
        writer.key(kind)
        writer.raw(content)
      }
    }
  }

  private static func join(
    _ parts: [[UInt8]], frame: Int, isMeasured: Bool, isViewer: Bool, at now: ClockReading
  ) -> [UInt8] {
    JSONWriter.object(capacity: parts.reduce(96) { $0 + $1.count + 1 }) { writer in
      writer.member("frame", frame)
      writer.member("now", now.wall.milliseconds)
      if isMeasured { writer.member("measured", true) }
      if isViewer { writer.member("access", "view") }
      writer.member("topics", array: parts) { $0.raw($1) }
    }
  }
}
