// What one visitor may have open on all of its pages together: pages are cheap, and what they look
// at is subscribed at venues whose connections have room for so many streams and no more.

import MarketModel

/// Whose pages they are: an address and what it may do.
package struct Visitor: Hashable, Sendable {
  let address: String
  let isViewer: Bool

  /// Names a visitor.
  package init(address: String, isViewer: Bool) {
    (self.address, self.isViewer) = (address, isViewer)
  }
}

/// What a visitor has open.
struct VisitorRecord: Sendable {
  /// How many of its pages have a topic open, by topic.
  var topics: [String: Int] = [:]
  /// Topics that open when another closes, the oldest first.
  var waiting: [(page: PageID, topic: String)] = []
}

extension TopicServer {
  /// The most topics that all pages of a visitor may have open together.
  static let maximumTopicsPerVisitor = 256

  /// Whether a page's visitor may open a topic on it.
  func hasRoom(for topic: String, on page: PageID) -> Bool {
    guard let visitor = pages[page]?.visitor, let record = visitors[visitor] else { return true }
    return record.topics[topic] != nil
      || record.topics.count < TopicServer.maximumTopicsPerVisitor
  }

  /// Queues a topic that its page's visitor has no room for, and reports that to the page.
  mutating func queue(_ topic: String, for page: PageID) -> [TopicEffect] {
    guard let visitor = pages[page]?.visitor else { return [] }
    if pages[page]?.waiting.insert(topic).inserted == true {
      visitors[visitor]?.waiting.append((page, topic))
    }
    let error = PageRequestError(
      code: "topic_waits", message: "too many topics are open on your pages; it opens later")
    return [.send(page, TopicServer.encode(error, topic: topic))]
  }

  /// Counts a topic that a page of a visitor has opened.
  mutating func countOpened(_ topic: String, by visitor: Visitor?) {
    guard let visitor else { return }
    visitors[visitor, default: VisitorRecord()].topics[topic, default: 0] += 1
  }

  /// Counts a topic that a page of a visitor has closed, and opens those that waited for the room.
  mutating func countClosed(
    _ topic: String, by visitor: Visitor?, at now: ClockReading
  ) -> [TopicEffect] {
    guard let visitor, let count = visitors[visitor]?.topics[topic] else { return [] }
    visitors[visitor]?.topics[topic] = count > 1 ? count - 1 : nil
    var effects: [TopicEffect] = []
    while let next = visitors[visitor]?.waiting.first, hasRoom(for: next.topic, on: next.page) {
      visitors[visitor]?.waiting.removeFirst()
      // It may have been closed meanwhile.
      guard pages[next.page]?.waiting.remove(next.topic) != nil,
        open(next.topic, for: next.page, at: now, into: &effects)
      else { continue }
      effects += requestFrame(
        for: [next.page], .hasty, patience: TopicServer.frameMilliseconds, at: now)
    }
    if visitors[visitor]?.topics.isEmpty == true { visitors[visitor] = nil }
    return effects
  }
}
