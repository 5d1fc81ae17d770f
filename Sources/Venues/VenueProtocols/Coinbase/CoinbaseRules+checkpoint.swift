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
    [message(.subscriptions, session.market) { _ in }]
  }

  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    let instrument = market.instruments[number]
    let scales = scales(number, in: market)
    switch part {
    case .book: return [book(market, number, scales)]
    case .trades: return [trades(market, instrument, scales)]
    case .figures:
      return instrument.figures.row.map { [figures($0, market, instrument.symbol)] } ?? []
    case .details:
      return instrument.details.info.map { [product($0, market, instrument.symbol)] } ?? []
    case .audit, .quote: return []
    }
  }

  /// The session recognises it as an error; topics that wait for a place are not restored.
  static func refusal(of topic: BookTopic) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("type", "error")
      writer.member("message", "rate limit exceeded")
    }
  }

  private static func message(
    _ channel: CoinbaseChannel, _ market: BookMarket<Self>, at time: Timestamp? = nil,
    _ events: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      writer.member("channel", channel == .book ? "l2_data" : channel.name)
      if let time { writer.member("timestamp", time.nanosecondText) }
      writer.member("checkpoint_num", (market.decoder.counter.expected ?? 0) - 1)
      writer.array("events", events)
    }
  }

  /// A message of one snapshot event with the rows under `key`.
  private static func message<Rows: Sequence>(
    _ channel: CoinbaseChannel, _ market: BookMarket<Self>, at time: Timestamp? = nil,
    of symbol: Symbol? = nil, _ key: StaticString, _ rows: Rows,
    _ write: (inout JSONWriter, Rows.Element) -> Void
  ) -> [UInt8] {
    message(channel, market, at: time) { writer in
      writer.object { writer in
        writer.member("type", "snapshot")
        if let symbol { writer.member("product_id", symbol.text) }
        writer.objects(key, rows, write)
      }
    }
  }

  private static func book(
    _ market: BookMarket<Self>, _ number: Int, _ scales: BookScales
  ) -> [UInt8] {
    let (book, symbol) = (market.books.states[number].book, market.instruments[number].symbol)
    let levels = book.levels(.bid) + book.levels(.ask)
    return message(.book, market, of: symbol, "updates", levels) { writer, level in
      writer.member("side", level.side == .bid ? "bid" : "offer")
      writer.member("price_level", decimal: FixedDecimal(level.price, scale: scales.price))
      writer.member("new_quantity", decimal: FixedDecimal(level.size, scale: scales.quantity))
    }
  }

  /// Newest first and with the maker's side, like the venue.
  private static func trades(
    _ market: BookMarket<Self>, _ instrument: InstrumentData<CoinbaseDetails>,
    _ scales: BookScales
  ) -> [UInt8] {
    let trades = instrument.tape.trades.sorted { $0.identifier > $1.identifier }
    return message(.trades, market, "trades", trades) { writer, trade in
      writer.member("product_id", instrument.symbol.text)
      writer.member("trade_id", String(trade.identifier))
      writer.member("price", decimal: FixedDecimal(trade.price, scale: scales.price))
      writer.member("size", decimal: FixedDecimal(trade.size, scale: scales.quantity))
      writer.member("time", trade.time.nanosecondText)
      writer.member("side", trade.side == .buy ? "SELL" : "BUY")
    }
  }

  private static func figures(
    _ row: DayFiguresRow, _ market: BookMarket<Self>, _ symbol: Symbol
  ) -> [UInt8] {
    message(.ticker, market, at: row.time, "tickers", [row]) { writer, row in
      writer.member("product_id", symbol.text)
      let figures: [(StaticString, FixedDecimal?)] = [
        ("price", row.last), ("volume_24_h", row.volume), ("low_24_h", row.low),
        ("high_24_h", row.high), ("best_bid", row.bid), ("best_bid_quantity", row.bidSize),
        ("best_ask", row.ask), ("best_ask_quantity", row.askSize),
        ("price_percent_chg_24_h", row.changePercent), ("checkpoint_change", row.change),
      ]
      for (key, value) in figures {
        writer.key(key)
        writer.optional(value)
      }
    }
  }

  private static func product(
    _ info: CoinbaseProductInfo, _ market: BookMarket<Self>, _ symbol: Symbol
  ) -> [UInt8] {
    message(.status, market, "products", [info]) { writer, info in
      writer.member("id", symbol.text)
      writer.member("quote_increment", decimal: info.priceStep)
      writer.member("base_increment", decimal: info.sizeStep)
      writer.member("status", info.isOpen ? "online" : "offline")
    }
  }
}
