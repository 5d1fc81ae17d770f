import MarketModel
import WireJSON

/// Requests in the venue's format, and the one over HTTP for the list of products.
struct CoinbaseRequests: BookSessionState {
  static let productsPerRequest = 10
  /// Between two lists; the venue announces no change of one.
  static let listMilliseconds: Int64 = 300_000

  private var lists = RequestQueue<Subscription>()
  private var listedAt: MonotonicTime?

  init() {}

  mutating func forgetConnection() { lists.forgetConnection() }

  /// The request for the list of products; nil when it is not due.
  mutating func nextList(at now: MonotonicTime) -> FetchRequest? {
    let isDue = listedAt.map { now.milliseconds(since: $0) >= Self.listMilliseconds } ?? true
    if isDue, !lists.awaits(.listing) { lists.add(.listing, earliest: now) }
    guard lists.next(at: now, cost: { _ in 0 }, wanted: { _ in true }) != nil else { return nil }
    return FetchRequest(
      path: CoinbaseHistory.listPath, maximumBytes: CoinbaseHistory.maximumBytes)
  }

  /// Handles a list.
  mutating func succeed(at now: MonotonicTime) {
    lists.succeed(.listing)
    listedAt = now
  }

  /// Requests the list again after a pause, which doubles with each failure.
  mutating func delayList(atLeast milliseconds: Int64, at now: MonotonicTime) {
    lists.finish(.listing)
    lists.delay(.listing, atLeast: milliseconds, isWanted: true, at: now)
  }

  /// As many requests as are needed, one channel each; the products' steps first.
  static func messages(_ method: StaticString, _ topics: [BookTopic]) -> [OutboundMessage] {
    var messages: [OutboundMessage] = []
    for channel in [CoinbaseChannel.status, .book, .trades, .ticker] {
      let symbols = topics.filter { $0.part == channel.part }.compactMap(\.symbol).sorted()
      var start = 0
      while start < symbols.count {
        let end = min(start + productsPerRequest, symbols.count)
        messages.append(message(method, channel, symbols[start..<end]))
        start = end
      }
    }
    return messages
  }

  static func message(
    _ method: StaticString, _ channel: CoinbaseChannel, _ symbols: ArraySlice<Symbol> = []
  ) -> OutboundMessage {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", "\(method)")
    if !symbols.isEmpty { writer.member("product_ids", array: symbols) { $0.string($1.text) } }
    writer.member("channel", channel.name)
    writer.endObject()
    return OutboundMessage(.text, writer.bytes)
  }
}
