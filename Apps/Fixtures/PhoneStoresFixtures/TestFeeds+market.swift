import Foundation
package import MarketModel

extension TestFeeds {
  /// A BitMEX book of levels "price in tenths, size", best first.
  package func book(
    _ name: String = "XBTUSD", bids: [(Int64, Int64)], asks: [(Int64, Int64)],
    _ status: BookStatus = .synced, _ state: FreshnessState = .live
  ) throws {
    try book(.bitmex, name, bids: bids, asks: asks, status, state, quantityScale: .whole)
  }

  /// A spot market's book of levels "price in tenths, size in thousandths", best first.
  package func pairBook(
    _ venue: Venue, _ name: String, bids: [(Int64, Int64)], asks: [(Int64, Int64)],
    _ status: BookStatus = .synced, _ state: FreshnessState = .live, sequence: UInt64 = 1
  ) throws {
    try book(
      venue, name, bids: bids, asks: asks, status, state, quantityScale: Scale(clamping: 3),
      sequence: sequence)
  }

  private func book(
    _ venue: Venue, _ name: String, bids: [(Int64, Int64)], asks: [(Int64, Int64)],
    _ status: BookStatus, _ state: FreshnessState, quantityScale: Scale, sequence: UInt64 = 1
  ) throws {
    func rows(_ levels: [(Int64, Int64)]) -> [BookRow] {
      var sum: Int64 = 0
      return levels.map { price, size in
        sum += size
        return BookRow(
          price: Price(units: price), size: Quantity(units: size), accumulated: Quantity(units: sum)
        )
      }
    }
    let name = try symbol(name)
    send(
      MarketKey(venue, .book, name),
      .book(
        BookView(
          symbol: name, status: status, freshness: fresh(state), bids: rows(bids),
          asks: rows(asks), bidLevels: bids.count, askLevels: asks.count,
          priceScale: Scale(clamping: 1), quantityScale: quantityScale,
          priceDecimals: Scale(clamping: 1), sequence: sequence, resyncs: 0)))
  }

  /// A BitMEX tape, newest first.
  package func tape(_ trades: [Trade], of name: String = "XBTUSD") throws {
    let name = try symbol(name)
    send(
      MarketKey(.bitmex, .trades, name),
      .trades(
        TapeView(
          symbol: name, trades: trades, priceScale: Scale(clamping: 1), quantityScale: .whole,
          priceDecimals: Scale(clamping: 1), freshness: fresh(.live))))
  }
}
