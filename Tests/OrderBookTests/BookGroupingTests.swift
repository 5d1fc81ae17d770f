// Grouped rows against a plain reference that follows the rule literally.

import MarketModel
import OrderBook
import Testing

@Suite struct BookGroupingTests {
  private func book(_ bids: [(Int64, Int64)], _ asks: [(Int64, Int64)]) -> OrderBook {
    var book = OrderBook()
    for (price, size) in bids {
      book.set(.bid, price: Price(units: price), size: Quantity(units: size))
    }
    for (price, size) in asks {
      book.set(.ask, price: Price(units: price), size: Quantity(units: size))
    }
    return book
  }

  private func text(_ rows: [BookRow]) -> String {
    rows.map { "\($0.price.units)×\($0.size.units)=\($0.accumulated.units)" }
      .joined(separator: " ")
  }

  @Test func `bids go into the row below them and asks into the row above`() {
    let book = book([(109, 1), (105, 2), (100, 4), (99, 8)], [(110, 1), (111, 2), (121, 4)])
    #expect(text(book.groupedRows(.bid, step: 10)) == "100×7=7 90×8=15")
    #expect(text(book.groupedRows(.ask, step: 10)) == "110×1=1 120×2=3 130×4=7")
  }

  @Test func `prices below zero are grouped by the same rule`() {
    let book = book([(-1, 1), (-10, 2), (-11, 4)], [(0, 1), (1, 2)])
    #expect(text(book.groupedRows(.bid, step: 10)) == "-10×3=3 -20×4=7")
    #expect(text(book.groupedRows(.ask, step: 10)) == "0×1=1 10×2=3")
  }

  @Test func `no row is shown that levels beyond a book's fixed depth would add to`() {
    let book = book([(29, 1), (19, 2), (15, 4)], [(31, 1)])
    #expect(text(book.groupedRows(.bid, step: 10, depth: 3)) == "20×1=1")
    #expect(text(book.groupedRows(.bid, step: 10, depth: 4)) == "20×1=1 10×6=7")
    #expect(text(book.groupedRows(.ask, step: 10, depth: 1)) == "40×1=1", "the only one stays")
  }

  @Test func `prices at the ends of all numbers do not trap`() {
    let book = book([(.min + 1, 1), (.max, .max)], [(.min, .max), (.max, .max), (.max - 1, 1)])
    for step: Int64 in [2, 10, 999, .max] {
      for side in BookSide.allCases {
        let rows = book.groupedRows(side, step: step)
        #expect(rows.last?.accumulated.units ?? 0 > 0)
      }
    }
  }

  @Test(arguments: UInt64(1)...60)
  func `grouped rows always equal the plain reference`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var book = OrderBook()
    var plain = PlainBook()
    let middle = random.below(2000) - 1000
    for _ in 0..<random.below(400) {
      let side: BookSide = random.below(2) == 0 ? .bid : .ask
      let away = 1 + random.below(300)
      let price = Price(units: side == .bid ? middle - away : middle + away)
      let size = Quantity(units: random.below(50))
      book.set(side, price: price, size: size)
      plain.set(side, price, size)
    }
    let before = book.stateHash
    for grouping in PriceGrouping.all.prefix(8) {
      let step = grouping.step(tick: Price(units: 1 + random.below(3)))
      for side in BookSide.allCases {
        let limit = Int(1 + random.below(25))
        #expect(
          book.groupedRows(side, step: step, limit: limit)
            == plain.groupedRows(side, step: step, limit: limit), "seed \(seed), step \(step)")
      }
    }
    #expect(book.stateHash == before, "seed \(seed): reading changes nothing")
    if let bid = book.groupedRows(.bid, step: 25).first?.price,
      let ask = book.groupedRows(.ask, step: 25).first?.price
    {
      #expect(bid <= ask, "seed \(seed): a book that is not crossed does not look crossed")
    }
  }
}

extension PlainBook {
  /// Each level in the row that its price rounds to, found by counting alone.
  fileprivate func groupedRows(_ side: BookSide, step: Int64, limit: Int) -> [BookRow] {
    var sums: [Int64: Int64] = [:]
    for level in levels where level.side == side {
      var row = level.price.units
      while row % step != 0 { row += side == .bid ? -1 : 1 }
      sums[row, default: 0] += level.size.units
    }
    var accumulated: Int64 = 0
    let prices = sums.keys.sorted { side == .bid ? $0 > $1 : $0 < $1 }
    return prices.prefix(limit).map { price in
      accumulated += sums[price] ?? 0
      return BookRow(
        price: Price(units: price), size: Quantity(units: sums[price] ?? 0),
        accumulated: Quantity(units: accumulated))
    }
  }
}
