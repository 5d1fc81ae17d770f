// Writes Bybit's messages from a session's state.

import MarketModel
import OrderBook
import WireJSON

extension BybitRules {
  /// The venue does not greet.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]] { [] }

  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    let instrument = market.instruments[number]
    let scales = market.decoder.spelled[number]
    switch part {
    case .book: return [book(market.books.states[number], instrument.symbol, scales)]
    case .trades:
      return instrument.tape.trades.isEmpty
        ? [] : [trades(instrument.tape.trades, instrument.symbol, scales)]
    case .figures: return instrument.figures.row.map { [figures($0, instrument.symbol)] } ?? []
    case .audit, .quote, .details: return []
    }
  }

  static func refusal(of topic: BookTopic) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("success", false)
    writer.member("ret_msg", "too many requests:[\(BybitRequests.text(of: topic))]")
    writer.member("op", "subscribe")
    writer.endObject()
    return writer.bytes
  }

  private static func message(
    _ channel: BybitChannel, _ symbol: Symbol, _ data: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("topic", "\(channel.name).\(symbol)")
    writer.member("type", "snapshot")
    writer.key("data")
    data(&writer)
    writer.endObject()
    return writer.bytes
  }

  private static func book(
    _ sync: BybitBookSync, _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    message(.book, symbol) { writer in
      writer.beginObject()
      writer.member("b", levels: sync.book.levels(.bid), scales)
      writer.member("a", levels: sync.book.levels(.ask), scales)
      writer.member("u", sync.update)
      if let sequence = sync.sequence { writer.member("seq", sequence) }
      writer.endObject()
    }
  }

  /// Oldest first; the identifiers are those of this list.
  private static func trades(
    _ trades: [Trade], _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    message(.trades, symbol) { writer in
      writer.beginArray()
      for trade in trades.reversed() {
        writer.beginObject()
        writer.member("i", "checkpoint \(trade.arrival)")
        writer.member("T", trade.time.milliseconds)
        writer.member("p", decimal: FixedDecimal(trade.price, scale: scales.price))
        writer.member("v", decimal: FixedDecimal(trade.size, scale: scales.quantity))
        writer.member("S", trade.side == .sell ? "Sell" : "Buy")
        writer.endObject()
      }
      writer.endArray()
    }
  }

  private static func figures(_ row: DayFiguresRow, _ symbol: Symbol) -> [UInt8] {
    let figures: [(StaticString, FixedDecimal?)] = [
      ("lastPrice", row.last), ("prevPrice24h", row.open), ("highPrice24h", row.high),
      ("lowPrice24h", row.low), ("volume24h", row.volume),
    ]
    return message(.tickers, symbol) { writer in
      writer.beginObject()
      for (key, value) in figures {
        if let value { writer.member(key, decimal: value) }
      }
      writer.endObject()
    }
  }
}
