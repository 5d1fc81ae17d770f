// Best bid, best ask and last price of one pair, from its book and its trades.

import MarketModel

/// The quote of one pair.
struct KrakenQuote {
  /// In units of the pair's price scale; nil before the first trade.
  private(set) var price: Int64?
  private(set) var direction = Direction.unchanged
  private(set) var changes: UInt64 = 0
  private(set) var confirmedAt: ClockReading?

  /// Takes the newest trade's price.
  mutating func take(price new: Int64) {
    if let price, price != new {
      direction = new > price ? .up : .down
      changes &+= 1
    }
    price = new
  }

  /// A message of the quote's streams has come.
  mutating func confirm(at now: ClockReading) { confirmedAt = now }

  mutating func forget() {
    let counted = changes
    self = KrakenQuote()
    changes = counted
  }
}
