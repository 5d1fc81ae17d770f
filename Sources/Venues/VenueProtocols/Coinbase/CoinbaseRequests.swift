import MarketModel
import WireJSON

/// Requests in the venue's format.
struct CoinbaseRequests: BookSessionState {
  static let productsPerRequest = 10

  init() {}

  mutating func forgetConnection() {}

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
