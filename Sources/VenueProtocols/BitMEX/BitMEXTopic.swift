// Topics of the realtime API ("orderBookL2:XBTUSD") and the requests that name them.

import MarketModel
import WireJSON

/// A table of one symbol.
struct BitMEXTopic: Hashable, Comparable {
  let table: BitMEXTable
  let symbol: Symbol

  init(_ table: BitMEXTable, _ symbol: Symbol) {
    self.table = table
    self.symbol = symbol
  }

  /// As on the wire.
  var text: String { "\(table.name):\(symbol.text)" }

  /// By symbol, then by table: requests have a stable order.
  static func < (left: BitMEXTopic, right: BitMEXTopic) -> Bool {
    (left.symbol, left.table.rawValue) < (right.symbol, right.table.rawValue)
  }

  /// The topics of a stream.
  ///
  /// The instrument is always among them, for its tick size; a quote needs the trades, since its
  /// price is the last trade's.
  static func topics(for subscription: Subscription) -> [BitMEXTopic] {
    let tables: [BitMEXTable] =
      switch subscription.channel {
      case .book: [.orderBookL2, .instrument]
      case .trades: [.trade, .instrument]
      case .quote: [.quote, .trade, .instrument]
      }
    return tables.map { BitMEXTopic($0, subscription.symbol) }
  }
}

/// Requests to the venue.
enum BitMEXRequest {
  /// Topics in one request; what other clients send.
  static let topicsPerRequest = 10

  /// `{"op":"subscribe","args":["…","…"]}`, as many as are needed.
  static func messages(_ operation: StaticString, _ topics: [BitMEXTopic]) -> [OutboundMessage] {
    var messages: [OutboundMessage] = []
    var start = 0
    while start < topics.count {
      let end = min(start + topicsPerRequest, topics.count)
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("op")
      writer.string("\(operation)")
      writer.key("args")
      writer.beginArray()
      for topic in topics[start..<end] { writer.string(topic.text) }
      writer.endArray()
      writer.endObject()
      messages.append(OutboundMessage(.text, writer.bytes))
      start = end
    }
    return messages
  }
}
