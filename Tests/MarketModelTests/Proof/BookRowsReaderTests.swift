// LT2: any wrong bit between venue and screen is found in the rows themselves.

import TestSupport
import Testing

@testable import MarketModel

/// Rows of a book with one decimal of price and eight of size, and their text on the wire.
private struct SeededBook {
  static let priceScale = Scale(clamping: 1)
  static let sizeScale = Scale(clamping: 8)
  private(set) var bids: [BookRow] = []
  private(set) var asks: [BookRow] = []

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let middle = Int64(random.next() % 1_000_000) + 1000
    bids = (0..<20).map { Self.row(middle - Int64($0), &random) }
    asks = (0..<20).map { Self.row(middle + 1 + Int64($0), &random) }
  }

  private static func row(_ price: Int64, _ random: inout SplitMix64) -> BookRow {
    // Some are below one, so that leading zeros are left out.
    let size = Int64(random.next() % (random.next() % 2 == 0 ? 1000 : 100_000_000_000)) + 1
    return BookRow(price: Price(units: price), size: Quantity(units: size), accumulated: .zero)
  }

  var text: [UInt8] {
    let sides = [bids, asks].map { rows in
      let texts = rows.map { row in
        let price = FixedDecimal(row.price, scale: Self.priceScale).trimmed
        return #"["\#(price)","\#(FixedDecimal(row.size, scale: Self.sizeScale))",null,17,4]"#
      }
      return "[" + texts.joined(separator: ",") + "]"
    }
    return Array("[\(sides[0]),\(sides[1]),\"0.1\",\"0.01\",500,1]".utf8)
  }

  static func findings(_ text: [UInt8]) -> BookFindings? {
    var reader = BookRowsReader()
    return reader.findings(in: text.span, price: priceScale, size: sizeScale)
  }
}

/// The documented algorithm, byte by byte.
private func documented(_ book: SeededBook) -> UInt32 {
  var crc = UInt32.max
  let rows = book.asks.prefix(10) + book.bids.prefix(10)
  for byte in rows.flatMap({ "\($0.price.units)\($0.size.units)".utf8 }) {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
  }
  return ~crc
}

struct BookRowsReaderTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `rows are read as they were sent`(_ seed: UInt64) throws {
    let book = SeededBook(seed: seed)
    let text = book.text
    let found = try #require(SeededBook.findings(text))
    var hash = FNV1a()
    for byte in text { hash.combine(byte: byte) }
    #expect(found.hash == hash.value)
    #expect(found.checksum == documented(book), "seed \(seed)")
    #expect(!found.isCrossed)
  }

  @Test(arguments: 0..<UInt64(repetitions(1, all: 8)))
  func `any flipped bit of the text is found`(_ seed: UInt64) throws {
    let text = SeededBook(seed: seed).text
    let truth = try #require(SeededBook.findings(text))
    for index in text.indices {
      for bit in 0..<8 {
        var changed = text
        changed[index] ^= 1 << bit
        let found = SeededBook.findings(changed)
        #expect(found?.hash != truth.hash, "seed \(seed), byte \(index), bit \(bit)")
      }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `any other digit in the ten best rows is found by the venue's checksum alone`(
    _ seed: UInt64
  ) throws {
    let book = SeededBook(seed: seed)
    let truth = documented(book)
    var checksum = BookChecksum()
    for isBid in [true, false] {
      for place in 0..<10 {
        for power in [1, 10, 1000, 100_000] as [Int64] {
          for (price, size) in [(power, 0), (0, power)] {
            var sides = (book.bids, book.asks)
            let row = isBid ? sides.0[place] : sides.1[place]
            let changed = BookRow(
              price: Price(units: row.price.units + price),
              size: Quantity(units: row.size.units + size), accumulated: .zero)
            if isBid { sides.0[place] = changed } else { sides.1[place] = changed }
            let found = checksum.value(bids: sides.0, asks: sides.1)
            #expect(found != truth, "seed \(seed), row \(place), \(price) \(size)")
          }
        }
      }
    }
    // Deeper rows depend on the server alone.
    let deep = checksum.value(bids: Array(book.bids.prefix(10)), asks: book.asks)
    #expect(deep == truth)
  }

  @Test func `malformed rows yield nothing`() {
    let wrong = [
      "", "[", "[[]", "[[],", "[[],[", "{}", "[[1],[]]", #"[[["1"]],[]]"#, #"[[["1",2]],[]]"#,
      #"[[["01","2"]],[]]"#, #"[[["1","2"],],[]]"#, #"[[["1","2""#, #"[[["1","2"],[]]"#,
    ]
    for text in wrong { #expect(SeededBook.findings(Array(text.utf8)) == nil, "\(text)") }
    #expect(SeededBook.findings(Array("[[],[],null,null,null,1]".utf8))?.checksum == 0)
  }

  @Test func `a price with a digit too many has no checksum`() throws {
    let found = try #require(SeededBook.findings(Array(#"[[["1.25","2"]],[]]"#.utf8)))
    #expect(found.checksum == nil)
  }

  @Test(arguments: [("10.5", "10.6", false), ("10.5", "10.50", true), ("10.6", "10.5", true)])
  func `a book is crossed when a bid reaches an ask`(
    _ bid: String, _ ask: String, _ isCrossed: Bool
  ) throws {
    let text = #"[[["\#(bid)","1"]],[["\#(ask)","1"]]]"#
    let found = try #require(SeededBook.findings(Array(text.utf8)))
    #expect(found.isCrossed == isCrossed)
  }
}
