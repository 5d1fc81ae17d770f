import MarketModel

/// Topics that are subscribed again only once the venue has acknowledged their end.
///
/// An acknowledgement may be lost, so the end of a topic that waits is requested again after a
/// while.
struct EndingTopics: Sendable {
  /// How long an acknowledgement may take, in milliseconds.
  static let patienceMilliseconds: Int64 = 10_000

  /// Topics whose end the venue has not acknowledged.
  private var ending: Set<BookTopic> = []
  /// Topics of ``ending`` to subscribe after that.
  private var waiting: Set<BookTopic> = []
  /// Since when they wait, as of the first timer after their request.
  private var since: [BookTopic: MonotonicTime] = [:]

  /// Records that the end of topics is requested.
  mutating func end(_ topics: [BookTopic]) {
    ending.formUnion(topics)
    waiting.subtract(topics)
    for topic in topics { since[topic] = nil }
  }

  /// Returns the topics that can be subscribed now; the others wait.
  mutating func subscribe(_ topics: [BookTopic]) -> [BookTopic] {
    waiting.formUnion(topics.filter(ending.contains))
    return topics.filter { !ending.contains($0) }
  }

  /// Handles the end of topics; returns those that waited for it.
  mutating func acknowledge(_ topics: [BookTopic]) -> [BookTopic] {
    ending.subtract(topics)
    for topic in topics { since[topic] = nil }
    return topics.filter { waiting.remove($0) != nil }
  }

  /// The topics whose end is to be requested again now.
  mutating func overdue(at now: MonotonicTime) -> [BookTopic] {
    if waiting.isEmpty { return [] }
    return waiting.sorted().filter { topic in
      guard let start = since[topic] else {
        since[topic] = now
        return false
      }
      guard now.milliseconds(since: start) >= Self.patienceMilliseconds else { return false }
      since[topic] = now
      return true
    }
  }
}
