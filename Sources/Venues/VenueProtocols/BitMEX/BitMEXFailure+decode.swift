// Reads the venue's errors and echoed requests with tolerance: odd parts are skipped, texts kept.

import MarketModel
import WireJSON

extension BitMEXFailure {
  static let maximumTopics = 64

  /// `"text"`, or `{"message":"text","name":"HTTPError"}`.
  static func text(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> String {
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "\""): return try cursor.cutText(bytes)
    case UInt8(ascii: "{"):
      var message = ""
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, "message"),
          try cursor.peek(bytes) == UInt8(ascii: "\"")
        {
          message = try cursor.cutText(bytes)
        } else {
          try cursor.skipValue(bytes)
        }
      }
      return message
    default:
      try cursor.skipValue(bytes)
      return ""
    }
  }

  /// A whole number from 0 to 1,000,000; nil for anything else.
  static func number(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int? {
    guard let value = try cursor.wholeNumber(bytes), (0...1_000_000).contains(value) else {
      return nil
    }
    return Int(value)
  }

  /// `meta.retryAfter` in seconds.
  static func retryAfter(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int? {
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else {
      try cursor.skipValue(bytes)
      return nil
    }
    var seconds: Int?
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "retryAfter") {
        seconds = try number(bytes, &cursor)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return seconds
  }

  /// `{"op":"subscribe","args":"topic"}` or with an array of topics.
  mutating func readRequest(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else { return try cursor.skipValue(bytes) }
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      let next = try cursor.peek(bytes)
      if JSONText.equals(bytes, key, "op"), next == UInt8(ascii: "\"") {
        operation = try cursor.cutText(bytes)
      } else if JSONText.equals(bytes, key, "args"), next == UInt8(ascii: "\"") {
        topics = [try cursor.cutText(bytes)]
      } else if JSONText.equals(bytes, key, "args"), next == UInt8(ascii: "[") {
        try readTopics(bytes, &cursor)
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }

  private mutating func readTopics(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      if try cursor.peek(bytes) == UInt8(ascii: "\""), topics.count < Self.maximumTopics {
        topics.append(try cursor.cutText(bytes))
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }
}
