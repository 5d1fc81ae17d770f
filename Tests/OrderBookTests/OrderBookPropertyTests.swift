// Long random sequences against the plain reference. A failure names its seed.

import MarketModel
import OrderBook
import Testing

@Suite struct OrderBookPropertyTests {
  @Test(arguments: UInt64(1)...40)
  func `a book with ids always equals the plain reference`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var book = OrderBook()
    var plain = PlainBook()
    let ids = 4 + random.below(120)
    let stride = [1, 50, 4096, 1 << 40][Int(random.below(4))] as Int64
    for step in 0..<400 {
      let id = random.below(ids) &* stride &- 1000
      let price = Price(units: random.below(60) - 20)
      let size = Quantity(units: 1 + random.below(1000))
      switch random.below(100) {
      case 0:
        let rows = (0..<random.below(80)).map { _ in randomLevel(&random, ids: ids, stride: stride)
        }
        book.replace(with: rows)
        plain.replace(with: rows)
      case 1..<35:
        let side: BookSide = random.below(2) == 0 ? .bid : .ask
        book.insert(KeyedLevel(id: id, side: side, price: price, size: size))
        plain.insert(KeyedLevel(id: id, side: side, price: price, size: size))
      case 35..<65:
        let known = book.levels(.bid) + book.levels(.ask)
        let here = known.first { $0.id == id }?.price
        let newPrice = [price, here, nil, nil][Int(random.below(4))]
        let newSize = random.below(5) == 0 ? nil : size
        let side: BookSide? = [.bid, .ask, nil][Int(random.below(3))]
        #expect(
          book.update(id: id, price: newPrice, size: newSize, side: side)
            == plain.update(id, newPrice, newSize),
          "seed \(seed), step \(step)")
      default:
        let known = book.delete(id: id)
        let expected = plain.delete(id)
        #expect(known == expected, "seed \(seed), step \(step)")
      }
      check(book, plain, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `a book by price always equals the plain reference`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var book = OrderBook()
    var plain = PlainBook()
    for step in 0..<500 {
      let side: BookSide = random.below(2) == 0 ? .bid : .ask
      let price = Price(units: random.below(40))
      let size = Quantity(units: max(0, random.below(20) - 6))
      book.set(side, price: price, size: size)
      plain.set(side, price, size)
      check(book, plain, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: UInt64(1)...4)
  func `a deep book finds its levels near the best price and far from it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var book = OrderBook()
    var sizes: [Int64: Int64] = [:]
    for step in 0..<12_000 {
      let isNear = step > 8000 && random.below(2) == 0
      let price = isNear ? 4990 + random.below(10) : random.below(5000)
      let size = max(0, random.below(20) - 4)
      let id = price * 50
      if size == 0 {
        let isDeleted = book.delete(id: id)
        #expect(isDeleted == (sizes[price] != nil), "seed \(seed), step \(step)")
      } else if sizes[price] == nil {
        book.insert(level(id, .bid, price, size))
      } else {
        let known = book.update(
          id: id, price: step % 2 == 0 ? nil : Price(units: price), size: Quantity(units: size),
          side: .bid)
        #expect(known, "seed \(seed), step \(step)")
      }
      sizes[price] = size == 0 ? nil : size
    }
    let expected = sizes.sorted { $0.key > $1.key }.map {
      level($0.key * 50, .bid, $0.key, $0.value)
    }
    #expect(book.levels(.bid) == expected, "seed \(seed)")
    #expect(book.rows(.bid, limit: 9000).map(\.size) == expected.map(\.size), "seed \(seed)")
    #expect(book.firstDefect() == nil, "seed \(seed)")
  }

  @Test(arguments: UInt64(1)...40)
  func `merged changes by price give the book that they give one by one`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (merged, single) = (OrderBook(), OrderBook())
    for step in 0..<60 {
      let prices = 20 + random.below(400)
      var rows = (0..<random.below(200)).map { _ in
        KeyedLevel(
          side: random.below(2) == 0 ? .bid : .ask,
          price: Price(units: random.below(prices) - 10),
          size: Quantity(units: max(-1, random.below(20) - 6)))
      }
      // In order, in reverse order and mixed, with and without duplicate prices.
      if step % 3 < 2 {
        rows.sort { step % 3 == 0 ? $0.price < $1.price : $0.price > $1.price }
      }
      merged.merge(rows)
      for row in rows { single.set(row.side, price: row.price, size: row.size) }
      if step % 5 == 0 {
        merged.trim(toDepth: 100)
        single.trim(toDepth: 100)
      }
      #expect(merged == single, "seed \(seed), step \(step)")
      #expect(merged.stateHash == single.stateHash, "seed \(seed), step \(step)")
      #expect(merged.firstDefect() == nil, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: UInt64(1)...40)
  func `merged changes by id give the book that they give one by one`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (merged, single) = (OrderBook(), OrderBook())
    let ids = 20 + random.below(400)
    for step in 0..<60 {
      var rows = (0..<random.below(200)).map { _ in randomLevel(&random, ids: ids, stride: 7) }
      if step % 2 == 0 { rows.sort { ($0.price, $0.id) < ($1.price, $1.id) } }
      switch random.below(4) {
      case 0:
        let ids = rows.map(\.id)
        let unknown = ids.count { !single.delete(id: $0) }
        #expect(merged.mergeDeletes(ids) == unknown, "seed \(seed), step \(step)")
      case 1:
        let updates = rows.map { row in
          LevelUpdate(
            id: row.id, price: random.below(3) == 0 ? nil : row.price,
            size: random.below(3) == 0 ? nil : row.size)
        }
        let unknown = updates.count { !single.update(id: $0.id, price: $0.price, size: $0.size) }
        #expect(merged.mergeUpdates(updates) == unknown, "seed \(seed), step \(step)")
      case 2 where step % 7 == 0:
        merged.replace(with: rows)
        single.removeAll()
        for row in rows { single.insert(row) }
      default:
        merged.mergeInserts(rows)
        for row in rows { single.insert(row) }
      }
      #expect(merged == single, "seed \(seed), step \(step)")
      #expect(merged.firstDefect() == nil, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `the state hash depends on the state alone, not on how it came about`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var book = OrderBook()
    for _ in 0..<300 {
      if random.below(3) > 0 {
        book.insert(randomLevel(&random, ids: 64, stride: 7))
      } else {
        _ = book.delete(id: random.below(64) * 7 - 1000)
      }
    }
    var rebuilt = OrderBook()
    rebuilt.replace(with: (book.levels(.ask) + book.levels(.bid)).shuffled(using: &random))
    #expect(rebuilt == book, "seed \(seed)")
    #expect(rebuilt.stateHash == book.stateHash, "seed \(seed)")
    _ = rebuilt.insert(level(1, .bid, -999, 1))
    #expect(rebuilt.stateHash != book.stateHash, "seed \(seed)")
  }

  private func randomLevel(_ random: inout SplitMix64, ids: Int64, stride: Int64) -> KeyedLevel {
    KeyedLevel(
      id: random.below(ids) &* stride &- 1000, side: random.below(2) == 0 ? .bid : .ask,
      price: Price(units: random.below(60) - 20), size: Quantity(units: 1 + random.below(1000)))
  }

  private func check(_ book: OrderBook, _ plain: PlainBook, _ place: Comment) {
    #expect(book.firstDefect() == nil, place)
    for side in BookSide.allCases {
      #expect(book.rows(side, limit: 1000) == plain.rows(side, limit: 1000), place)
      let levels = plain.levels.filter { $0.side == side }
      #expect(book.levelCount(side) == levels.count, place)
      #expect(book.totalSize(side).units == levels.reduce(0) { $0 + $1.size.units }, place)
      #expect(book.best(side)?.price == plain.rows(side).first?.price, place)
    }
  }
}
