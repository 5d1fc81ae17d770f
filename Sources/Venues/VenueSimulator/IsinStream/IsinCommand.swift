import MarketModel
import WireJSON

/// The name of an instrument as a client wrote it; the published server validates nothing.
struct IsinName: Sendable, Equatable {
  /// The longest name that is kept, in bytes; longer ones are ignored.
  static let maximumBytes = 128

  /// The value as JSON, as in the first quote after a subscription.
  let json: [UInt8]
  /// The value as text, as in later quotes and for unsubscribing.
  let key: String
}

/// One key of a client's message, parsed as tolerantly as by the published server.
enum IsinCommand: Sendable, Equatable {
  /// Start quotes for these.
  case subscribe([IsinName])
  /// Stop quotes for these.
  case unsubscribe([IsinName])

  static let maximumNames = 200

  /// Parses a message; throws when it is not JSON, and returns nothing for JSON of another kind.
  static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> [IsinCommand] {
    var cursor = JSONCursor()
    var commands: [IsinCommand] = []
    if try cursor.peek(bytes) == UInt8(ascii: "{") {
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, "subscribe") {
          commands.append(.subscribe(try names(bytes, &cursor)))
        } else if JSONText.equals(bytes, key, "unsubscribe") {
          commands.append(.unsubscribe(try names(bytes, &cursor)))
        } else {
          try cursor.skipValue(bytes)
        }
      }
    } else {
      try cursor.skipValue(bytes)
    }
    try cursor.finish(bytes)
    return commands
  }

  private static func names(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [IsinName] {
    guard try cursor.peek(bytes) == UInt8(ascii: "[") else {
      return [try name(bytes, &cursor)].compactMap(\.self)
    }
    var names: [IsinName] = []
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      guard let name = try name(bytes, &cursor), names.count < maximumNames else { continue }
      names.append(name)
    }
    return names
  }

  /// Any value: the published server also accepts numbers and objects, as JavaScript's text.
  private static func name(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> IsinName? {
    let kind = try cursor.peek(bytes)
    let start = cursor.offset
    try cursor.skipValue(bytes)
    let range = start..<cursor.offset
    guard range.count <= IsinName.maximumBytes else { return nil }
    let json = range.map { bytes[$0] }
    switch kind {
    case UInt8(ascii: "\""):
      let text = JSONText.decode(bytes, (start + 1)..<(cursor.offset - 1))
      return IsinName(json: json, key: text)
    case UInt8(ascii: "{"): return IsinName(json: json, key: "[object Object]")
    case UInt8(ascii: "["): return nil
    default: return IsinName(json: json, key: String(decoding: json, as: UTF8.self))
    }
  }
}
