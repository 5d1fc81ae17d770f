// Frames: what changed since the last one, encoded once for each topic and sent in one message to
// each page.

import MarketModel
import WireJSON

extension PageDesk {
  /// The encoded news of a topic in one frame.
  private struct TopicNews {
    var patch: [UInt8]?
    var snapshot: [UInt8]?
  }

  /// Makes the messages of one frame.
  ///
  /// Call it when ``DeskEffect/scheduleFrame`` comes due.
  mutating func frame(at now: ClockReading) -> [DeskEffect] {
    frameIsScheduled = false
    var news: [String: TopicNews] = [:]
    for name in slots.keys { news[name] = refresh(name) }
    var effects: [DeskEffect] = []
    for page in pages.keys.sorted() {
      guard let message = message(for: page, news: &news, at: now) else { continue }
      effects.append(.send(page, message))
    }
    return effects
  }

  /// Compares a topic with what its pages have; returns the patch, if any.
  private mutating func refresh(_ name: String) -> TopicNews {
    guard let slot = slots[name], slot.isDirty, !slot.pages.isEmpty else { return TopicNews() }
    slots[name]?.isDirty = false
    let value = slot.screen.page
    var news = TopicNews()
    if let sent = slot.sent {
      var writer = PageDesk.topicWriter(name, sequence: slot.sequence + 1, kind: "patch")
      if MergePatch.write(from: sent, to: value, into: &writer) {
        writer.endObject()
        news.patch = writer.bytes
        slots[name]?.sequence += 1
        slots[name]?.sent = value
      }
    } else {
      slots[name]?.sent = value
    }
    return news
  }

  private mutating func message(
    for page: PageID, news: inout [String: TopicNews], at now: ClockReading
  ) -> [UInt8]? {
    guard let record = pages[page], !record.isBehind else { return nil }
    var parts: [[UInt8]] = []
    for name in record.topics.sorted() {
      if record.snapshotsDue.contains(name) {
        parts.append(snapshot(of: name, news: &news))
      } else if let patch = news[name]?.patch {
        parts.append(patch)
      }
    }
    guard !parts.isEmpty else { return nil }
    pages[page]?.snapshotsDue = []
    pages[page]?.frames += 1
    return PageDesk.join(parts, frame: record.frames + 1, at: now)
  }

  private func snapshot(of name: String, news: inout [String: TopicNews]) -> [UInt8] {
    if let encoded = news[name]?.snapshot { return encoded }
    guard let slot = slots[name], let sent = slot.sent else { return Array("null".utf8) }
    var writer = PageDesk.topicWriter(name, sequence: slot.sequence, kind: "snapshot")
    sent.write(to: &writer)
    writer.endObject()
    news[name, default: TopicNews()].snapshot = writer.bytes
    return writer.bytes
  }

  private static func topicWriter(
    _ name: String, sequence: Int, kind: StaticString
  ) -> JSONWriter {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    writer.key("topic")
    writer.string(name)
    writer.key("seq")
    writer.integer(sequence)
    writer.key(kind)
    return writer
  }

  private static func join(_ parts: [[UInt8]], frame: Int, at now: ClockReading) -> [UInt8] {
    var writer = JSONWriter(capacity: parts.reduce(96) { $0 + $1.count + 1 })
    writer.beginObject()
    writer.key("frame")
    writer.integer(frame)
    writer.key("now")
    writer.integer(now.wall.milliseconds)
    writer.key("topics")
    writer.beginArray()
    for part in parts { writer.raw(part) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
