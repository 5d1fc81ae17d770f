// What clients send over the WebSocket: `{"op":…,"args":…}`, with args a list or a bare string.

import WireJSON

/// A client's command, and its own text to be echoed unchanged in the answer.
struct BitMEXRequest: Sendable {
  /// The most arguments that a command may have.
  static let maximumArguments = 200
  /// The longest argument, in bytes.
  static let maximumArgumentBytes = 64

  /// What is to be done: "subscribe", "unsubscribe".
  let operation: String
  /// The arguments that are strings, in order; a bare string is one.
  let arguments: [String]
  /// The whole message as JSON.
  let json: [UInt8]

  /// Reads a message.
  ///
  /// Throws when it is not a JSON object with an `op`, or when an argument is too long or they are
  /// too many.
  init(_ bytes: [UInt8]) throws(JSONError) {
    var (operation, arguments): (String?, [String]) = (nil, [])
    let span = bytes.span
    var cursor = JSONCursor()
    try cursor.beginObject(span)
    var first = true
    while let key = try cursor.nextKey(span, first: &first) {
      if JSONText.equals(span, key, "op") {
        operation = try cursor.text(span, maximumBytes: BitMEXRequest.maximumArgumentBytes)
      } else if JSONText.equals(span, key, "args") {
        arguments = try BitMEXRequest.arguments(span, &cursor)
      } else {
        try cursor.skipValue(span)
      }
    }
    try cursor.finish(span)
    guard let operation else { throw JSONError(.missingKey, at: 0) }
    self.operation = operation
    self.arguments = arguments
    json = bytes
  }

  /// The command that `?subscribe=a,b` in the upgrade's URL stands for.
  init(subscribing topics: [String]) {
    operation = "subscribe"
    arguments = topics
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("op", "subscribe")
    writer.member("args", array: topics) { $0.string($1) }
    writer.endObject()
    json = writer.bytes
  }

  private static func arguments(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [String] {
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "\""):
      return [try cursor.text(bytes, maximumBytes: maximumArgumentBytes)]
    case UInt8(ascii: "["): break
    default:
      try cursor.skipValue(bytes)
      return []
    }
    var arguments: [String] = []
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
        // Arguments of unsupported commands may be numbers.
        try cursor.skipValue(bytes)
        continue
      }
      guard arguments.count < maximumArguments else {
        throw JSONError(.tooLong, at: cursor.offset)
      }
      // Arguments of unsupported commands may be longer than topics.
      let argument = try cursor.text(bytes, maximumBytes: 4 * maximumArgumentBytes)
      arguments.append(argument)
    }
    return arguments
  }
}

/// What a topic's text names.
struct BitMEXTopic: Sendable, Hashable {
  /// Which rows of the table.
  enum Scope: Sendable, Hashable {
    /// Of every instrument: no filter, or `*`.
    case all
    /// Of the instrument at this place of the venue's list.
    case one(Int)
    /// Of an instrument that does not exist: always empty.
    case none
  }

  /// The table.
  let table: SimulatedBitMEXTable
  /// The rows.
  let scope: Scope

  /// The name before the first colon, and the filter behind it if there is one.
  static func split(_ text: String) -> (table: String, filter: String?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : nil)
  }
}
