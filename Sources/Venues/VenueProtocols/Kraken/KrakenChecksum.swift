// Kraken's proof of a book, sent with every book message: the digits and their check are
// `BookChecksum`, the same that every face computes over the rows that it draws.

import MarketModel
import OrderBook

/// Computes checksums of books; keeps its buffers, so that none allocates.
struct KrakenChecksum {
  private var checksum = BookChecksum()
  private var bids: [BookRow] = []
  private var asks: [BookRow] = []

  init() {
    bids.reserveCapacity(BookChecksum.depth)
    asks.reserveCapacity(BookChecksum.depth)
  }

  /// The checksum of a book as it stands.
  ///
  /// Prices and sizes must be positive, which the decoder sees to.
  mutating func value(of book: OrderBook) -> UInt32 {
    book.copyRows(.bid, limit: BookChecksum.depth, into: &bids)
    book.copyRows(.ask, limit: BookChecksum.depth, into: &asks)
    return checksum.value(bids: bids, asks: asks)
  }
}
