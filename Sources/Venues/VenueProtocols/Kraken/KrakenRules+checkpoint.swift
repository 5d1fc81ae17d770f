// Writes Kraken's snapshots from a session's state.

import MarketModel
import OrderBook
import WireJSON

extension KrakenRules {
  /// The status, then all pairs once they have been listed.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]] {
    let isInMaintenance = session.market.isInMaintenance
    let status = message("status", type: "update", [isInMaintenance]) { writer, isInMaintenance in
      writer.member("system", isInMaintenance ? "maintenance" : "online")
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
    case .figures: return market.instruments[number].figures.row.map { [figures($0, symbol)] } ?? []
    case .audit, .quote, .details: return []
    }
  }

  static func refusal(of topic: BookTopic) -> [UInt8] {
    let channel = [KrakenChannel.book, .trade, .ticker].first { $0.part == topic.part }
    return JSONWriter.object { writer in
      writer.member("error", "Exceeded msg rate")
      writer.member("method", "subscribe")
      if let channel { writer.member("req_id", Int64(channel.rawValue)) }
      writer.member("success", false)
      writer.member("symbol", topic.symbol?.text ?? "")
    }
  }

  private static func message<Rows: Sequence>(
    _ channel: String, type: String = "snapshot", _ rows: Rows,
    _ write: (inout JSONWriter, Rows.Element) -> Void
  ) -> [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      writer.member("channel", channel)
      writer.member("type", type)
      writer.objects("data", rows, write)
    }
  }

  /// A skipped pair has only its name, so that a follower skips it, too.
  private static func pairs(
    _ listed: [Symbol: KrakenPairInfo], _ skipped: SkippedListings
  ) -> [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      writer.member("channel", "instrument")
      writer.member("type", "snapshot")
      writer.object("data") { writer in
        writer.array("pairs") { writer in
          for (symbol, info) in listed.sorted(by: { $0.key < $1.key }) {
            writer.object { writer in
              writer.member("symbol", symbol.text)
              writer.member("status", info.isOpen ? "online" : "maintenance")
              writer.member("price_precision", info.scales.price.digits)
              writer.member("qty_precision", info.scales.quantity.digits)
            }
          }
          for name in skipped.sortedNames { writer.object { $0.member("symbol", name) } }
          for _ in 0..<skipped.unnamedCount { writer.object { _ in } }
        }
      }
    }
  }

  /// The response with the levels per side that the venue keeps.
  private static func grant(_ depth: Int, of symbol: Symbol) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("method", "subscribe")
      writer.object("result") { writer in
        writer.member("channel", "book")
        writer.member("depth", depth)
        writer.member("symbol", symbol.text)
      }
      writer.member("success", true)
    }
  }

  private static func book(
    _ book: OrderBook, _ checksum: UInt32, _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    message("book", [book]) { writer, book in
      writer.member("symbol", symbol.text)
      for (key, side) in [("bids" as StaticString, BookSide.bid), ("asks", .ask)] {
        writer.objects(key, book.levels(side)) { writer, level in
          writer.member("price", number: FixedDecimal(level.price, scale: scales.price))
          writer.member("qty", number: FixedDecimal(level.size, scale: scales.quantity))
        }
      }
      writer.member("checksum", checksum)
    }
  }

  /// Oldest first, as the venue numbers them.
  private static func trades(_ trades: [Trade], _ symbol: Symbol, _ scales: BookScales) -> [UInt8] {
    message("trade", trades.sorted { $0.identifier < $1.identifier }) { writer, trade in
      writer.member("symbol", symbol.text)
      if let side = trade.side { writer.member("side", side.rawValue) }
      writer.member("price", number: FixedDecimal(trade.price, scale: scales.price))
      writer.member("qty", number: FixedDecimal(trade.size, scale: scales.quantity))
      writer.member("trade_id", trade.identifier)
      writer.member("timestamp", trade.time.nanosecondText)
    }
  }

  private static func figures(_ row: DayFiguresRow, _ symbol: Symbol) -> [UInt8] {
    message("ticker", [row]) { writer, row in
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
    }
  }
}
