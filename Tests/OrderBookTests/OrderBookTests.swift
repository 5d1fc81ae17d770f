// A book's response to each kind of change, one rule a test.

import MarketModel
import OrderBook
import Testing

@Suite struct OrderBookTests {
  static let snapshot = [
    level(1, .ask, 103, 30), level(2, .ask, 101, 10), level(3, .bid, 99, 5), level(4, .bid, 100, 7),
  ]

  private func sample() -> OrderBook {
    var book = OrderBook()
    book.replace(with: Self.snapshot)
    return book
  }

  @Test func `a snapshot in any order gives the best prices first`() {
    var book = OrderBook()
    let repeated = book.replace(with: Self.snapshot.reversed())
    #expect(repeated == 0)
    #expect(table(book) == "bids 100×7 99×5 | asks 101×10 103×30")
    #expect(book == sample())
    #expect(book.stateHash == sample().stateHash)
  }

  @Test func `a second snapshot leaves nothing of the first`() {
    var book = sample()
    book.replace(with: [level(9, .bid, 50, 1)])
    #expect(table(book) == "bids 50×1 | asks")
    let wasKnown = book.delete(id: 1)
    #expect(!wasKnown)
    #expect(book.firstDefect() == nil)
  }

  @Test func `in a snapshot with an id twice the later row counts, and that is reported`() {
    var book = OrderBook()
    let repeated = book.replace(with: Self.snapshot + [level(4, .ask, 102, 8)])
    #expect(repeated == 1)
    #expect(table(book) == "bids 99×5 | asks 101×10 102×8 103×30")
    #expect(book.firstDefect() == nil)
  }

  @Test func `an insert of a known id moves the level, also to the other side`() {
    var book = sample()
    let isNew = book.insert(level(4, .ask, 102, 9))
    #expect(!isNew)
    #expect(table(book) == "bids 99×5 | asks 101×10 102×9 103×30")
  }

  @Test func `an update changes what it names and nothing else`() {
    var book = sample()
    _ = book.update(id: 4, price: nil, size: Quantity(units: 70))
    #expect(table(book) == "bids 100×70 99×5 | asks 101×10 103×30")
    _ = book.update(id: 4, price: Price(units: 98), size: nil)
    #expect(table(book) == "bids 99×5 98×70 | asks 101×10 103×30")
    let known = book.update(id: 4, price: nil, size: nil)
    #expect(known)
    _ = book.update(id: 4, price: Price(units: 97), size: Quantity(units: 1))
    #expect(table(book) == "bids 99×5 97×1 | asks 101×10 103×30")
    #expect(book.firstDefect() == nil)
  }

  @Test func `an unknown id changes nothing and is reported`() {
    var book = sample()
    let known = [
      book.update(id: 77, price: nil, size: Quantity(units: 1)),
      book.update(id: 77, price: Price(units: 1), size: Quantity(units: 1)), book.delete(id: 77),
    ]
    #expect(known == [false, false, false])
    #expect(book == sample())
  }

  @Test func `several ids at one price are one row and leave one by one`() {
    var book = sample()
    book.insert(level(5, .bid, 100, 3))
    book.insert(level(6, .bid, 100, 2))
    #expect(table(book) == "bids 100×12 99×5 | asks 101×10 103×30")
    #expect(book.levelCount(.bid) == 4)
    _ = book.delete(id: 4)
    #expect(table(book) == "bids 100×5 99×5 | asks 101×10 103×30")
  }

  @Test func `a book that touches or overlaps is crossed, an empty side never`() {
    var book = sample()
    #expect(!book.isCrossed)
    book.insert(level(7, .bid, 101, 1))
    #expect(book.isCrossed)
    _ = book.delete(id: 7)
    book.insert(level(7, .ask, 99, 1))
    #expect(book.isCrossed)
    book.replace(with: [level(1, .bid, 5, 1)])
    #expect(!book.isCrossed)
    #expect(!OrderBook().isCrossed)
  }

  @Test func `rows accumulate from the best price down`() {
    let rows = sample().rows(.ask)
    #expect(rows.map(\.accumulated.units) == [10, 40])
    #expect(sample().rows(.ask, limit: 1).map(\.price.units) == [101])
    #expect(sample().rows(.ask, limit: 0).isEmpty)
    #expect(OrderBook().rows(.bid).isEmpty)
  }

  @Test func `at most twenty rows are shown unless more are requested`() {
    var book = OrderBook()
    book.replace(with: (0..<50).map { level($0, .bid, $0, 1) })
    #expect(book.rows(.bid).count == 20)
    #expect(book.rows(.bid).first?.price.units == 49)
    #expect(book.rows(.bid, limit: 100).count == 50)
  }

  @Test func `levels at one price stay one row when the book shrinks and grows again`() {
    var book = sample()
    book.insert(level(5, .bid, 99, 2))
    #expect(table(book) == "bids 100×7 99×7 | asks 101×10 103×30")
    let isDeleted = book.delete(id: 5)
    #expect(isDeleted)
    #expect(table(book) == "bids 100×7 99×5 | asks 101×10 103×30")
    book.insert(level(6, .bid, 100, 3))
    #expect(table(book) == "bids 100×10 99×5 | asks 101×10 103×30")
    book.replace(with: [level(7, .bid, 98, 1), level(8, .bid, 98, 2)])
    #expect(table(book) == "bids 98×3 | asks")
  }

  @Test func `sums stop at the largest number instead of overflowing`() {
    var book = OrderBook()
    let huge = Int64.max
    book.replace(with: [level(1, .bid, 2, huge), level(2, .bid, 1, huge), level(3, .bid, 1, huge)])
    #expect(book.rows(.bid).map(\.accumulated.units) == [huge, huge])
    #expect(book.totalSize(.bid).units == huge)
    _ = book.stateHash
  }

  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
  func `extreme prices keep their order on both sides`(extreme: Int64) {
    var book = OrderBook()
    for side in BookSide.allCases {
      book.set(side, price: Price(units: extreme), size: Quantity(units: 1))
      book.set(side, price: Price(units: 5), size: Quantity(units: 1))
    }
    #expect(book.best(.bid)?.price.units == max(5, extreme))
    #expect(book.best(.ask)?.price.units == min(5, extreme))
    #expect(book.isCrossed)
    #expect(book.firstDefect() == nil)
  }

  @Test func `levels known by price are set, changed, removed and trimmed`() {
    var book = OrderBook()
    for price in Int64(1)...5 {
      book.set(.bid, price: Price(units: price), size: Quantity(units: price * 10))
      book.set(.ask, price: Price(units: price + 10), size: Quantity(units: price))
    }
    book.set(.bid, price: Price(units: 5), size: Quantity(units: 1))
    book.set(.ask, price: Price(units: 11), size: .zero)
    book.set(.ask, price: Price(units: 99), size: .zero)
    book.trim(toDepth: 2)
    #expect(table(book) == "bids 5×1 4×40 | asks 12×2 13×3")
    book.trim(toDepth: -1)
    #expect(table(book) == "bids | asks")
  }

  @Test func `the state hash is the documented one`() {
    #expect(OrderBook().stateHash == 0x0913_2507_b5aa_8a22)
    var book = OrderBook()
    book.set(.bid, price: Price(units: 100), size: Quantity(units: 7))
    var expected: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte: UInt8 in [0x42, 100, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0x53] {
      expected = (expected ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    #expect(book.stateHash == expected)
  }

  @Test func `the state hash depends on sides, prices and sizes but not on ids`() {
    var hashes: Set<UInt64> = []
    for level in [
      level(1, .bid, 100, 7), level(1, .ask, 100, 7), level(1, .bid, 101, 7),
      level(1, .bid, 100, 8),
    ] {
      var book = OrderBook()
      book.insert(level)
      hashes.insert(book.stateHash)
    }
    #expect(hashes.count == 4)
    var other = OrderBook()
    other.insert(level(999, .bid, 100, 7))
    #expect(hashes.contains(other.stateHash))
  }

  @Test func `an empty level is a defect`() {
    var book = OrderBook()
    book.insert(level(1, .bid, 100, 0))
    #expect(book.firstDefect() == .emptyLevel(.bid, Price(units: 100)))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a snapshot of a hundred thousand shuffled rows takes no minutes`() {
    var random = SplitMix64(seed: 5)
    let rows = (0..<100_000).map { level(Int64($0) &* 64, $0 % 2 == 0 ? .bid : .ask, Int64($0), 1) }
      .shuffled(using: &random)
    var book = OrderBook()
    book.replace(with: rows)
    #expect(book.levelCount(.bid) == 50_000 && book.levelCount(.ask) == 50_000)
    #expect(book.firstDefect() == nil)
  }
}
