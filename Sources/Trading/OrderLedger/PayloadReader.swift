import WireJSON

/// A cursor over the JSON of an event or the genesis; reads members in the order written.
struct PayloadReader {
  /// More than twice the length of the longest event.
  static let maximumBytes = 2048

  private let bytes: ContiguousArray<UInt8>
  private var cursor = JSONCursor()
  private var first = true

  /// Longer text is cut at ``maximumBytes`` and therefore fails to parse.
  init(_ text: String) { bytes = ContiguousArray(text.utf8.prefix(PayloadReader.maximumBytes)) }

  var unreadable: JSONError { JSONError(.wrongType, at: cursor.offset) }

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

  mutating func finish() throws(JSONError) {
    try scan { cursor, _, bytes throws(JSONError) in try cursor.finish(bytes) }
  }

  mutating func key(_ name: StaticString) throws(JSONError) {
    try scan { cursor, first, bytes throws(JSONError) in
      guard let range = try cursor.nextKey(bytes, first: &first),
        JSONText.equals(bytes, range, name)
      else { throw JSONError(.missingKey, at: cursor.offset) }
    }
  }

  func isNext(_ name: StaticString) -> Bool {
    var ahead = self
    do throws(JSONError) { try ahead.key(name) } catch { return false }
    return true
  }

  mutating func integer(_ name: StaticString) throws(JSONError) -> Int64 {
    try key(name)
    return try integer()
  }

  mutating func unsigned(_ name: StaticString) throws(JSONError) -> UInt64 {
    try key(name)
    return try scan { cursor, _, bytes throws(JSONError) in try cursor.unsignedInteger(bytes) }
  }

  /// Text of at most ``maximumBytes``.
  mutating func string(_ name: StaticString) throws(JSONError) -> String {
    try key(name)
    return try scan { cursor, _, bytes throws(JSONError) in
      try cursor.text(bytes, maximumBytes: PayloadReader.maximumBytes)
    }
  }

  /// Up to eight integers.
  mutating func integers(_ name: StaticString) throws(JSONError) -> [Int64] {
    try key(name)
    return try integers()
  }

  mutating func optional<Value>(
    _ name: StaticString, _ value: (inout PayloadReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    try key(name)
    let isNull = try scan { cursor, _, bytes throws(JSONError) in
      try cursor.takeNullIfPresent(bytes)
    }
    return isNull ? nil : try value(&self)
  }

  mutating func integer() throws(JSONError) -> Int64 {
    try scan { cursor, _, bytes throws(JSONError) in try cursor.integer(bytes) }
  }

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
    // Copies the reference so the cursor can change while the bytes are read.
    let bytes = bytes
    return try read(&cursor, &first, bytes.span)  // rule-exception: a ContiguousArray
  }
}
