import WireJSON

/// A client's command, `{"op":…,"args":…}`, and its text, which responses echo unchanged.
struct BitMEXRequest: Sendable {
  static let maximumArguments = 200
  /// The longest argument, in bytes.
  static let maximumArgumentBytes = 64

  /// "subscribe", "unsubscribe".
  let operation: String
  /// The arguments that are strings, in order; `args` may also be one bare string.
  let arguments: [String]
  let json: [UInt8]

  /// Parses a message; throws without a JSON object with an `op`, and on too many or long
  /// arguments.
  init(_ bytes: [UInt8]) throws(JSONError) {
    var (operation, arguments): (String?, [String]) = (nil, [])
    try CommandReader.read(bytes) { (span, cursor, name) throws(JSONError) in
      switch name {
      case "op":
        operation = try cursor.text(span, maximumBytes: BitMEXRequest.maximumArgumentBytes)
      case "args": arguments = try BitMEXRequest.arguments(span, &cursor)
      default: return false
      }
      return true
    }
    guard let operation else { throw JSONError(.missingKey, at: 0) }
    self.operation = operation
    self.arguments = arguments
    json = bytes
  }

  /// The command of `?subscribe=a,b` in the upgrade's URL.
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

struct BitMEXTopic: Sendable, Hashable {
  enum Scope: Sendable, Hashable {
    /// Of every instrument: no filter, or `*`.
    case all
    /// Of the instrument at this index of the venue's list.
    case one(Int)
    /// Of an instrument that does not exist: always empty.
    case none
  }

  let table: SimulatedBitMEXTable
  let scope: Scope

  /// The name before the first colon, and the filter after it, if any.
  static func split(_ text: String) -> (table: String, filter: String?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : nil)
  }
}
