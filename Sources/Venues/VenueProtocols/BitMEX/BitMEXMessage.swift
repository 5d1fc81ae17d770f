import MarketModel
import WireJSON

/// A message after decoding; the rows of a table message stay in the decoder's buffers.
enum BitMEXMessage: Equatable {
  /// The raw text `pong`, which is not JSON.
  case pong
  /// Rows of a supported table.
  case table
  case welcome
  /// A request was accepted; its data may still be far away.
  case acknowledged
  /// A request failed, or the venue reports an error.
  ///
  /// Indirect, because it is rare and large, and messages are copied.
  indirect case failure(BitMEXFailure)
  /// Anything else: unknown tables, unknown objects.
  case ignored
}

struct BitMEXFailure: Equatable, CustomStringConvertible {
  /// Like an HTTP status; nil in the bare form.
  var status: Int?
  /// The venue's text, cut to 512 bytes.
  var text = ""
  /// From `meta.retryAfter`.
  var retryAfterSeconds: Int?
  /// "subscribe" or "unsubscribe" where the failed request is echoed.
  var operation: String?
  var topics: [String] = []

  /// For logs: "BitMEX error 429: Rate limit exceeded".
  var description: String {
    let status = status.map { " \($0)" } ?? ""
    return "BitMEX error\(status): \(text)"
  }
}

/// BitMEX's short keys and words as `JSONCursor.keyCode` returns them; a test spells each one out.
enum BitMEXKeyCode {
  static let table: UInt64 = 0x65_6c62_6174
  static let action: UInt64 = 0x6e6f_6974_6361
  static let data: UInt64 = 0x6174_6164
  static let filter: UInt64 = 0x7265_746c_6966
  static let error: UInt64 = 0x72_6f72_7265
  static let status: UInt64 = 0x7375_7461_7473
  static let meta: UInt64 = 0x6174_656d
  static let request: UInt64 = 0x74_7365_7571_6572
  static let success: UInt64 = 0x73_7365_6363_7573
  static let info: UInt64 = 0x6f66_6e69
  static let symbol: UInt64 = 0x6c6f_626d_7973
  static let identifier: UInt64 = 0x6469
  static let side: UInt64 = 0x6564_6973
  static let size: UInt64 = 0x657a_6973
  static let price: UInt64 = 0x65_6369_7270
  static let bidSize: UInt64 = 0x65_7a69_5364_6962
  static let askSize: UInt64 = 0x65_7a69_536b_7361
  static let bidPrice: UInt64 = 0x6563_6972_5064_6962
  static let askPrice: UInt64 = 0x6563_6972_506b_7361
  static let tickSize: UInt64 = 0x657a_6953_6b63_6974
  static let partial: UInt64 = 0x6c_6169_7472_6170
  static let insert: UInt64 = 0x7472_6573_6e69
  static let update: UInt64 = 0x6574_6164_7075
  static let delete: UInt64 = 0x6574_656c_6564
  static let buy: UInt64 = 0x79_7542
  static let sell: UInt64 = 0x6c6c_6553
}

// Reads the venue's errors and echoed requests with tolerance: odd parts are skipped, texts kept.

extension BitMEXFailure {
  static let maximumTopics = 64

  /// `"text"`, or `{"message":"text","name":"HTTPError"}`.
  static func text(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> String {
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "\""): return try cursor.cutText(bytes)
    case UInt8(ascii: "{"):
      var message = ""
      try cursor.object(bytes) { (key, cursor) throws(JSONError) in
        switch key {
        case "message" where try cursor.peek(bytes) == UInt8(ascii: "\""):
          message = try cursor.cutText(bytes)
        default: break
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
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "retryAfter": seconds = try number(bytes, &cursor)
      default: break
      }
    }
    return seconds
  }

  /// `{"op":"subscribe","args":"topic"}` or with an array of topics.
  mutating func readRequest(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else { return try cursor.skipValue(bytes) }
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch (key, try cursor.peek(bytes)) {
      case ("op", UInt8(ascii: "\"")): operation = try cursor.cutText(bytes)
      case ("args", UInt8(ascii: "\"")): topics = [try cursor.cutText(bytes)]
      case ("args", UInt8(ascii: "[")): try readTopics(bytes, &cursor)
      default: break
      }
    }
  }

  private mutating func readTopics(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      if try cursor.peek(bytes) == UInt8(ascii: "\""), topics.count < Self.maximumTopics {
        topics.append(try cursor.cutText(bytes))
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }
}
