import MarketModel
import WireJSON

/// Requests in the venue's format, and those that wait: subscriptions, and books over HTTP where
/// the venue sends updates without a snapshot.
///
/// A subscribed topic that is subscribed again gets no snapshot, so a topic is subscribed again
/// only once the venue has acknowledged its end.
struct OKXRequests: BookSessionState {
  /// Far fewer bytes than the 64 KiB of a request.
  static let topicsPerRequest = 50

  private var ending = EndingTopics()
  /// Books over HTTP.
  var books = RequestQueue<Symbol>()
  /// Whether the latest book began without a snapshot in the stream, so that none is awaited.
  var sendsNoSnapshots = false

  init() {}

  mutating func forgetConnection() {
    books.forgetConnection()
    ending = EndingTopics()
  }

  mutating func messages(_ method: StaticString, _ topics: [BookTopic]) -> [OutboundMessage] {
    guard "\(method)" == "subscribe" else {
      ending.end(topics)
      books.remove(topics.filter { $0.part == .book }.compactMap(\.symbol))
      return Self.messages(method, topics)
    }
    return Self.messages(method, ending.subscribe(topics))
  }

  /// Handles the acknowledged end of a topic; returns the request that waited for it.
  mutating func end(_ topic: BookTopic) -> [OutboundMessage] {
    Self.messages("subscribe", ending.acknowledge([topic]))
  }

  /// Requests the ends again that the venue has not acknowledged for a while.
  mutating func overdue(at now: MonotonicTime) -> [OutboundMessage] {
    Self.messages("unsubscribe", ending.overdue(at: now))
  }

  /// `{"op":"subscribe","args":[{"channel":"books","instId":"BTC-USDT"},…]}`.
  private static func messages(_ method: StaticString, _ topics: [BookTopic]) -> [OutboundMessage] {
    stride(from: 0, to: topics.count, by: topicsPerRequest).map { start in
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("op", "\(method)")
        let part = topics[start..<min(start + topicsPerRequest, topics.count)]
        writer.objects("args", part) { writer, topic in
          writer.member("channel", channel(of: topic).name)
          if let symbol = topic.symbol { writer.member("instId", symbol.text) }
        }
      }
      return OutboundMessage(.text, writer.bytes)
    }
  }

  static func channel(of topic: BookTopic) -> OKXChannel {
    switch topic.part {
    case .book: .books
    case .audit: .bestLevels
    case .trades, .quote: .trades
    case .figures: .tickers
    case .details: .status
    }
  }
}
