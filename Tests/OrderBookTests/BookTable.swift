import MarketModel
import OrderBook

/// "bids 100×5 99×3 | asks 101×2", best first; prices and sizes in units.
func table(_ book: OrderBook, limit: Int = 20) -> String {
  func side(_ side: BookSide) -> String {
    book.rows(side, limit: limit).map { " \($0.price.units)×\($0.size.units)" }.joined()
  }
  return "bids\(side(.bid)) | asks\(side(.ask))"
}

func level(_ id: Int64, _ side: BookSide, _ price: Int64, _ size: Int64) -> KeyedLevel {
  KeyedLevel(id: id, side: side, price: Price(units: price), size: Quantity(units: size))
}

/// The plain reference: a list of levels, sorted on access.
struct PlainBook {
  var levels: [KeyedLevel] = []

  mutating func replace(with new: [KeyedLevel]) {
    levels = []
    for level in new { insert(level) }
  }

  mutating func insert(_ level: KeyedLevel) {
    levels.removeAll { $0.id == level.id }
    levels.append(level)
  }

  mutating func update(_ id: Int64, _ price: Price?, _ size: Quantity?) -> Bool {
    guard let index = levels.firstIndex(where: { $0.id == id }) else { return false }
    if let price { levels[index].price = price }
    if let size { levels[index].size = size }
    return true
  }

  mutating func delete(_ id: Int64) -> Bool {
    let before = levels.count
    levels.removeAll { $0.id == id }
    return levels.count < before
  }

  mutating func set(_ side: BookSide, _ price: Price, _ size: Quantity) {
    levels.removeAll { $0.side == side && $0.price == price }
    if size.units > 0 { levels.append(KeyedLevel(side: side, price: price, size: size)) }
  }

  func rows(_ side: BookSide, limit: Int = 20) -> [BookRow] {
    var sums: [Price: Int64] = [:]
    for level in levels where level.side == side {
      sums[level.price, default: 0] += level.size.units
    }
    let prices = sums.keys.sorted { side == .bid ? $0 > $1 : $0 < $1 }
    var accumulated: Int64 = 0
    return prices.prefix(limit).map { price in
      let size = sums[price] ?? 0
      accumulated += size
      return BookRow(
        price: price, size: Quantity(units: size), accumulated: Quantity(units: accumulated))
    }
  }
}
