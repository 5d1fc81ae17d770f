import MarketModel
import WireJSON

struct KrakenRequests: BookSessionState {
  static let symbolsPerRequest = 50

  /// Counts requests; `req_id` has the channel in its lowest two bits, which refusals don't
  /// contain.
  private var count: Int64 = 0

  init() {}

  mutating func forgetConnection() {}

  /// As many requests as are needed, one channel each.
  mutating func messages(_ method: StaticString, _ topics: [BookTopic]) -> [OutboundMessage] {
    var messages: [OutboundMessage] = []
    if topics.contains(BookTopic(.details, nil)) {
      messages.append(message(method, .instrument, []))
    }
    for channel in [KrakenChannel.book, .trade, .ticker] {
      let symbols = topics.filter { $0.part == channel.part }.compactMap { $0.symbol }.sorted()
      var start = 0
      while start < symbols.count {
        let end = min(start + KrakenRequests.symbolsPerRequest, symbols.count)
        messages.append(message(method, channel, symbols[start..<end]))
        start = end
      }
    }
    return messages
  }

  static func channel(of identifier: Int64) -> KrakenChannel? {
    identifier < 0 ? nil : KrakenChannel(rawValue: UInt8(identifier & 3))
  }

  private mutating func message(
    _ method: StaticString, _ channel: KrakenChannel, _ symbols: ArraySlice<Symbol>
  ) -> OutboundMessage {
    count &+= 1
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("method", "\(method)")
    writer.key("params")
    writer.beginObject()
    writer.member("channel", channel.name)
    if channel != .instrument {
      writer.member("symbol", array: symbols) { $0.string($1.text) }
    }
    if channel == .book { writer.member("depth", KrakenBookSync.depth) }
    if channel == .ticker {
      // Otherwise bid and ask are those at the last trade, not the current ones.
      writer.member("event_trigger", "bbo")
    }
    if channel == .instrument { writer.member("include_tokenized_assets", true) }
    writer.member("snapshot", true)
    writer.endObject()
    writer.member("req_id", count &* 4 &+ Int64(channel.rawValue))
    writer.endObject()
    return OutboundMessage(.text, writer.bytes)
  }
}
