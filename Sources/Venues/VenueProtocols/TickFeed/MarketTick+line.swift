// One line of the exchange's tick feed, a snapshot of the market:
//
//     1473345123, 45.05, 45.01, 17, 45.10, 36

public import MarketModel

extension MarketTick {
  /// Reads one line without its newline; blanks around fields are allowed.
  public init(decoding line: Span<UInt8>) throws(TickFeedError) {
    let fields = MarketTick.fields(line)
    guard fields.count == 6 else { throw .fieldCount(found: fields.count) }
    guard let time = MarketTick.unsigned(line, fields[0]) else {
      throw .badField("timestamp", found: MarketTick.text(line, fields[0]))
    }
    self.init(
      time: time,
      last: try MarketTick.price(line, fields[1], "last price"),
      bid: try MarketTick.price(line, fields[2], "best buy price"),
      bidQuantity: try MarketTick.quantity(line, fields[3], "best buy quantity"),
      ask: try MarketTick.price(line, fields[4], "best sell price"),
      askQuantity: try MarketTick.quantity(line, fields[5], "best sell quantity"))
    guard bid < ask else { throw .crossed(bid: bid, ask: ask) }
  }

  /// The ranges between commas, without surrounding blanks.
  private static func fields(_ line: Span<UInt8>) -> [Range<Int>] {
    var fields: [Range<Int>] = []
    var start = 0
    for index in 0...line.count {
      guard index == line.count || line[index] == UInt8(ascii: ",") else { continue }
      fields.append(trimmed(line, start..<index))
      start = index + 1
    }
    return fields
  }

  private static func trimmed(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high, isBlank(line[low]) { low += 1 }
    while low < high, isBlank(line[high - 1]) { high -= 1 }
    return low..<high
  }

  /// Space, tab, carriage return.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

  private static func unsigned(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
    guard !range.isEmpty else { return nil }
    var value: UInt64 = 0
    for index in range {
      let digit = line[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      let (product, first) = value.multipliedReportingOverflow(by: 10)
      let (sum, second) = product.addingReportingOverflow(UInt64(digit))
      if first || second { return nil }
      value = sum
    }
    return value
  }

  private static func price(
    _ line: Span<UInt8>, _ range: Range<Int>, _ name: String
  ) throws(TickFeedError) -> FixedDecimal {
    var offset = range.lowerBound
    guard let value = DecimalParser.parse(line, from: &offset), offset == range.upperBound,
      value.units > 0
    else { throw .badField(name, found: text(line, range)) }
    return value
  }

  private static func quantity(
    _ line: Span<UInt8>, _ range: Range<Int>, _ name: String
  ) throws(TickFeedError) -> Quantity {
    guard let value = unsigned(line, range), value <= UInt64(UInt32.max) else {
      throw .badField(name, found: text(line, range))
    }
    return Quantity(units: Int64(value))
  }

  /// At most 32 bytes of a field for the log; bytes other than printable ASCII become "?".
  private static func text(_ line: Span<UInt8>, _ range: Range<Int>) -> String {
    var shown: [UInt8] = []
    for index in range.prefix(32) {
      shown.append((0x20..<0x7f).contains(line[index]) ? line[index] : UInt8(ascii: "?"))
    }
    return String(decoding: shown, as: UTF8.self)
  }
}

/// Cuts a stream of bytes into lines of bounded length.
///
/// TCP keeps no message boundaries: a read holds part of a line, or several. The venue's only
/// published client lost lines and crashed here.
struct TickFeedFramer: Sendable, Equatable {
  /// More than twice the longest line that six numbers need.
  static let maximumLineBytes = 256

  enum Event: Equatable {
    /// A line without its newline.
    case line([UInt8])
    /// The line became too long; the rest of it is dropped up to the newline.
    case tooLong
  }

  private var partial: [UInt8] = []
  private var isDropping = false

  /// Discards a partial line.
  mutating func reset() {
    partial.removeAll(keepingCapacity: true)
    isDropping = false
  }

  /// Reads bytes from `offset` up to the first event, and moves `offset` behind them.
  mutating func next(_ bytes: Span<UInt8>, from offset: inout Int) -> Event? {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\n") {
        if isDropping {
          isDropping = false
          continue
        }
        let line = partial
        partial.removeAll(keepingCapacity: true)
        return .line(line)
      }
      if isDropping { continue }
      partial.append(byte)
      if partial.count > TickFeedFramer.maximumLineBytes {
        partial.removeAll(keepingCapacity: true)
        isDropping = true
        return .tooLong
      }
    }
    return nil
  }
}
