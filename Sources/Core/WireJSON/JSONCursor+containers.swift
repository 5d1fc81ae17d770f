extension JSONCursor {
  /// Consumes `{`.
  @inlinable
  public mutating func beginObject(_ bytes: Span<UInt8>) throws(JSONError) {
    guard try peek(bytes) == UInt8(ascii: "{") else { throw JSONError(.wrongType, at: offset) }
    offset &+= 1
  }

  /// Consumes `[`.
  @inlinable
  public mutating func beginArray(_ bytes: Span<UInt8>) throws(JSONError) {
    guard try peek(bytes) == UInt8(ascii: "[") else { throw JSONError(.wrongType, at: offset) }
    offset &+= 1
  }

  /// Consumes the next key and its colon and returns the raw key; nil at the object's end.
  ///
  /// `first` must be true before the first call and is set to false. Callers reject duplicate keys.
  @inlinable @inline(__always)
  public mutating func nextKey(
    _ bytes: Span<UInt8>, first: inout Bool
  ) throws(JSONError) -> Range<Int>? {
    let next = try peek(bytes)
    if next == UInt8(ascii: "}") {
      offset &+= 1
      return nil
    }
    if !first {
      guard next == UInt8(ascii: ",") else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset &+= 1
    }
    first = false
    let key = try string(bytes)
    try take(UInt8(ascii: ":"), bytes)
    return key
  }

  /// Whether another element follows; false at the array's end.
  ///
  /// `first` is as for keys.
  @inlinable @inline(__always)
  public mutating func nextElement(
    _ bytes: Span<UInt8>, first: inout Bool
  ) throws(JSONError) -> Bool {
    let next = try peek(bytes)
    if next == UInt8(ascii: "]") {
      offset &+= 1
      return false
    }
    if !first {
      guard next == UInt8(ascii: ",") else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset &+= 1
      guard try peek(bytes) != UInt8(ascii: "]") else {
        throw JSONError(.unexpectedCharacter, at: offset)
      }
    }
    first = false
    return true
  }

  /// Reads the next array with `element`; throws if it has more than `limit` elements.
  @inlinable
  public mutating func list<Element>(
    _ bytes: Span<UInt8>, atMost limit: Int,
    _ element: (inout JSONCursor) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    try beginArray(bytes)
    var first = true
    while try nextElement(bytes, first: &first) {
      guard elements.count < limit else { throw JSONError(.tooLong, at: offset) }
      elements.append(try element(&self))
    }
    return elements
  }
}
