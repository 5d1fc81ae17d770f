// What can be subscribed to at Kraken, and the requests that name it.

import MarketModel
import WireJSON

/// One subscription at the venue.
enum KrakenTopic: Hashable, Comparable {
  /// All pairs with their precisions.
  case instrument
  case book(Symbol)
  case trade(Symbol)

  var channel: KrakenChannel {
    switch self {
    case .instrument: .instrument
    case .book: .book
    case .trade: .trade
    }
  }

  var symbol: Symbol? {
    switch self {
    case .instrument: nil
    case .book(let symbol), .trade(let symbol): symbol
    }
  }

  /// The topics of a stream apart from the instruments, which every stream needs.
  static func topics(for subscription: Subscription) -> [KrakenTopic] {
    switch subscription.channel {
    case .book: [.book(subscription.symbol)]
    case .trades: [.trade(subscription.symbol)]
    case .quote: [.book(subscription.symbol), .trade(subscription.symbol)]
    }
  }
}

/// Requests to the venue.
struct KrakenRequests {
  /// Symbols in one request.
  static let symbolsPerRequest = 50

  /// Counts requests; the channel is kept in the lowest two bits of `req_id`, since a refusal names
  /// the symbol but not the channel.
  private var count: Int64 = 0

  /// As many requests as are needed, one channel each.
  mutating func messages(_ method: StaticString, _ topics: [KrakenTopic]) -> [OutboundMessage] {
    var messages: [OutboundMessage] = []
    if topics.contains(.instrument) { messages.append(message(method, .instrument, [])) }
    for channel in [KrakenChannel.book, .trade] {
      let symbols = topics.filter { $0.channel == channel }.compactMap(\.symbol).sorted()
      var start = 0
      while start < symbols.count {
        let end = min(start + KrakenRequests.symbolsPerRequest, symbols.count)
        messages.append(message(method, channel, symbols[start..<end]))
        start = end
      }
    }
    return messages
  }

  /// The channel of the request with this `req_id`.
  static func channel(of identifier: Int64) -> KrakenChannel? {
    identifier < 0 ? nil : KrakenChannel(rawValue: UInt8(identifier & 3))
  }

  private mutating func message(
    _ method: StaticString, _ channel: KrakenChannel, _ symbols: ArraySlice<Symbol>
  ) -> OutboundMessage {
    count &+= 1
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("method")
    writer.string("\(method)")
    writer.key("params")
    writer.beginObject()
    writer.key("channel")
    writer.string("\(channel.name)")
    if channel != .instrument {
      writer.key("symbol")
      writer.beginArray()
      for symbol in symbols { writer.string(symbol.text) }
      writer.endArray()
    }
    if channel == .book {
      writer.key("depth")
      writer.integer(KrakenBookSync.depth)
    }
    writer.key("snapshot")
    writer.boolean(true)
    writer.endObject()
    writer.key("req_id")
    writer.integer(count &* 4 &+ Int64(channel.rawValue))
    writer.endObject()
    return OutboundMessage(.text, writer.bytes)
  }
}
