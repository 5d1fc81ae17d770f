import WireJSON

/// Reads the commands of clients, which are JSON objects.
enum CommandReader {
  typealias Member = (Span<UInt8>, inout JSONCursor, String) throws(JSONError) -> Bool

  /// Maximum bytes of a text in a command.
  static let maximumTextBytes = 64

  /// Reads a whole message; `member` reads the value of a name, or returns false to skip it.
  static func read(_ bytes: [UInt8], _ member: Member) throws(JSONError) {
    let slice = bytes[...]
    let span = slice.span
    var cursor = JSONCursor()
    try object(span, &cursor, member)
    try cursor.finish(span)
  }

  /// Reads an object within a message.
  static func object(
    _ span: Span<UInt8>, _ cursor: inout JSONCursor, _ member: Member
  ) throws(JSONError) {
    try cursor.beginObject(span)
    var first = true
    while let key = try cursor.nextKey(span, first: &first) {
      let name = JSONText.decode(span, key)
      if try !member(span, &cursor, name) { try cursor.skipValue(span) }
    }
  }

  static func text(
    _ span: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> String {
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
