/// The position within an object's keys.
@frozen
public struct KeyPlace: Sendable {
  /// The latest key's index in a ``KeyOrder``; -1 before the first.
  @usableFromInline let latest: Int
  /// The expected key's index, or its complement for a key that the decoder skips.
  @usableFromInline let expected: Int

  /// Starts at an object's `{`.
  @inlinable @inline(__always)
  public init(_ order: borrowing KeyOrder) { self.init(latest: -1, expected: order.first) }

  @inlinable @inline(__always)
  init(latest: Int, expected: Int) {
    self.latest = latest
    self.expected = expected
  }
}

/// The keys of one kind of object and their usual order.
///
/// Each is stored with its lead, quotes and colon, so one comparison of up to 24 bytes finds the
/// key, its end and its grammar. Allocates only for new keys.
public struct KeyOrder: Sendable {
  @usableFromInline
  struct Key: Sendable {
    /// `{"key":` or `,"key":`.
    @usableFromInline let pattern: TextPattern
    @usableFromInline let code: UInt64
    let isRead: Bool
    /// The key that followed it, as in ``KeyPlace/expected``.
    @usableFromInline var follower: Int
    var skippedLength = 0

    var isFirst: Bool { pattern.low & 0xff == 0x7b }
  }

  /// Keys are never dropped; a text with more of them is read without this help.
  static let maximumCount = 48
  @usableFromInline static var unknown: Int { .max }

  @usableFromInline var keys: [Key] = []
  /// The object's first key, as in ``KeyPlace/expected``.
  @usableFromInline var first = Int.max

  /// The keys that the decoder reads; nil for all.
  private let reading: [StaticString]?

  /// Starts without keys; `reading` are the keys to return, nil for all, others are skipped.
  public init(reading: [StaticString]? = nil) { self.reading = reading }

  /// Skips unread members while they are the expected ones.
  ///
  /// Most such strings are as long as the previous one, which takes one comparison.
  @usableFromInline @inline(never)
  mutating func skipMembers(
    _ bytes: Span<UInt8>, _ offset: Int, _ place: KeyPlace
  ) throws(JSONError) -> Skipped {
    var (offset, place) = (offset, place)
    while place.expected < 0 {
      let index = ~place.expected
      guard index < keys.count, keys[index].pattern.matches(bytes, offset) else { break }
      let value = offset &+ keys[index].pattern.length
      let length = keys[index].skippedLength
      if JSONCursor.isPlainString(bytes, value, length: length) {
        offset = value &+ length &+ 2
      } else {
        offset = try JSONCursor.endOfValue(bytes, value)
        keys[index].skippedLength = offset &- value &- 2
      }
      place = KeyPlace(latest: index, expected: keys[index].follower)
    }
    return Skipped(end: offset, place: place)
  }

  @usableFromInline
  struct Skipped {
    @usableFromInline let end: Int
    @usableFromInline let place: KeyPlace
  }

  @usableFromInline
  struct Found {
    /// The offset behind the colon or the `}`.
    @usableFromInline var end: Int
    @usableFromInline var isKey = false
    @usableFromInline var code: UInt64 = 0
    @usableFromInline var range = 0..<0
    @usableFromInline var place: KeyPlace
  }

  /// A stored key, or a new one by the grammar.
  @usableFromInline @inline(never)
  mutating func find(
    _ bytes: Span<UInt8>, _ offset: Int, _ place: KeyPlace
  ) throws(JSONError) -> Found {
    var found = Found(end: offset, place: place)
    while true {
      try findAny(bytes, &found)
      if !found.isKey || isRead(bytes, found.range) { return found }
      found.end = try JSONCursor.endOfValue(bytes, found.end)
    }
  }

  private mutating func findAny(_ bytes: Span<UInt8>, _ found: inout Found) throws(JSONError) {
    let (offset, latest) = (found.end, found.place.latest)
    found.isKey = true
    for index in keys.indices where keys[index].isFirst == (latest < 0) {
      guard keys[index].pattern.matches(bytes, offset) else { continue }
      expect(index, after: latest)
      found.end = offset &+ keys[index].pattern.length
      found.code = keys[index].code
      found.range = (offset &+ 2)..<(found.end &- 2)
      found.place = KeyPlace(latest: index, expected: keys[index].follower)
      return
    }
    var cursor = JSONCursor(offset: offset)
    var isFirst = latest < 0
    if isFirst { try cursor.beginObject(bytes) }
    let key = try cursor.nextKey(bytes, first: &isFirst)
    found.end = cursor.offset
    guard let key else {
      found.isKey = false
      return
    }
    let isCompact = key.lowerBound == offset + 2 && cursor.offset == key.upperBound + 2
    let index = isCompact ? learn(bytes, key) : nil
    if let index { expect(index, after: latest) }
    found.code = JSONCursor.keyCode(bytes, key)
    found.range = key
    // After a key that is not stored, the next one must be searched.
    found.place = KeyPlace(latest: index ?? keys.count, expected: Self.unknown)
  }

  private mutating func learn(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    let all = (range.lowerBound - 2)..<(range.upperBound + 2)
    guard keys.count < Self.maximumCount, let pattern = TextPattern(bytes, all) else { return nil }
    let code = JSONCursor.keyCode(bytes, range)
    keys.append(
      Key(pattern: pattern, code: code, isRead: isRead(bytes, range), follower: Self.unknown))
    return keys.count - 1
  }

  private func isRead(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Bool {
    guard let reading else { return true }
    for name in reading where JSONText.equals(bytes, key, name) { return true }
    return false
  }

  /// Expects `key` after `latest`, or first, from now on.
  private mutating func expect(_ key: Int, after latest: Int) {
    let expected = keys[key].isRead ? key : ~key
    if latest < 0 {
      first = expected
    } else if latest < keys.count {
      keys[latest].follower = expected
    }
  }
}

/// The latest string of a kind and its meaning, since names of channels usually repeat.
public struct LatestString<Value: Sendable>: Sendable {
  @usableFromInline var pattern: TextPattern?
  /// The string's meaning.
  public private(set) var value: Value

  /// Creates an entry without a string; `value` is its placeholder.
  public init(_ value: Value) { self.value = value }

  /// Stores the string at `range` and its meaning.
  public mutating func set(_ bytes: Span<UInt8>, _ range: Range<Int>, _ value: Value) {
    pattern = TextPattern(bytes, (range.lowerBound &- 1)..<(range.upperBound &+ 1))
    self.value = value
  }
}

extension JSONCursor {
  /// Consumes the next string if it equals the latest, and returns its meaning; otherwise nil.
  @inlinable @inline(__always)
  public mutating func take<Value>(
    _ latest: borrowing LatestString<Value>, _ bytes: Span<UInt8>
  ) -> Value? {
    guard let pattern = latest.pattern, pattern.matches(bytes, offset) else { return nil }
    offset &+= pattern.length
    return latest.value
  }
}
