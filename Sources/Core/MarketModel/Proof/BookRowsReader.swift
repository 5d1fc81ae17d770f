/// The result of reading a book's rows.
public struct BookFindings: Equatable, Sendable {
  /// FNV-1a of the whole text.
  public let hash: UInt64
  /// The venue's checksum of the ten best rows a side; nil if they don't fit its scales.
  public let checksum: UInt32?
  /// Whether the best bid is at or above the best ask.
  public let isCrossed: Bool
}

/// Reads a book from the JSON `[bids,asks,…]` without whitespace.
///
/// A row begins with price and size as decimal strings.
public struct BookRowsReader: Sendable {
  private var checksum = BookChecksum()
  private var bids: [BookRow] = []
  private var asks: [BookRow] = []

  /// Allocates the buffers.
  public init() {}

  /// Parses the whole JSON text at the venue's scales, O(text); nil for other JSON.
  public mutating func findings(in text: Span<UInt8>, price: Scale, size: Scale) -> BookFindings? {
    var reading = RowReading(price: price, size: size)
    guard reading.take("[", text), reading.side(text, &bids) else { return nil }
    let bid = reading.best
    guard reading.take(",", text), reading.side(text, &asks) else { return nil }
    let ask = reading.best
    var isCrossed = false
    if let bid, let ask { isCrossed = bid >= ask }
    var hash = FNV1a()
    for index in text.indices { hash.combine(byte: text[index]) }
    return BookFindings(
      hash: hash.value,
      checksum: reading.fits ? checksum.value(bids: bids, asks: asks) : nil,
      isCrossed: isCrossed)
  }
}

private struct RowReading {
  let price: Scale
  let size: Scale
  var fits = true
  /// The best price of the side that was read last.
  var best: FixedDecimal?
  private var offset = 0

  init(price: Scale, size: Scale) {
    self.price = price
    self.size = size
  }

  mutating func take(_ byte: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: byte) else { return false }
    offset += 1
    return true
  }

  mutating func side(_ text: Span<UInt8>, _ rows: inout [BookRow]) -> Bool {
    rows.removeAll(keepingCapacity: true)
    best = nil
    guard take("[", text) else { return false }
    if take("]", text) { return true }
    repeat {
      guard take("[", text), let price = number(text), take(",", text), let size = number(text)
      else { return false }
      best = best ?? price
      if rows.count < BookChecksum.depth { keep(price, size, &rows) }
      skipRow(text)
      guard take("]", text) else { return false }
    } while take(",", text)
    return take("]", text)
  }

  private mutating func number(_ text: Span<UInt8>) -> FixedDecimal? {
    guard take("\"", text), let value = DecimalParser.parse(text, from: &offset), take("\"", text)
    else { return nil }
    return value
  }

  private mutating func keep(_ price: FixedDecimal, _ size: FixedDecimal, _ rows: inout [BookRow]) {
    guard let price = price.exactly(at: self.price), let size = size.exactly(at: self.size) else {
      fits = false
      return
    }
    rows.append(
      BookRow(
        price: Price(units: price.units), size: Quantity(units: size.units), accumulated: .zero))
  }

  /// The rest of a row is only hashed; its texts contain no bracket.
  private mutating func skipRow(_ text: Span<UInt8>) {
    while offset < text.count, text[offset] != UInt8(ascii: "]") { offset += 1 }
  }
}
