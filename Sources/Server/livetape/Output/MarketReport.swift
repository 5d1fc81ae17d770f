import MarketModel
import MarketStreams
import WireJSON

/// An instrument as `watch` and `replay` print it; in JSON with exact decimals as strings.
///
/// Prices have the market's decimals. Only the JSON of a replay has the fewest digits, since a
/// recording may lack the market's decimals, and its lines are compared with those of other
/// programs.
struct MarketReport {
  let symbol: Symbol
  /// The decimals of the venue's quotes; nil to keep its own format.
  let decimals: Scale?
  var book: BookView?
  var tape: TapeView?
  var quote: QuoteView?
  /// The venue's connection, which limits the values' freshness; nil in a replay.
  var link: VenueLink?
  var messages = 0
  /// Lines read so far, in a replay.
  var after: Int?

  init(symbol: Symbol, decimals: Scale? = nil) { (self.symbol, self.decimals) = (symbol, decimals) }

  var json: [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      writer.member("symbol", symbol.text)
      if let after { writer.member("after", after) }
      writer.member("status", status)
      writer.member("freshness", (freshness?.state ?? .waiting).rawValue)
      writeBook(to: &writer)
      writeTrades(to: &writer)
      writer.key("price")
      writer.optional(price.map(spelled))
      writer.member("resyncs", book?.resyncs ?? 0)
      writer.member("messages", messages)
    }
  }

  /// The state of the book, or of the quote if the venue has no book.
  private var status: String {
    if let book { return book.status.rawValue }
    return quote?.price == nil ? BookStatus.waiting.rawValue : BookStatus.synced.rawValue
  }

  /// The freshness of the book, or else the quote, or else the tape; nil before the first of them.
  var freshness: Freshness? {
    let own = book?.freshness ?? quote?.freshness ?? tape?.freshness
    return own.map { link?.judged($0) ?? $0 }
  }

  /// The last price: the venue's own, or the latest trade's.
  var price: FixedDecimal? {
    if let price = quote?.price { return decimals.map { price.shown(at: $0) } ?? price }
    return tape.flatMap { tape in tape.trades.first.map { tape.shown($0.price) } }
  }

  private func spelled(_ price: FixedDecimal) -> FixedDecimal {
    after == nil ? price : price.trimmed
  }

  private func writeBook(to writer: inout JSONWriter) {
    writer.key("bids")
    writeRows(book?.bids ?? [], to: &writer)
    writer.key("asks")
    writeRows(book?.asks ?? [], to: &writer)
    writer.member("bidLevels", book?.bidLevels ?? 0)
    writer.member("askLevels", book?.askLevels ?? 0)
  }

  private func writeRows(_ rows: [BookRow], to writer: inout JSONWriter) {
    writer.beginArray()
    if let book {
      for row in rows {
        writer.beginArray()
        writer.decimalString(spelled(book.shown(row.price)))
        writer.decimalString(FixedDecimal(row.size, scale: book.quantityScale).trimmed)
        writer.endArray()
      }
    }
    writer.endArray()
  }

  private func writeTrades(to writer: inout JSONWriter) {
    writer.array("trades") { writer in
      if let tape {
        for trade in tape.trades { write(trade, of: tape, to: &writer) }
      }
    }
  }

  private func write(_ trade: Trade, of tape: TapeView, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("price", decimal: spelled(tape.shown(trade.price)))
      writer.member("size", decimal: FixedDecimal(trade.size, scale: tape.quantityScale).trimmed)
      writer.key("side")
      writer.optional(trade.side?.rawValue)
      writer.member("time", trade.time.description)
      if trade.identifier != 0 { writer.member("id", String(trade.identifier)) }
    }
  }
}

extension BookView {
  func shown(_ price: Price) -> FixedDecimal {
    FixedDecimal(price, scale: priceScale).shown(at: priceDecimals)
  }
}

extension TapeView {
  func shown(_ price: Price) -> FixedDecimal {
    FixedDecimal(price, scale: priceScale).shown(at: priceDecimals)
  }
}
