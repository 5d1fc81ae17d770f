/// The position within an object's keys.
@frozen
public struct KeyPlace: Sendable {
  /// The latest key's index in a ``KeyOrder``; before the first key the complement of the variant,
  /// and ``KeyOrder/maximumCount`` more than the variant after a key that is not stored.
  @usableFromInline let latest: Int
  /// The expected key's index, or its complement for a key that the decoder skips.
  @usableFromInline let expected: Int

  /// Starts at an object's `{`; objects of different variants, 0...3, have separate orders.
  @inlinable @inline(__always)
  public init(_ order: borrowing KeyOrder, variant: Int = 0) {
    self.init(latest: ~variant, expected: order.first[variant & 3])
  }

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
    let variant: Int
    /// The key that followed it, as in ``KeyPlace/expected``.
    @usableFromInline var follower: Int
    var skippedLength = 0

    var isFirst: Bool { pattern.low & 0xff == 0x7b }
  }

  /// Keys are never dropped; a text with more of them is read without this help.
  static let maximumCount = 48
  @usableFromInline static var unknown: Int { .max }

  @usableFromInline var keys: [Key] = []
  /// The first key of each variant, as in ``KeyPlace/expected``.
  @usableFromInline var first = SIMD4(repeating: Int.max)

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
        let length = offset &- value &- 2
        if length < 31, TextBlock.byte(bytes, value) == UInt8(ascii: "\"") {
          expectLength(length, index)
        }
      }
      place = KeyPlace(latest: index, expected: keys[index].follower)
    }
    return Skipped(end: offset, place: place)
  }

  /// Separate, so that skipping usually doesn't touch the array's reference count.
  @inline(never)
  private mutating func expectLength(_ length: Int, _ index: Int) {
    keys[index].skippedLength = length
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
    let variant = variant(of: found.place)
    for index in keys.indices
    where keys[index].isFirst == (latest < 0) && keys[index].variant == variant {
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
    let index = isCompact ? learn(bytes, key, variant) : nil
    if let index { expect(index, after: latest) }
    found.code = JSONCursor.keyCode(bytes, key)
    found.range = key
    // After a key that is not stored, the next one must be searched.
    found.place = KeyPlace(latest: index ?? Self.maximumCount &+ variant, expected: Self.unknown)
  }

  private func variant(of place: KeyPlace) -> Int {
    if place.latest < 0 { return ~place.latest }
    return place.latest < keys.count ? keys[place.latest].variant : place.latest - Self.maximumCount
  }

  private mutating func learn(_ bytes: Span<UInt8>, _ range: Range<Int>, _ variant: Int) -> Int? {
    let all = (range.lowerBound - 2)..<(range.upperBound + 2)
    guard keys.count < Self.maximumCount, let pattern = TextPattern(bytes, all) else { return nil }
    let code = JSONCursor.keyCode(bytes, range)
    keys.append(
      Key(
        pattern: pattern, code: code, isRead: isRead(bytes, range), variant: variant,
        follower: Self.unknown))
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
      first[~latest & 3] = expected
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

/// Two short strings of which one usually comes, such as sides, so that the processor need not
/// predict which.
public struct StringPair: Sendable {
  @usableFromInline let first: TextPattern
  @usableFromInline let second: TextPattern

  /// Two strings of at most six plain ASCII characters; nil for others.
  public init?(_ first: StaticString, _ second: StaticString) {
    guard let first = Self.pattern(first), let second = Self.pattern(second) else { return nil }
    (self.first, self.second) = (first, second)
  }

  private static func pattern(_ text: StaticString) -> TextPattern? {
    guard text.utf8CodeUnitCount <= 6 else { return nil }
    var bytes: ContiguousArray<UInt8> = [0x22]
    for index in 0..<text.utf8CodeUnitCount { bytes.append(text.utf8Start[index]) }
    bytes.append(0x22)
    return TextPattern(bytes.span, 0..<bytes.count)  // rule-exception: a ContiguousArray
  }
}

extension JSONCursor {
  /// Consumes the next string if it is one of the pair, and returns whether it is the first;
  /// otherwise nil, as in the last seven bytes of a text.
  @inlinable @inline(__always)
  public mutating func take(_ pair: borrowing StringPair, _ bytes: Span<UInt8>) -> Bool? {
    guard TextBlock.holds(bytes, offset, 8) else { return nil }
    let word = TextBlock.load(bytes, offset)
    let isFirst = (word ^ pair.first.low) & pair.first.lowMask == 0
    let isSecond = (word ^ pair.second.low) & pair.second.lowMask == 0
    guard isFirst != isSecond else { return nil }
    offset &+= isFirst ? pair.first.length : pair.second.length
    return isFirst
  }

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
