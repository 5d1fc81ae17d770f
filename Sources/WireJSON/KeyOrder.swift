// Objects whose keys come in the order of the object before, and strings that repeat: each is found
// by one comparison instead of being read.

/// How far the keys of an object have been read.
@frozen
public struct KeyPlace: Sendable {
  @inlinable @inline(__always) static var comma: UInt64 { 0x2c }

  /// The key of a ``KeyOrder`` that is expected.
  @usableFromInline let next: Int
  /// What comes before the next key: `{` or a comma.
  @usableFromInline let lead: UInt64

  /// At the `{` of an object.
  @inlinable @inline(__always)
  public init() { self.init(next: 0, lead: 0x7b) }

  @inlinable @inline(__always)
  init(next: Int, lead: UInt64) {
    self.next = next
    self.lead = lead
  }
}

/// The keys of the latest objects of one kind, in their order.
///
/// A venue writes an object's keys in the same order each time. Each is kept with its quotes and
/// its colon, so that comparing eight to 24 bytes finds the key, ends it and checks its grammar.
/// Allocates only when a key comes that is not in the order, which stops after a few objects.
public struct KeyOrder: Sendable {
  @usableFromInline
  struct Key: Sendable {
    /// `?"key":`; the byte that leads counts as 0.
    @usableFromInline let pattern: TextPattern
    @usableFromInline let code: UInt64
  }

  /// Keys that are kept; a text with more of them is read all the same.
  static let maximumCount = 32

  @usableFromInline var keys: [Key] = []

  /// No key is expected.
  public init() {}

  /// What ``match(_:_:_:at:)`` found; a length of 0 where the key is another.
  @usableFromInline
  struct Match {
    @usableFromInline var length = 0
    @usableFromInline var code: UInt64 = 0

    @inlinable @inline(__always)
    init(length: Int, code: UInt64) { (self.length, self.code) = (length, code) }
  }

  /// Compares what comes next with the key number `index`, after the byte that `place` expects.
  @inlinable @inline(__always)
  func match(_ bytes: Span<UInt8>, _ offset: Int, _ place: KeyPlace, at index: Int) -> Match {
    keys.withUnsafeBufferPointer { keys in
      guard index < keys.count, keys[index].pattern.matches(bytes, offset, lead: place.lead) else {
        return Match(length: 0, code: 0)
      }
      return Match(length: keys[index].pattern.length, code: keys[index].code)
    }
  }

  /// What ``find(_:_:_:)`` found: a key, or the object's end.
  @usableFromInline
  struct Found {
    /// Behind the colon or the `}`.
    @usableFromInline let end: Int
    @usableFromInline let isKey: Bool
    @usableFromInline var range = 0..<0
    @usableFromInline var next = 0
  }

  /// The next key by the grammar, with the place behind it in the order, where it is put if it
  /// was not expected.
  @usableFromInline @inline(never)
  mutating func find(
    _ bytes: Span<UInt8>, _ offset: Int, _ place: KeyPlace
  ) throws(JSONError) -> Found {
    // Keys that may be absent do not put the others out of order.
    var index = place.next &+ 1
    while index < keys.count {
      let key = match(bytes, offset, place, at: index)
      if key.length > 0 {
        let end = offset &+ key.length
        return Found(end: end, isKey: true, range: (offset &+ 2)..<(end &- 2), next: index &+ 1)
      }
      index &+= 1
    }
    var cursor = JSONCursor(offset: offset)
    var first = place.lead != KeyPlace.comma
    if first { try cursor.beginObject(bytes) }
    guard let range = try cursor.nextKey(bytes, first: &first) else {
      return Found(end: cursor.offset, isKey: false)
    }
    let isCompact = range.lowerBound == offset + 2 && cursor.offset == range.upperBound + 2
    let next = isCompact ? learn(bytes, range, at: place.next) : place.next
    return Found(end: cursor.offset, isKey: true, range: range, next: next)
  }

  /// Puts a key where it came and returns the place behind it.
  private mutating func learn(_ bytes: Span<UInt8>, _ range: Range<Int>, at place: Int) -> Int {
    let all = (range.lowerBound - 2)..<(range.upperBound + 2)
    guard let pattern = TextPattern(bytes, all, ignoringFirst: true) else { return place }
    if keys.count >= Self.maximumCount { keys.removeAll(keepingCapacity: true) }
    let index = min(place, keys.count)
    keys.insert(Key(pattern: pattern, code: JSONCursor.keyCode(bytes, range)), at: index)
    return index + 1
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
    pattern = TextPattern(
      bytes, (range.lowerBound &- 1)..<(range.upperBound &+ 1), ignoringFirst: false)
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
    guard let pattern = latest.pattern, pattern.matches(bytes, offset, lead: 0) else { return nil }
    offset &+= pattern.length
    return latest.value
  }
}
