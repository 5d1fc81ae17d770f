import AppState
import MarketModel

/// An instrument as a small table for a terminal.
struct TerminalReport {
  /// Levels shown per side; the JSON has all twenty.
  private static let levels = 5

  let text: String

  /// `connection` is nil in a replay.
  init(_ report: MarketReport, connection: ConnectionStatus?, at now: ClockReading) {
    var lines = [TerminalReport.head(report, connection, now)]
    if let book = report.book { lines += TerminalReport.levels(of: book) }
    if let quote = report.quote, quote.bid != nil || quote.ask != nil {
      let sides = [quote.bid, quote.ask].map { price in
        price.map { report.decimals.map($0.shown(at:)) ?? $0 }?.description ?? "-"
      }
      lines.append("  bid \(sides[0])  ask \(sides[1])")
    }
    if let tape = report.tape, let trade = tape.trades.first {
      let price = tape.shown(trade.price)
      let size = FixedDecimal(trade.size, scale: tape.quantityScale).trimmed
      let side = trade.side?.rawValue ?? "trade"
      lines.append("  last \(side) \(size) at \(price), \(trade.time)")
    }
    text = lines.joined(separator: "\n")
  }

  private static func head(
    _ report: MarketReport, _ connection: ConnectionStatus?, _ now: ClockReading
  ) -> String {
    let freshness = report.freshness
    var words = [report.symbol.text, freshness?.state.rawValue ?? "waiting"]
    if let freshness, freshness.state != .live, let confirmed = freshness.confirmedAt {
      words.append(AgeText.since(confirmed, at: now).description)
    }
    if freshness?.origin == .simulated { words.append("simulated") }
    if freshness?.origin == .custom { words.append("custom address") }
    if report.quote?.price != nil, let price = report.price { words.append(price.description) }
    if let reason = connection?.reason { words.append("(\(reason))") }
    return words.joined(separator: " ")
  }

  private static func levels(of book: BookView) -> [String] {
    let rows = max(book.bids.count, book.asks.count)
    return (0..<min(rows, levels)).map { index in
      let bid = index < book.bids.count ? cells(book.bids[index], book) : ("", "")
      let ask = index < book.asks.count ? cells(book.asks[index], book) : ("", "")
      return "  "
        + [pad(bid.1, 12), pad(bid.0, 12), pad(ask.0, 12), pad(ask.1, 12)].joined(separator: " ")
    }
  }

  private static func cells(_ row: BookRow, _ book: BookView) -> (String, String) {
    (
      book.shown(row.price).description,
      FixedDecimal(row.size, scale: book.quantityScale).trimmed.description
    )
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
