/// Computes Kraken's book checksum without allocating.
///
/// A level's text is its price and quantity without point and leading zeros. Those are the decimal
/// units of the rows, so the venue's text need not be stored.
/// https://docs.kraken.com/exchange/guides/websockets/book-checksum-v2
public struct BookChecksum: Sendable {
  /// Rows of each side that the checksum covers.
  public static let depth = 10
  /// Two sides of ten rows, two numbers each, none longer than 19 digits.
  private static let room = 2 * depth * 2 * 19

  private let tables = CRC32.tables
  private var text = ContiguousArray<UInt8>(repeating: 0, count: room)

  /// Allocates the buffer.
  public init() {}

  /// The CRC-32 of the ten best asks and bids, best first; further rows are ignored.
  public mutating func value(bids: [BookRow], asks: [BookRow]) -> UInt32 {
    // Written from the end, because a number's last digit comes first.
    var start = text.count
    BookChecksum.write(bids, into: &text, &start)
    BookChecksum.write(asks, into: &text, &start)
    let digits = text.span  // rule-exception: a ContiguousArray
    let tables = tables.span  // rule-exception: a ContiguousArray
    return CRC32.value(of: digits.extracting(start...), tables: tables)
  }

  private static func write(
    _ rows: [BookRow], into text: inout ContiguousArray<UInt8>, _ start: inout Int
  ) {
    var bytes = text.mutableSpan  // rule-exception: a ContiguousArray
    var index = min(rows.count, depth)
    while index > 0 {
      index &-= 1
      write(rows[index].size.units, &bytes, &start)
      write(rows[index].price.units, &bytes, &start)
    }
  }

  @inline(__always)
  private static func write(_ units: Int64, _ bytes: inout MutableSpan<UInt8>, _ start: inout Int) {
    var rest = units.magnitude
    while rest > 0, start > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      start &-= 1
      bytes[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
  }
}
