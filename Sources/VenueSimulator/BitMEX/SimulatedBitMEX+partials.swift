// Partials: the image that a subscription starts with.

import MarketModel
import WireJSON

extension SimulatedBitMEX {
  /// The partial of a topic.
  ///
  /// `filter` is the symbol that the client asked for.
  mutating func partial(_ topic: BitMEXTopic, filter: String?, at now: Timestamp) -> [UInt8] {
    text.removeAll()
    head(topic.table, filter)
    let indexes: [Int] =
      switch topic.scope {
      case .all: Array(markets.indices)
      case .one(let index): [index]
      case .none: []
      }
    for index in indexes { rows(of: topic.table, index, at: now) }
    text.dropComma()
    text.raw("]}")
    return text.bytes
  }

  private mutating func head(_ table: SimulatedBitMEXTable, _ filter: String?) {
    text.raw("{\"table\":\"")
    text.raw(table.rawValue.utf8)
    text.raw("\",\"action\":\"partial\",\"keys\":")
    text.raw(table.keys)
    text.raw(",\"types\":")
    text.raw(table.types(generation))
    if generation == .legacy {
      text.raw(",\"foreignKeys\":")
      text.raw(table.foreignKeys)
      text.raw(",\"attributes\":")
      text.raw(table.attributes)
    }
    text.raw(",\"filter\":{")
    if let filter {
      // The only text of a client in here: written as JSON.
      var writer = JSONWriter()
      writer.string(filter)
      text.raw("\"symbol\":")
      text.raw(writer.bytes)
    }
    text.raw("},\"data\":[")
  }

  private mutating func rows(of table: SimulatedBitMEXTable, _ index: Int, at now: Timestamp) {
    let market = markets[index]
    switch table {
    case .orderBookL2:
      text.reserve((market.asks.count + market.bids.count) * 170)
      wholeBook(market, at: now)
    case .orderBookL2_25, .orderBookL2_100:
      for row in published[table.depth ?? 0]?[index]?.rows ?? [] {
        text.level(row, market.instrument, nil, milliseconds: now.milliseconds)
      }
    case .orderBook10: text.topTen(market, milliseconds: now.milliseconds)
    case .trade: if let last = market.lastTrade { text.trade(last, market.instrument) }
    case .quote: text.quote(market)
    case .instrument: text.instrument(market)
    default: break
    }
  }

  private mutating func wholeBook(_ market: BitMEXMarket, at now: Timestamp) {
    for level in market.asks.levels {
      let row = SimulatedBitMEXRow(isAsk: true, level: level)
      text.level(row, market.instrument, nil, milliseconds: now.milliseconds)
    }
    for level in market.bids.levels.reversed() {
      let row = SimulatedBitMEXRow(isAsk: false, level: level)
      text.level(row, market.instrument, nil, milliseconds: now.milliseconds)
    }
  }
}
