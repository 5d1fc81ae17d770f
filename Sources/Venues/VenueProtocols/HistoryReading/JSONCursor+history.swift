// Rows as venues' histories write them: arrays of numbers, each at its place.

import MarketModel
import WireJSON

extension JSONCursor {
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

  /// Another element, which must be a number, written as one or as a string.
  mutating func requireDecimal(
    _ bytes: Span<UInt8>, first: inout Bool
  ) throws(JSONError) -> FixedDecimal {
    try requireElement(bytes, first: &first)
    return try looseDecimal(bytes)
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
