// Values that a venue may write in several forms.

import MarketModel
import WireJSON

extension JSONCursor {
  /// The next number, exactly, written as a number or as a string.
  mutating func looseDecimal(_ bytes: Span<UInt8>) throws(JSONError) -> FixedDecimal {
    guard try peek(bytes) == UInt8(ascii: "\"") else { return try decimal(bytes) }
    let range = try string(bytes)
    var end = range.lowerBound
    guard let value = DecimalParser.parse(bytes, from: &end), end == range.upperBound else {
      throw JSONError(.numberOutOfRange, at: range.lowerBound)
    }
    return value
  }

  /// The first 512 bytes of a string; empty for any other value.
  mutating func cutText(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    guard try peek(bytes) == UInt8(ascii: "\"") else {
      try skipValue(bytes)
      return ""
    }
    return JSONText.decode(bytes, try string(bytes).prefix(512))
  }

  /// Skips the next value and returns where it begins.
  mutating func placeOfValue(_ bytes: Span<UInt8>) throws(JSONError) -> Int {
    _ = try peek(bytes)
    let place = offset
    try skipValue(bytes)
    return place
  }

  /// A whole number; nil for any other value.
  mutating func wholeNumber(_ bytes: Span<UInt8>) throws(JSONError) -> Int64? {
    var trial = self
    let value = try? trial.integer(bytes)
    try skipValue(bytes)
    return value
  }
}
