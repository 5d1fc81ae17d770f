// The ISIN stream prints binary floats in full, up to 20 digits after the point: the one venue
// whose numbers may be rounded to what an amount can carry.

import MarketModel
import WireJSON

extension JSONCursor {
  /// The next number, rounded half to even where it has more than 18 digits after the point.
  mutating func roundedDecimal(_ bytes: Span<UInt8>) throws(JSONError) -> FixedDecimal {
    let first = try peek(bytes)
    guard first == UInt8(ascii: "-") || (first &- UInt8(ascii: "0")) <= 9 else {
      throw JSONError(.wrongType, at: offset)
    }
    let start = offset
    guard let value = DecimalParser.parseRounding(bytes, from: &offset) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return value
  }
}
