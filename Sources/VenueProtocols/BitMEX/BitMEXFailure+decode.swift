// Reading the venue's error objects and the request that they echo. All of it is rare, so it is
// written for tolerance: an odd part is skipped, the text is kept.

import MarketModel
import WireJSON

extension BitMEXFailure {
  /// Topics kept from an echoed request.
  static let maximumTopics = 64
  /// Bytes kept from a text.
  static let maximumTextBytes = 512

  /// `"text"`, or `{"message":"text","name":"HTTPError"}`.
  static func text(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> String {
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "\""): return try cutText(bytes, &cursor)
    case UInt8(ascii: "{"):
      var message = ""
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, "message"),
          try cursor.peek(bytes) == UInt8(ascii: "\"")
        {
          message = try cutText(bytes, &cursor)
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

  /// A small whole number; nil for anything else.
  static func number(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int? {
    let byte = try cursor.peek(bytes)
    guard byte &- UInt8(ascii: "0") <= 9 else {
      try cursor.skipValue(bytes)
      return nil
    }
    var trial = cursor
    let value = try? trial.integer(bytes)
    try cursor.skipValue(bytes)
    guard let value, value <= 1_000_000 else { return nil }
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
        operation = try Self.cutText(bytes, &cursor)
      } else if JSONText.equals(bytes, key, "args"), next == UInt8(ascii: "\"") {
        topics = [try Self.cutText(bytes, &cursor)]
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
        topics.append(try Self.cutText(bytes, &cursor))
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }

  private static func cutText(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> String {
    let range = try cursor.string(bytes)
    let end = min(range.upperBound, range.lowerBound + maximumTextBytes)
    return JSONText.decode(bytes, range.lowerBound..<end)
  }
}
