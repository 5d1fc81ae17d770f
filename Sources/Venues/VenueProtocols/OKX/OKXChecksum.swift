import MarketModel
import OrderBook

/// OKX's book checksum of before June 2026: a CRC-32 over `price:size` of 25 bids and asks in turn.
///
/// Only recordings and hosts that still send it are checked; the shorter side is skipped.
struct OKXChecksum {
  static let depth = 25

  private let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { entry, _ in
      entry & 1 == 1 ? 0xedb8_8320 ^ entry >> 1 : entry >> 1
    }
  }
  private var bids: [BookRow] = []
  private var asks: [BookRow] = []
  private var text: [UInt8] = []

  /// The checksum of a book whose numbers have these scales, as the signed number of the wire.
  mutating func value(of book: OrderBook, _ scales: BookScales) -> Int32 {
    book.copyRows(.bid, limit: Self.depth, into: &bids)
    book.copyRows(.ask, limit: Self.depth, into: &asks)
    text.removeAll(keepingCapacity: true)
    for row in 0..<max(bids.count, asks.count) {
      if row < bids.count { append(bids[row], scales) }
      if row < asks.count { append(asks[row], scales) }
    }
    var crc: UInt32 = .max
    for byte in text.dropLast() { crc = table[Int((crc ^ UInt32(byte)) & 0xff)] ^ crc >> 8 }
    return Int32(bitPattern: ~crc)
  }

  private mutating func append(_ row: BookRow, _ scales: BookScales) {
    FixedDecimal(row.price, scale: scales.price).trimmed.appendText(to: &text)
    text.append(UInt8(ascii: ":"))
    FixedDecimal(row.size, scale: scales.quantity).trimmed.appendText(to: &text)
    text.append(UInt8(ascii: ":"))
  }
}
