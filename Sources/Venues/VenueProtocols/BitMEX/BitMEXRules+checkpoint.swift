// Writes BitMEX's partials from a session's state.

import MarketModel
import OrderBook
import WireJSON

extension BitMEXRules {
  static func refusal(of topic: BookTopic) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("status", 429)
      writer.member("error", "Rate limit exceeded")
      writer.object("request") { writer in
        writer.member("op", "subscribe")
        writer.member("args", array: [topic]) { writer, topic in writer.string(text(of: topic)) }
      }
    }
  }

  static func greeting(of session: BookSession<Self>) -> [[UInt8]] {
    [JSONWriter.object { $0.member("info", "Welcome to the BitMEX Realtime API.") }]
  }

  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    let instrument = market.instruments[number]
    let symbol = instrument.symbol
    switch part {
    case .book: return [partial(.orderBookL2, symbol, market.books.states[number].book)]
    case .audit: return [partial(.orderBookL2Top25, symbol, market.audits.states[number].book)]
    case .trades: return [partial(.trade, symbol) { trade(instrument.tape.trades, symbol, &$0) }]
    case .quote: return [partial(.quote, symbol) { quote(instrument.quote.top, symbol, &$0) }]
    case .details:
      // Until the venue has sent it, its own partial is pending.
      guard let tick = instrument.details.tick else { return [] }
      let last = instrument.quote.price
      return [partial(.instrument, symbol) { details(tick, last, symbol, &$0) }]
    case .figures: return []
    }
  }

  private static func partial(
    _ table: BitMEXTable, _ symbol: Symbol, _ rows: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      writer.member("table", table.name)
      writer.member("action", "partial")
      writer.object("filter") { $0.member("symbol", symbol.text) }
      writer.array("data", rows)
    }
  }

  private static func partial(
    _ table: BitMEXTable, _ symbol: Symbol, _ book: OrderBook
  ) -> [UInt8] {
    partial(table, symbol) { writer in
      for level in book.levels(.bid) + book.levels(.ask) {
        writer.object { writer in
          writer.member("symbol", symbol.text)
          writer.member("id", level.id)
          writer.member("side", level.side == .bid ? "Buy" : "Sell")
          writer.member("size", level.size.units)
          price("price", level.price.units, &writer)
        }
      }
    }
  }

  /// Only the latest trade, like the venue.
  private static func trade(_ trades: [Trade], _ symbol: Symbol, _ writer: inout JSONWriter) {
    guard let trade = trades.first else { return }
    writer.object { writer in
      writer.member("timestamp", trade.time.nanosecondText)
      writer.member("symbol", symbol.text)
      writer.member("side", trade.side.map { $0 == .buy ? "Buy" : "Sell" } ?? "")
      writer.member("size", trade.size.units)
      price("price", trade.price.units, &writer)
    }
  }

  private static func quote(_ top: BestLevels, _ symbol: Symbol, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("symbol", symbol.text)
      if let size = top.bidSize { writer.member("bidSize", size) }
      if let units = top.bidPrice { price("bidPrice", units, &writer) }
      if let units = top.askPrice { price("askPrice", units, &writer) }
      if let size = top.askSize { writer.member("askSize", size) }
    }
  }

  private static func details(
    _ tick: Int64, _ last: Int64?, _ symbol: Symbol, _ writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("symbol", symbol.text)
      price("tickSize", tick, &writer)
      if let last { price("lastPrice", last, &writer) }
    }
  }

  private static func price(_ key: StaticString, _ units: Int64, _ writer: inout JSONWriter) {
    writer.key(key)
    writer.number(FixedDecimal(units: units, scale: bitMEXPriceScale).trimmed)
  }
}
