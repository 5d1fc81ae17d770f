import MarketModel

/// The open limit orders of one instrument, one queue per side.
///
/// Price-time priority: best price first, then earliest arrival.
struct RestingOrders: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let identifier: OrderIdentifier
    let limit: Price
  }

  private(set) var buys: [Entry] = []
  private(set) var sells: [Entry] = []

  var isEmpty: Bool { buys.isEmpty && sells.isEmpty }

  func queue(_ side: Side) -> [Entry] { side == .buy ? buys : sells }

  /// Inserts an order behind all others at its price.
  ///
  /// O(n).
  mutating func insert(_ entry: Entry, side: Side) {
    switch side {
    case .buy:
      buys.insert(entry, at: buys.firstIndex { $0.limit < entry.limit } ?? buys.endIndex)
    case .sell:
      sells.insert(entry, at: sells.firstIndex { $0.limit > entry.limit } ?? sells.endIndex)
    }
  }

  /// Removes an order if present.
  ///
  /// O(n).
  mutating func remove(_ identifier: OrderIdentifier, side: Side) {
    switch side {
    case .buy: buys.removeAll { $0.identifier == identifier }
    case .sell: sells.removeAll { $0.identifier == identifier }
    }
  }
}
