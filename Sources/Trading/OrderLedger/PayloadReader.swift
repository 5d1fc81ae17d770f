// Reads the members of a stored text in the order in which they are written.

import WireJSON

/// A cursor over the JSON of one event, or of the genesis.
struct PayloadReader {
  /// More than twice the longest event.
  static let maximumBytes = 2048

  private let bytes: ContiguousArray<UInt8>
  private var cursor = JSONCursor()
  private var first = true

  /// Starts at the beginning; what is longer than ``maximumBytes`` is cut, and so not read.
  init(_ text: String) { bytes = ContiguousArray(text.utf8.prefix(PayloadReader.maximumBytes)) }

  /// The error for a member that has no meaning here.
  var unreadable: JSONError { JSONError(.wrongType, at: cursor.offset) }

  /// Reads an object with these members and no others.
  mutating func object<Value>(
    _ members: (inout PayloadReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    let outer = first
    try scan { cursor, _, bytes throws(JSONError) in try cursor.beginObject(bytes) }
    first = true
    let value = try members(&self)
    try scan { cursor, first, bytes throws(JSONError) in
      guard try cursor.nextKey(bytes, first: &first) == nil else {
        throw JSONError(.unexpectedCharacter, at: cursor.offset)
      }
    }
    first = outer
    return value
  }

  /// Throws unless all was read.
  mutating func finish() throws(JSONError) {
    try scan { cursor, _, bytes throws(JSONError) in try cursor.finish(bytes) }
  }

  /// Moves to the value of the next member, which must have this name.
  mutating func key(_ name: StaticString) throws(JSONError) {
    try scan { cursor, first, bytes throws(JSONError) in
      guard let range = try cursor.nextKey(bytes, first: &first),
        JSONText.equals(bytes, range, name)
      else { throw JSONError(.missingKey, at: cursor.offset) }
    }
  }

  /// Whether the next member has this name; the cursor stays where it is.
  func isNext(_ name: StaticString) -> Bool {
    var ahead = self
    do throws(JSONError) { try ahead.key(name) } catch { return false }
    return true
  }

  /// A whole number.
  mutating func integer(_ name: StaticString) throws(JSONError) -> Int64 {
    try key(name)
    return try integer()
  }

  /// A whole number from 0 on.
  mutating func unsigned(_ name: StaticString) throws(JSONError) -> UInt64 {
    try key(name)
    return try scan { cursor, _, bytes throws(JSONError) in try cursor.unsignedInteger(bytes) }
  }

  /// A text of at most ``maximumBytes``.
  mutating func string(_ name: StaticString) throws(JSONError) -> String {
    try key(name)
    return try scan { cursor, _, bytes throws(JSONError) in
      try cursor.text(bytes, maximumBytes: PayloadReader.maximumBytes)
    }
  }

  /// Up to eight whole numbers in brackets.
  mutating func integers(_ name: StaticString) throws(JSONError) -> [Int64] {
    try key(name)
    return try integers()
  }

  /// The value of a member, or nil for `null`.
  mutating func optional<Value>(
    _ name: StaticString, _ value: (inout PayloadReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    try key(name)
    let isNull = try scan { cursor, _, bytes throws(JSONError) in
      try cursor.takeNullIfPresent(bytes)
    }
    return isNull ? nil : try value(&self)
  }

  /// A whole number where the cursor stands.
  mutating func integer() throws(JSONError) -> Int64 {
    try scan { cursor, _, bytes throws(JSONError) in try cursor.integer(bytes) }
  }

  /// Up to eight whole numbers in brackets where the cursor stands.
  mutating func integers() throws(JSONError) -> [Int64] {
    try scan { cursor, _, bytes throws(JSONError) in
      try cursor.list(bytes, atMost: 8) { (cursor) throws(JSONError) in
        try cursor.integer(bytes)
      }
    }
  }

  private mutating func scan<Value>(
    _ read: (inout JSONCursor, inout Bool, Span<UInt8>) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    // A copy of the reference, so that the cursor can change while the bytes are read.
    let bytes = bytes
    return try read(&cursor, &first, bytes.span)  // rule-exception: a ContiguousArray
  }
}
