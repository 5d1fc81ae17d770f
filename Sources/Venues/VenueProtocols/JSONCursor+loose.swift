// Values as venues write them: numbers as numbers or as strings of digits, and in what is rare and
// only told, whatever comes.

import MarketModel
import WireJSON

extension JSONCursor {
  /// The next number, exactly, written as one or as a string.
  mutating func looseDecimal(_ bytes: Span<UInt8>) throws(JSONError) -> FixedDecimal {
    guard try peek(bytes) == UInt8(ascii: "\"") else { return try decimal(bytes) }
    let range = try string(bytes)
    var end = range.lowerBound
    guard let value = DecimalParser.parse(bytes, from: &end), end == range.upperBound else {
      throw JSONError(.numberOutOfRange, at: range.lowerBound)
    }
    return value
  }

  /// The first 512 bytes of a string; empty for anything else.
  mutating func cutText(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    guard try peek(bytes) == UInt8(ascii: "\"") else {
      try skipValue(bytes)
      return ""
    }
    return JSONText.decode(bytes, try string(bytes).prefix(512))
  }

  /// A whole number; nil for anything else.
  mutating func wholeNumber(_ bytes: Span<UInt8>) throws(JSONError) -> Int64? {
    var trial = self
    let value = try? trial.integer(bytes)
    try skipValue(bytes)
    return value
  }
}
