import MarketModel
import Testing

@testable import AppState

/// A side of a book from lines `price size`, best first; prices with one decimal.
func rows(_ table: String) throws -> [BookRow] {
  var accumulated: Int64 = 0
  return try table.split(separator: "\n").map { line in
    let fields = line.split(separator: " ").map(String.init)
    try #require(fields.count == 2, "\(line)")
    let price = try #require(try decimal(fields[0]).exactly(at: Scale(clamping: 1)))
    let size = try #require(Int64(fields[1]))
    accumulated += size
    return BookRow(
      price: Price(units: price.units), size: Quantity(units: size),
      accumulated: Quantity(units: accumulated))
  }
}

func bookView(
  _ name: Symbol, bids: [BookRow], asks: [BookRow], status: BookStatus = .synced,
  _ freshness: Freshness = fresh(.live), priceDecimals: UInt8 = 1
) -> BookView {
  BookView(
    symbol: name, status: status, freshness: freshness, bids: bids, asks: asks,
    bidLevels: bids.count, askLevels: asks.count, priceScale: Scale(clamping: 1),
    quantityScale: .whole, priceDecimals: Scale(clamping: priceDecimals), sequence: 7, resyncs: 2)
}

extension BookState {
  /// Both sides, one row a line: `bid price size sizeInBase bar`.
  var table: String {
    let lines = [("bid", bids), ("ask", asks)].flatMap { side, rows in
      rows.map { row in
        let base = row.sizeInBase?.description ?? "-"
        return "\(side) \(row.price) \(row.size) \(base) \(row.barThousandths)"
      }
    }
    return lines.joined(separator: "\n")
  }
}
