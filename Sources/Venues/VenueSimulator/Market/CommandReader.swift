import WireJSON

/// Reads the commands of clients, which are JSON objects.
enum CommandReader {
  /// Maximum bytes of a text in a command.
  static let maximumTextBytes = 64

  /// Reads a whole message: `member` reads the value of a key that it knows.
  static func read(
    _ bytes: [UInt8],
    _ member: (Span<UInt8>, JSONKey, inout JSONCursor) throws(JSONError) -> Void
  ) throws(JSONError) {
    let slice = bytes[...]
    let span = slice.span
    var cursor = JSONCursor()
    try cursor.object(span) { (key, cursor) throws(JSONError) in try member(span, key, &cursor) }
    try cursor.finish(span)
  }

  static func text(_ span: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> String {
    try cursor.text(span, maximumBytes: maximumTextBytes)
  }

  static func texts(
    _ span: Span<UInt8>, _ cursor: inout JSONCursor, atMost limit: Int = 1024
  ) throws(JSONError) -> [String] {
    try cursor.list(span, atMost: limit) {
      (cursor) throws(JSONError) in try text(span, &cursor)
    }
  }
}

extension VenueResponse {
  /// A response with the writer's contents.
  static func json(_ writer: JSONWriter, status: Int = 200, headers: [String: String] = [:])
    -> VenueResponse
  {
    VenueResponse(status: status, body: writer.bytes, headers: headers)
  }
}

/// Writes 128 bits as "17e8f50a-1265-11e8-9f79-9d052b3e1a24".
enum GUIDText {
  private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

  static func text(_ high: UInt64, _ low: UInt64) -> String {
    var bytes: [UInt8] = []
    append(high, low, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func append(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
    for position in 0..<32 {
      if position == 8 || position == 12 || position == 16 || position == 20 {
        bytes.append(UInt8(ascii: "-"))
      }
      let word = position < 16 ? high : low
      bytes.append(digits[Int(word >> UInt64(60 - 4 * (position % 16)) & 15)])
    }
  }
}
