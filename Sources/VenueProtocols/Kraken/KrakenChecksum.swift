// Kraken's proof of a book: CRC-32 over the digits of the ten best levels a side, sent with every
// book message. https://docs.kraken.com/exchange/guides/websockets/book-checksum-v2

import MarketModel
import OrderBook
import WireJSON

/// Computes checksums of books; keeps its buffers, so that none allocates.
///
/// The documented text of a level is its price and its quantity at the pair's precision, without
/// the point and without leading zeros. That is the decimal text of the units that a book holds, so
/// no venue text has to be kept.
struct KrakenChecksum {
  /// Levels of each side that the checksum covers.
  static let depth = 10
  /// Two sides of ten levels, two numbers each, none longer than 19 digits.
  private static let room = 2 * depth * 2 * 19

  private let tables = CRC32.tables
  private var text = ContiguousArray<UInt8>(repeating: 0, count: room)
  private var rows: [BookRow] = []

  init() { rows.reserveCapacity(KrakenChecksum.depth) }

  /// The checksum of a book as it stands.
  ///
  /// Prices and sizes must be positive, which the decoder sees to.
  mutating func value(of book: OrderBook) -> UInt32 {
    // The text is written from its end: a number's last digit is the one that is known first.
    var start = text.count
    book.copyRows(.bid, limit: KrakenChecksum.depth, into: &rows)
    KrakenChecksum.write(rows, into: &text, &start)
    book.copyRows(.ask, limit: KrakenChecksum.depth, into: &rows)
    KrakenChecksum.write(rows, into: &text, &start)
    let digits = text.span  // rule-exception: a ContiguousArray
    let tables = tables.span  // rule-exception: a ContiguousArray
    return CRC32.value(of: digits.extracting(start...), tables: tables)
  }

  private static func write(
    _ rows: [BookRow], into text: inout ContiguousArray<UInt8>, _ start: inout Int
  ) {
    var bytes = text.mutableSpan  // rule-exception: a ContiguousArray
    var index = rows.count
    while index > 0 {
      index &-= 1
      write(rows[index].size.units, &bytes, &start)
      write(rows[index].price.units, &bytes, &start)
    }
  }

  @inline(__always)
  private static func write(
    _ units: Int64, _ bytes: inout MutableSpan<UInt8>, _ start: inout Int
  ) {
    var rest = units.magnitude
    while rest > 0, start > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      start &-= 1
      bytes[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
  }
}

/// The cyclic redundancy check of ISO 3309 (polynomial 0xEDB88320, reflected), eight bytes at a
/// time.
enum CRC32 {
  /// Eight tables of 256 entries: what a byte at distance 0 to 7 from the end of a block adds.
  static let tables: ContiguousArray<UInt32> = makeTables()

  /// The check value of some bytes.
  static func value(of bytes: Span<UInt8>, tables: Span<UInt32>) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let block = JSONCursor.eightBytes(bytes, offset) ^ UInt64(crc)
      crc = 0
      for place in 0..<8 {
        let byte = Int(truncatingIfNeeded: block &>> UInt64(8 &* place) & 0xff)
        crc ^= tables[(7 &- place) &* 256 &+ byte]
      }
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = Int(truncatingIfNeeded: (crc ^ UInt32(bytes[offset])) & 0xff)
      crc = crc &>> 8 ^ tables[byte]
      offset &+= 1
    }
    return ~crc
  }

  private static func makeTables() -> ContiguousArray<UInt32> {
    var tables: ContiguousArray<UInt32> = []
    tables.reserveCapacity(8 * 256)
    for byte in 0..<UInt32(256) {
      var entry = byte
      for _ in 0..<8 { entry = entry & 1 == 1 ? entry >> 1 ^ 0xedb8_8320 : entry >> 1 }
      tables.append(entry)
    }
    for index in 256..<(8 * 256) {
      let former = tables[index - 256]
      tables.append(former >> 8 ^ tables[Int(former & 0xff)])
    }
    return tables
  }
}
