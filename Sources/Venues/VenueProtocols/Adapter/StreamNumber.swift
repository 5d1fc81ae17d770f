import MarketModel
import WireJSON

/// The number or time of a message in its stream, where none has a lower one than the last.
public struct StreamNumber: Equatable, Sendable {
  /// The stream's name in messages.
  public let stream: String
  /// The number; of a time its nanoseconds since 1970, or as the venue writes it.
  public let number: Int64

  /// Creates a number.
  public init(_ stream: String, _ number: Int64) { (self.stream, self.number) = (stream, number) }
}

/// Where a venue's messages have their ``StreamNumber``.
struct StreamNumberPlace: Sendable {
  /// The member that names the stream, in whole or for each symbol.
  let stream: StaticString
  /// The member with the numbered object, or a list of them; nil where the message has the number.
  var rows: StaticString?
  /// The member of a row that names the symbol; nil where the stream is of one symbol.
  var symbol: StaticString?
  /// The members with a number, the most exact first.
  let numbers: [StaticString]

  /// The number of a message; nil where it has none, O(bytes).
  func number(in message: Span<UInt8>) -> StreamNumber? { try? read(message) }

  private struct Row {
    var symbol = ""
    /// By the place of their members in ``StreamNumberPlace/numbers``.
    var numbers: [Int: Int64] = [:]
  }

  private func read(_ bytes: Span<UInt8>) throws(JSONError) -> StreamNumber? {
    var cursor = JSONCursor()
    var (name, row): (String?, Row) = (nil, Row())
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, stream) {
        let start = cursor.offset
        try cursor.skipValue(bytes)
        name = JSONText.decode(bytes, start..<cursor.offset)
      } else if let rows {
        if JSONText.equals(bytes, key, rows) {
          try read(bytes, &cursor, into: &row)
        } else {
          try cursor.skipValue(bytes)
        }
      } else {
        try member(key, bytes, &cursor, of: &row)
      }
    }
    guard let name, let best = row.numbers.min(by: { $0.key < $1.key }) else { return nil }
    return StreamNumber(name + row.symbol, best.value)
  }

  /// A row or a list of rows; any other value is skipped.
  private func read(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, into row: inout Row
  ) throws(JSONError) {
    var first = true
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "{"):
      try cursor.beginObject(bytes)
      while let key = try cursor.nextKey(bytes, first: &first) {
        try member(key, bytes, &cursor, of: &row)
      }
    case UInt8(ascii: "["):
      try cursor.beginArray(bytes)
      while try cursor.nextElement(bytes, first: &first) { try read(bytes, &cursor, into: &row) }
    default: try cursor.skipValue(bytes)
    }
  }

  private func member(
    _ key: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, of row: inout Row
  ) throws(JSONError) {
    if let symbol, JSONText.equals(bytes, key, symbol) {
      row.symbol = try cursor.cutText(bytes)
    } else if let place = numbers.firstIndex(where: { JSONText.equals(bytes, key, $0) }) {
      guard let number = try value(bytes, &cursor) else { return }
      row.numbers[place] = max(row.numbers[place] ?? .min, number)
    } else {
      try cursor.skipValue(bytes)
    }
  }

  /// A whole number, also as a text, or a time; nil for any other value.
  private func value(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int64? {
    guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
      return try cursor.wholeNumber(bytes)
    }
    let text = try cursor.cutText(bytes)
    return Int64(text) ?? Timestamp(iso8601: text)?.nanoseconds
  }
}
