import MarketModel

/// A visitor: an address and its rights.
///
/// Limits per visitor apply to all its pages together, because pages are cheap, but their topics
/// subscribe to a limited number of venue streams.
package struct Visitor: Hashable, Sendable {
  let address: String
  let isViewer: Bool

  /// Creates a visitor.
  package init(address: String, isViewer: Bool) {
    (self.address, self.isViewer) = (address, isViewer)
  }
}

struct VisitorRecord: Sendable {
  /// The number of its pages per topic.
  var topics: [String: Int] = [:]
  /// Topics that open when another closes, oldest first.
  var waiting: [(page: PageID, topic: String)] = []
}

extension TopicServer {
  /// The maximum number of topics on all pages of a visitor.
  static let maximumTopicsPerVisitor = 256

  func hasRoom(for topic: String, on page: PageID) -> Bool {
    guard let visitor = pages[page]?.visitor, let record = visitors[visitor] else { return true }
    return record.topics[topic] != nil
      || record.topics.count < TopicServer.maximumTopicsPerVisitor
  }

  /// Queues a topic beyond its visitor's limit, and reports that to the page.
  mutating func queue(_ topic: String, for page: PageID) -> [TopicEffect] {
    guard let visitor = pages[page]?.visitor else { return [] }
    if pages[page]?.waiting.insert(topic).inserted == true {
      visitors[visitor]?.waiting.append((page, topic))
    }
    let error = PageRequestError(
      code: "topic_waits", message: "too many topics are open on your pages; it opens later")
    return [.send(page, TopicServer.encode(error, topic: topic))]
  }

  mutating func leaveQueue(_ topic: String, of page: PageID) {
    guard pages[page]?.waiting.remove(topic) != nil, let visitor = pages[page]?.visitor else {
      return
    }
    visitors[visitor]?.waiting.removeAll { $0.page == page && $0.topic == topic }
  }

  mutating func countOpened(_ topic: String, by visitor: Visitor?) {
    guard let visitor else { return }
    visitors[visitor, default: VisitorRecord()].topics[topic, default: 0] += 1
  }

  /// Counts a closed topic, and opens queued ones.
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
