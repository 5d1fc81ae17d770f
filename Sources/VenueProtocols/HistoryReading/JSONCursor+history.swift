// Numbers as venues' histories write them: some as numbers, some as strings of digits.

import MarketModel
import WireJSON

extension JSONCursor {
  /// The next number, written as one or as a string.
  mutating func looseDecimal(_ bytes: Span<UInt8>) throws(JSONError) -> FixedDecimal {
    guard try peek(bytes) == UInt8(ascii: "\"") else { return try decimal(bytes) }
    let range = try string(bytes)
    var end = range.lowerBound
    guard let value = DecimalParser.parse(bytes, from: &end), end == range.upperBound else {
      throw JSONError(.numberOutOfRange, at: range.lowerBound)
    }
    return value
  }

  /// The next integer from 0 to `maximum`.
  mutating func count(
    _ bytes: Span<UInt8>, upTo maximum: Int64
  ) throws(JSONError) -> Int64 {
    let start = offset
    let value = try integer(bytes)
    guard value >= 0, value <= maximum else { throw JSONError(.numberOutOfRange, at: start) }
    return value
  }

  /// Another element, which must be there.
  mutating func requireElement(
    _ bytes: Span<UInt8>, first: inout Bool
  ) throws(JSONError) {
    guard try nextElement(bytes, first: &first) else { throw JSONError(.missingKey, at: offset) }
  }

  /// Skips what is left of an array.
  mutating func skipElements(_ bytes: Span<UInt8>, first: inout Bool) throws(JSONError) {
    while try nextElement(bytes, first: &first) { try skipValue(bytes) }
  }
}

extension HistoryFailure {
  /// What a status that is not 200 means.
  static func status(_ status: Int) -> HistoryFailure {
    status == 429 ? .rateLimited : .unavailable("HTTP \(status)")
  }

  /// An answer that is not what it must be.
  static func unreadable(_ error: JSONError) -> HistoryFailure { .badAnswer(error.description) }
}
