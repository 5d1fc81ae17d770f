// Objects whose keys come in the order of the object before, and strings that repeat: each is found
// by one comparison instead of being read.

/// How far the keys of an object have been read.
@frozen
public struct KeyPlace: Sendable {
  /// The key of a ``KeyOrder`` that was read last; -1 before the first.
  @usableFromInline let latest: Int
  /// The key that is expected, or the complement of one that the decoder does not read.
  @usableFromInline let expected: Int

  /// At the `{` of an object whose keys come in this order.
  @inlinable @inline(__always)
  public init(_ order: borrowing KeyOrder) { self.init(latest: -1, expected: order.first) }

  @inlinable @inline(__always)
  init(latest: Int, expected: Int) {
    self.latest = latest
    self.expected = expected
  }
}

/// The keys of the latest objects of one kind, and which of them came after which.
///
/// A venue writes an object's keys in the same order each time. Each is kept with what leads, its
/// quotes and its colon, so that comparing eight to 24 bytes finds the key, ends it and checks its
/// grammar. Allocates only when a key comes that is not kept, which stops after a few objects.
public struct KeyOrder: Sendable {
  @usableFromInline
  struct Key: Sendable {
    /// `{"key":` or `,"key":`.
    @usableFromInline let pattern: TextPattern
    @usableFromInline let code: UInt64
    /// Whether the decoder reads its value.
    let isRead: Bool
    /// The key that came behind it, with its comma, as ``KeyPlace/expected``.
    @usableFromInline var follower: Int
    /// Of a string that was skipped, the characters between its quotes.
    var skippedLength = 0

    var isFirst: Bool { pattern.low & 0xff == 0x7b }
  }

  /// Keys that are kept, and never given up again; a text with more of them is read all the same.
  static let maximumCount = 48
  /// No key.
  @usableFromInline static var unknown: Int { .max }

  @usableFromInline var keys: [Key] = []
  /// The key that came first, with its brace, as ``KeyPlace/expected``.
  @usableFromInline var first = Int.max

  /// The keys that the decoder reads; nil for all keys.
  private let reading: [StaticString]?

  /// No key is expected.
  ///
  /// `reading` are the keys that the decoder handles: members with others are checked and skipped
  /// as part of looking for the next key. Without it, every key is given.
  public init(reading: [StaticString]? = nil) { self.reading = reading }

  /// Skips the members that are not read, as far as they come as expected.
  ///
  /// Most such strings are as long as the one before: times, identifiers. That this is so is one
  /// comparison, and the processor goes on behind the string without waiting for its end.
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

  /// Where ``skipMembers(_:_:_:)`` ended.
  @usableFromInline
  struct Skipped {
    @usableFromInline let end: Int
    @usableFromInline let place: KeyPlace
  }

  /// What ``find(_:_:_:)`` found: a key that is read, or the object's end.
  @usableFromInline
  struct Found {
    /// Behind the colon or the `}`.
    @usableFromInline var end: Int
    @usableFromInline var isKey = false
    @usableFromInline var code: UInt64 = 0
    @usableFromInline var range = 0..<0
    @usableFromInline var place: KeyPlace
  }

  /// The next key that is read, where it is not the expected one: another that is kept, or by the
  /// grammar one that now is.
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
    // Behind a key that is not kept, the next one has to be looked for.
    found.place = KeyPlace(latest: index ?? keys.count, expected: Self.unknown)
  }

  /// Keeps a key; nil where it is too long or one too many.
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

  /// What comes behind a key, or first, is expected there again.
  private mutating func expect(_ key: Int, after latest: Int) {
    let expected = keys[key].isRead ? key : ~key
    if latest < 0 {
      first = expected
    } else if latest < keys.count {
      keys[latest].follower = expected
    }
  }
}

/// The latest string of a kind and what it meant: the name of a channel or of an instrument is
/// nearly always that of the message before.
public struct LatestString<Value: Sendable>: Sendable {
  @usableFromInline var pattern: TextPattern?
  /// What it meant.
  public private(set) var value: Value

  /// No string has come; `value` stands in until one has.
  public init(_ value: Value) { self.value = value }

  /// Keeps the string at `range`, which has been read, and its meaning.
  public mutating func set(_ bytes: Span<UInt8>, _ range: Range<Int>, _ value: Value) {
    pattern = TextPattern(bytes, (range.lowerBound &- 1)..<(range.upperBound &+ 1))
    self.value = value
  }
}

extension JSONCursor {
  /// Takes the next string if it is the latest of its kind, and returns what that meant; nil, with
  /// nothing taken, for any other value.
  @inlinable @inline(__always)
  public mutating func take<Value>(
    _ latest: borrowing LatestString<Value>, _ bytes: Span<UInt8>
  ) -> Value? {
    guard let pattern = latest.pattern, pattern.matches(bytes, offset) else { return nil }
    offset &+= pattern.length
    return latest.value
  }
}
