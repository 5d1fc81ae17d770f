import MarketModel
import OrderBook

/// Computes the checksums that Kraken sends with every book message; reuses its buffers, so it does
/// not allocate.
///
/// The algorithm is `BookChecksum`, which the clients also compute over the rows that they draw.
struct KrakenChecksum {
  private var checksum = BookChecksum()
  private var bids: [BookRow] = []
  private var asks: [BookRow] = []

  init() {
    bids.reserveCapacity(BookChecksum.depth)
    asks.reserveCapacity(BookChecksum.depth)
  }

  /// The checksum of the current book.
  ///
  /// Prices and sizes must be positive; the decoder ensures it.
  mutating func value(of book: OrderBook) -> UInt32 {
    book.copyRows(.bid, limit: BookChecksum.depth, into: &bids)
    book.copyRows(.ask, limit: BookChecksum.depth, into: &asks)
    return checksum.value(bids: bids, asks: asks)
  }
}
