import MarketModel

/// The last published levels of `orderBookL2_25` or `orderBookL2_100`.
struct BitMEXTopBook: Sendable {
  private(set) var asks: [BitMEXLevel]
  private(set) var bids: [BitMEXLevel]

  init(_ market: BitMEXMarket, depth: Int) {
    asks = market.asks.top(depth)
    bids = market.bids.top(depth)
  }

  /// Rows for a partial: asks by falling price, then bids by falling price.
  var rows: [SimulatedBitMEXRow] {
    asks.reversed().map { SimulatedBitMEXRow(isAsk: true, level: $0) }
      + bids.map { SimulatedBitMEXRow(isAsk: false, level: $0) }
  }

  /// The changes that lead to `new`, in an order in which the book is never crossed.
  func changes(to new: BitMEXTopBook) -> [(SimulatedBitMEXAction, [SimulatedBitMEXRow])] {
    var deleted: [SimulatedBitMEXRow] = []
    var updated: [SimulatedBitMEXRow] = []
    var inserted: [SimulatedBitMEXRow] = []
    for (isAsk, old, new) in [(true, asks, new.asks), (false, bids, new.bids)] {
      let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      let kept = Set(new.map(\.id))
      deleted += old.filter { !kept.contains($0.id) }.map {
        SimulatedBitMEXRow(isAsk: isAsk, level: $0)
      }
      for level in new {
        let row = SimulatedBitMEXRow(isAsk: isAsk, level: level)
        if let former = known[level.id] {
          if former.size != level.size { updated.append(row) }
        } else {
          inserted.append(row)
        }
      }
    }
    return [(.delete, deleted), (.update, updated), (.insert, inserted)].filter { !$0.1.isEmpty }
  }
}
