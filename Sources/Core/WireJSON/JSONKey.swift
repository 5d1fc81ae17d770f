extension JSONCursor {
  /// Reads the next object: `member` reads the value of a key that it knows, and skips others by
  /// reading nothing.
  ///
  ///     try cursor.object(bytes, required: ["price"]) { (key, cursor) throws(JSONError) in
  ///       switch key {
  ///       case "price": price = try cursor.decimal(bytes)
  ///       case "size": size = try cursor.decimal(bytes)
  ///       default: break
  ///       }
  ///     }
  ///
  /// A known key occurs at most once, among the first 32 of an object. All of `required` must
  /// occur, and one of `oneOf` unless it is empty; a missing key is an error at the object's start.
  public mutating func object(
    _ bytes: Span<UInt8>, required: [StaticString] = [], oneOf: [StaticString] = [],
    _ member: (_ key: JSONKey, _ cursor: inout JSONCursor) throws(JSONError) -> Void
  ) throws(JSONError) {
    let start = offset
    var known = KnownKeys()
    try beginObject(bytes)
    var first = true
    while let range = try nextKey(bytes, first: &first) {
      let key = JSONKey(bytes, range)
      guard !known.contains(key, bytes) else {
        throw JSONError(.duplicateKey, at: range.lowerBound)
      }
      let value = offset
      try member(key, &self)
      if offset == value {
        try skipValue(bytes)
      } else {
        known.insert(key)
      }
    }
    for name in required {
      guard known.contains(name, bytes) else { throw JSONError(.missingKey, at: start) }
    }
    if oneOf.isEmpty { return }
    for name in oneOf where known.contains(name, bytes) { return }
    throw JSONError(.missingKey, at: start)
  }

  /// Reads the next array: `element` reads each element.
  @inlinable
  public mutating func elements(
    _ bytes: Span<UInt8>, _ element: (inout JSONCursor) throws(JSONError) -> Void
  ) throws(JSONError) {
    try beginArray(bytes)
    var first = true
    while try nextElement(bytes, first: &first) { try element(&self) }
  }
}

/// A key of an object, to be compared with literals of at most 32 bytes: `case "price":`.
///
/// Raw bytes are compared, so an escaped key is another key.
public struct JSONKey: Sendable {
  /// The key's raw bytes in the message.
  public let range: Range<Int>
  /// Its first 32 bytes.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    self.range = range
    func word(_ index: Int) -> UInt64 {
      let length = range.count - index * 8
      guard length > 0 else { return 0 }
      let word = TextBlock.word(bytes, range.lowerBound + index * 8)
      return length >= 8 ? word : word & ((1 << UInt64(length * 8)) - 1)
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Whether the key is this ASCII text.
  public static func ~= (text: StaticString, key: JSONKey) -> Bool {
    let length = text.utf8CodeUnitCount
    guard length == key.range.count, length <= 32 else { return false }
    for index in 0..<length where key[index] != text.utf8Start[index] { return false }
    return true
  }

  private subscript(index: Int) -> UInt8 {
    let word =
      switch index >> 3 {
      case 0: words.0
      case 1: words.1
      case 2: words.2
      default: words.3
      }
    return UInt8(truncatingIfNeeded: word >> UInt64((index & 7) * 8))
  }

  /// One bit of 64, the same for equal keys.
  var bit: UInt64 {
    let hash = (words.0 ^ UInt64(range.count)) &* 0x9e37_79b9_7f4a_7c15
    return 1 &<< (hash &>> 58)
  }
}

/// The known keys of an object so far, without allocation.
private struct KnownKeys {
  private var bits: UInt64 = 0
  private var count = 0
  private var starts = SIMD32<Int32>()

  mutating func insert(_ key: JSONKey) {
    guard count < starts.scalarCount else { return }
    starts[count] = Int32(clamping: key.range.lowerBound)
    count += 1
    bits |= key.bit
  }

  func contains(_ key: JSONKey, _ bytes: Span<UInt8>) -> Bool {
    guard bits & key.bit != 0 else { return false }
    for index in 0..<count {
      let start = Int(starts[index])
      // The quote behind the stored key shows that it is no longer.
      guard TextBlock.byte(bytes, start + key.range.count) == UInt8(ascii: "\"") else { continue }
      var offset = 0
      while offset < key.range.count,
        TextBlock.byte(bytes, start + offset) == bytes[key.range.lowerBound + offset]
      {
        offset += 1
      }
      if offset == key.range.count { return true }
    }
    return false
  }

  func contains(_ name: StaticString, _ bytes: Span<UInt8>) -> Bool {
    for index in 0..<count {
      let start = Int(starts[index])
      let range = start..<start + name.utf8CodeUnitCount
      if range.upperBound < bytes.count, bytes[range.upperBound] == UInt8(ascii: "\""),
        JSONText.equals(bytes, range, name)
      {
        return true
      }
    }
    return false
  }
}
