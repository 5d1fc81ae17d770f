import MarketModel
import WireJSON

/// Requests in the venue's format: their numbers, and those that wait.
///
/// One rejected topic rejects its whole request, and a topic that is subscribed is rejected, so a
/// topic is subscribed again only once the venue has acknowledged its end.
struct BybitRequests: BookSessionState {
  /// The most that the venue accepts at spot.
  static let topicsPerRequest = 10

  private struct Pending {
    let isSubscription: Bool
    let topics: [BookTopic]
  }

  private var count = 0
  /// Requests without a response, by their numbers.
  private var pending: [String: Pending] = [:]
  private var ending = EndingTopics()

  init() {}

  mutating func forgetConnection() { (pending, ending) = ([:], EndingTopics()) }

  mutating func messages(_ method: StaticString, _ topics: [BookTopic]) -> [OutboundMessage] {
    guard "\(method)" == "subscribe" else {
      ending.end(topics)
      return requests(isSubscription: false, topics)
    }
    return requests(isSubscription: true, ending.subscribe(topics))
  }

  /// Requests the ends again that the venue has not acknowledged for a while.
  mutating func overdue(at now: MonotonicTime) -> [OutboundMessage] {
    requests(isSubscription: false, ending.overdue(at: now))
  }

  /// Handles an acknowledged request; returns those that waited for the end of its topics.
  mutating func acknowledge(_ response: BybitResponse) -> [OutboundMessage] {
    guard let request = response.request.flatMap({ pending.removeValue(forKey: $0) }),
      !request.isSubscription
    else { return [] }
    return end(request.topics)
  }

  /// Handles the end of topics; returns the requests that waited for it.
  mutating func end(_ topics: [BookTopic]) -> [OutboundMessage] {
    requests(isSubscription: true, ending.acknowledge(topics))
  }

  /// The topics of a rejected request: by its number, or else the one that contains `topic`.
  ///
  /// It is no longer pending. `isSubscription` is false for the rejected end of topics.
  mutating func reject(
    _ response: BybitResponse, naming topic: BookTopic?
  ) -> (topics: [BookTopic], isSubscription: Bool)? {
    let number =
      response.request.flatMap { pending[$0] == nil ? nil : $0 }
      ?? topic.flatMap { topic in
        pending.filter { $0.value.topics.contains(topic) }.keys.sorted().first
      }
    guard let number, let request = pending.removeValue(forKey: number) else { return nil }
    return (request.topics, request.isSubscription)
  }

  /// Subscribes each topic alone, so that a bad one rejects no other.
  mutating func singly(_ topics: [BookTopic]) -> [OutboundMessage] {
    topics.flatMap { requests(isSubscription: true, [$0]) }
  }

  /// `{"op":"subscribe","args":["orderbook.50.BTCUSDT",…],"req_id":"7"}`.
  private mutating func requests(isSubscription: Bool, _ topics: [BookTopic]) -> [OutboundMessage] {
    stride(from: 0, to: topics.count, by: Self.topicsPerRequest).map { start in
      let part = Array(topics[start..<min(start + Self.topicsPerRequest, topics.count)])
      count += 1
      pending[String(count)] = Pending(isSubscription: isSubscription, topics: part)
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("op", isSubscription ? "subscribe" : "unsubscribe")
        writer.member("args", array: part) { $0.string(Self.text(of: $1)) }
        writer.member("req_id", String(count))
      }
      return OutboundMessage(.text, writer.bytes)
    }
  }

  /// As on the wire: "orderbook.50.BTCUSDT".
  static func text(of topic: BookTopic) -> String {
    let channel: BybitChannel =
      switch topic.part {
      case .book: .book
      case .audit: .bestLevels
      case .trades, .quote, .details: .trades
      case .figures: .tickers
      }
    return "\(channel.name).\(topic.symbol?.text ?? "")"
  }
}
