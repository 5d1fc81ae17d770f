// Writes Kraken's snapshots from a session's state.

import MarketModel
import OrderBook
import WireJSON

extension KrakenRules {
  /// The status, then all pairs once they have been listed.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]] {
    let status = message("status", "update") { writer in
      writer.beginArray()
      writer.beginObject()
      writer.member("system", session.market.isInMaintenance ? "maintenance" : "online")
      writer.endObject()
      writer.endArray()
    }
    guard session.market.own.isListed, session.detailsAskedAt == nil else { return [status] }
    return [status, pairs(session.market.own.listed, session.market.own.skipped)]
  }

  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    guard let scales = market.decoder.scales(of: number) else { return [] }
    let symbol = market.instruments[number].symbol
    switch part {
    case .book:
      let sync = market.books.states[number]
      guard let proof = sync.trust.proof else { return [] }
      return [grant(sync.depth, of: symbol), book(sync.book, proof.checksum, symbol, scales)]
    case .trades: return [trades(market.instruments[number].tape.trades, symbol, scales)]
    case .figures:
      return market.instruments[number].figures.row.map { [figures($0, symbol)] } ?? []
    case .audit, .quote, .details: return []
    }
  }

  static func refusal(of topic: BookTopic) -> [UInt8] {
    let channel = [KrakenChannel.book, .trade, .ticker].first { $0.part == topic.part }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("error", "Exceeded msg rate")
    writer.member("method", "subscribe")
    if let channel { writer.member("req_id", Int64(channel.rawValue)) }
    writer.member("success", false)
    writer.member("symbol", topic.symbol?.text ?? "")
    writer.endObject()
    return writer.bytes
  }

  private static func message(
    _ channel: String, _ type: String, _ data: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("channel", channel)
    writer.member("type", type)
    writer.key("data")
    data(&writer)
    writer.endObject()
    return writer.bytes
  }

  /// A skipped pair has only its name, so that a follower skips it, too.
  private static func pairs(
    _ listed: [Symbol: KrakenPairInfo], _ skipped: SkippedListings
  ) -> [UInt8] {
    message("instrument", "snapshot") { writer in
      writer.beginObject()
      writer.key("pairs")
      writer.beginArray()
      for (symbol, info) in listed.sorted(by: { $0.key < $1.key }) {
        writer.beginObject()
        writer.member("symbol", symbol.text)
        writer.member("status", info.isOpen ? "online" : "maintenance")
        writer.member("price_precision", info.scales.price.digits)
        writer.member("qty_precision", info.scales.quantity.digits)
        writer.endObject()
      }
      for name in skipped.sortedNames {
        writer.beginObject()
        writer.member("symbol", name)
        writer.endObject()
      }
      for _ in 0..<skipped.unnamedCount {
        writer.beginObject()
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
  }

  /// The response with the levels per side that the venue keeps.
  private static func grant(_ depth: Int, of symbol: Symbol) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("method", "subscribe")
    writer.key("result")
    writer.beginObject()
    writer.member("channel", "book")
    writer.member("depth", depth)
    writer.member("symbol", symbol.text)
    writer.endObject()
    writer.member("success", true)
    writer.endObject()
    return writer.bytes
  }

  private static func book(
    _ book: OrderBook, _ checksum: UInt32, _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    message("book", "snapshot") { writer in
      writer.beginArray()
      writer.beginObject()
      writer.member("symbol", symbol.text)
      levels("bids", book.levels(.bid), scales, &writer)
      levels("asks", book.levels(.ask), scales, &writer)
      writer.member("checksum", checksum)
      writer.endObject()
      writer.endArray()
    }
  }

  private static func levels(
    _ key: StaticString, _ levels: [KeyedLevel], _ scales: BookScales, _ writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.array(levels) { writer, level in
      writer.beginObject()
      writer.member("price", number: FixedDecimal(level.price, scale: scales.price))
      writer.member("qty", number: FixedDecimal(level.size, scale: scales.quantity))
      writer.endObject()
    }
  }

  /// Oldest first, as the venue numbers them.
  private static func trades(
    _ trades: [Trade], _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    message("trade", "snapshot") { writer in
      writer.beginArray()
      for trade in trades.sorted(by: { $0.identifier < $1.identifier }) {
        writer.beginObject()
        writer.member("symbol", symbol.text)
        if let side = trade.side { writer.member("side", side.rawValue) }
        writer.member("price", number: FixedDecimal(trade.price, scale: scales.price))
        writer.member("qty", number: FixedDecimal(trade.size, scale: scales.quantity))
        writer.member("trade_id", trade.identifier)
        writer.member("timestamp", trade.time.nanosecondText)
        writer.endObject()
      }
      writer.endArray()
    }
  }

  private static func figures(_ row: DayFiguresRow, _ symbol: Symbol) -> [UInt8] {
    message("ticker", "snapshot") { writer in
      writer.beginArray()
      writer.beginObject()
      writer.member("symbol", symbol.text)
      let figures: [(StaticString, FixedDecimal?)] = [
        ("last", row.last), ("change", row.change), ("change_pct", row.changePercent),
        ("high", row.high), ("low", row.low), ("volume", row.volume), ("vwap", row.vwap),
        ("bid", row.bid), ("bid_qty", row.bidSize), ("ask", row.ask), ("ask_qty", row.askSize),
      ]
      for (key, value) in figures {
        writer.key(key)
        if let value { writer.number(value) } else { writer.null() }
      }
      if let trades = row.trades { writer.member("trades", trades) }
      if let time = row.time { writer.member("timestamp", time.nanosecondText) }
      writer.endObject()
      writer.endArray()
    }
  }
}
