// Rows of venues' histories: arrays of numbers in a fixed order.

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

  /// Moves to the next element, which is required.
  mutating func requireElement(
    _ bytes: Span<UInt8>, first: inout Bool
  ) throws(JSONError) {
    guard try nextElement(bytes, first: &first) else { throw JSONError(.missingKey, at: offset) }
  }

  /// The next element, a required number that is written as a number or as a string.
  mutating func requireDecimal(
    _ bytes: Span<UInt8>, first: inout Bool
  ) throws(JSONError) -> FixedDecimal {
    try requireElement(bytes, first: &first)
    return try looseDecimal(bytes)
  }

  mutating func skipElements(_ bytes: Span<UInt8>, first: inout Bool) throws(JSONError) {
    while try nextElement(bytes, first: &first) { try skipValue(bytes) }
  }
}

extension HistoryFailure {
  static func status(_ status: Int) -> HistoryFailure {
    status == 429 ? .rateLimited : .unavailable("HTTP \(status)")
  }

  static func unreadable(_ error: JSONError) -> HistoryFailure { .badAnswer(error.description) }
}
