// Writes Coinbase's snapshots from a session's state.
//
// They have no number of the connection's count; `checkpoint_num` is the number after which the
// state holds, from which another session continues to count.

import MarketModel
import OrderBook
import WireJSON

extension CoinbaseRules {
  /// The state of the subscriptions.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]] {
    [
      message(.subscriptions, session.market) { writer in
        writer.beginArray()
        writer.endArray()
      }
    ]
  }

  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    let instrument = market.instruments[number]
    let scales = scales(number, in: market)
    switch part {
    case .book:
      return [
        message(.book, market) {
          book(market.books.states[number].book, instrument.symbol, scales, &$0)
        }
      ]
    case .trades:
      return [message(.trades, market) { trades(instrument, scales, &$0) }]
    case .figures:
      guard let row = instrument.figures.row else { return [] }
      return [message(.ticker, market, at: row.time) { figures(row, instrument.symbol, &$0) }]
    case .details:
      guard let info = instrument.details.info else { return [] }
      return [message(.status, market) { product(info, instrument.symbol, &$0) }]
    case .audit, .quote: return []
    }
  }

  /// The session recognises it as an error; topics that wait for a place are not restored.
  static func refusal(of topic: BookTopic) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", "error")
    writer.member("message", "rate limit exceeded")
    writer.endObject()
    return writer.bytes
  }

  private static func message(
    _ channel: CoinbaseChannel, _ market: BookMarket<Self>, at time: Timestamp? = nil,
    _ events: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("channel", channel == .book ? "l2_data" : channel.name)
    if let time { writer.member("timestamp", time.nanosecondText) }
    writer.member("checkpoint_num", (market.decoder.counter.expected ?? 0) - 1)
    writer.key("events")
    events(&writer)
    writer.endObject()
    return writer.bytes
  }

  /// One snapshot event; `rows` writes the array.
  private static func event(
    _ key: StaticString, of symbol: Symbol? = nil, _ writer: inout JSONWriter,
    _ rows: (inout JSONWriter) -> Void
  ) {
    writer.beginArray()
    writer.beginObject()
    writer.member("type", "snapshot")
    if let symbol { writer.member("product_id", symbol.text) }
    writer.key(key)
    writer.beginArray()
    rows(&writer)
    writer.endArray()
    writer.endObject()
    writer.endArray()
  }

  private static func book(
    _ book: OrderBook, _ symbol: Symbol, _ scales: BookScales, _ writer: inout JSONWriter
  ) {
    event("updates", of: symbol, &writer) { writer in
      for level in book.levels(.bid) + book.levels(.ask) {
        writer.beginObject()
        writer.member("side", level.side == .bid ? "bid" : "offer")
        writer.member("price_level", decimal: FixedDecimal(level.price, scale: scales.price))
        writer.member("new_quantity", decimal: FixedDecimal(level.size, scale: scales.quantity))
        writer.endObject()
      }
    }
  }

  /// Newest first and with the maker's side, like the venue.
  private static func trades(
    _ instrument: InstrumentData<CoinbaseDetails>, _ scales: BookScales,
    _ writer: inout JSONWriter
  ) {
    event("trades", &writer) { writer in
      for trade in instrument.tape.trades.sorted(by: { $0.identifier > $1.identifier }) {
        writer.beginObject()
        writer.member("product_id", instrument.symbol.text)
        writer.member("trade_id", String(trade.identifier))
        writer.member("price", decimal: FixedDecimal(trade.price, scale: scales.price))
        writer.member("size", decimal: FixedDecimal(trade.size, scale: scales.quantity))
        writer.member("time", trade.time.nanosecondText)
        writer.member("side", trade.side == .buy ? "SELL" : "BUY")
        writer.endObject()
      }
    }
  }

  private static func figures(
    _ row: DayFiguresRow, _ symbol: Symbol, _ writer: inout JSONWriter
  ) {
    event("tickers", &writer) { writer in
      writer.beginObject()
      writer.member("product_id", symbol.text)
      let figures: [(StaticString, FixedDecimal?)] = [
        ("price", row.last), ("volume_24_h", row.volume), ("low_24_h", row.low),
        ("high_24_h", row.high), ("best_bid", row.bid), ("best_bid_quantity", row.bidSize),
        ("best_ask", row.ask), ("best_ask_quantity", row.askSize),
        ("price_percent_chg_24_h", row.changePercent), ("checkpoint_change", row.change),
      ]
      for (key, value) in figures {
        writer.key(key)
        if let value { writer.decimalString(value) } else { writer.null() }
      }
      writer.endObject()
    }
  }

  private static func product(
    _ info: CoinbaseProductInfo, _ symbol: Symbol, _ writer: inout JSONWriter
  ) {
    event("products", &writer) { writer in
      writer.beginObject()
      writer.member("id", symbol.text)
      writer.member("quote_increment", decimal: info.priceStep)
      writer.member("base_increment", decimal: info.sizeStep)
      writer.member("status", info.isOpen ? "online" : "offline")
      writer.endObject()
    }
  }
}
