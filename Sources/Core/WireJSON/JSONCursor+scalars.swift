public import MarketModel

extension JSONCursor {
  /// The range between the next string's quotes; escapes and UTF-8 are validated but not decoded.
  @inlinable @inline(__always)
  public mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
    let range = try JSONCursor.string(bytes, offset)
    offset = range.upperBound &+ 1
    return range
  }

  /// Not inlined, to limit code size.
  ///
  /// Offsets pass by value, to keep cursors out of memory.
  @usableFromInline @inline(never)
  static func string(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Range<Int> {
    if TextBlock.byte(bytes, offset) == UInt8(ascii: "\"") {
      let end = TextBlock.plainEnd(bytes, offset &+ 1)
      if TextBlock.byte(bytes, end) == UInt8(ascii: "\"") {
        return Range(uncheckedBounds: (offset &+ 1, end))
      }
    }
    return try carefulString(bytes, offset)
  }

  @inline(never)
  private static func carefulString(
    _ bytes: Span<UInt8>, _ offset: Int
  ) throws(JSONError) -> Range<Int> {
    var cursor = JSONCursor(offset: offset)
    guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
      throw JSONError(.wrongType, at: cursor.offset)
    }
    let start = cursor.offset &+ 1
    var end = TextBlock.plainEnd(bytes, start)
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") { return start..<end }
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") {
        end = try endOfUnusualCharacter(bytes, end)
      }
      end = TextBlock.plainEnd(bytes, end)
    }
    throw JSONError(.truncated, at: end)
  }

  /// Decodes the next string, of at most `maximumBytes` raw bytes.
  @inlinable
  public mutating func text(_ bytes: Span<UInt8>, maximumBytes: Int) throws(JSONError) -> String {
    let range = try string(bytes)
    guard range.count <= maximumBytes else { throw JSONError(.tooLong, at: range.lowerBound) }
    return JSONText.decode(bytes, range)
  }

  /// The next number, exactly.
  @inlinable
  public mutating func decimal(_ bytes: Span<UInt8>) throws(JSONError) -> FixedDecimal {
    let first = try peek(bytes)
    guard first == UInt8(ascii: "-") || (first &- UInt8(ascii: "0")) <= 9 else {
      throw JSONError(.wrongType, at: offset)
    }
    var end = offset
    guard let value = DecimalParser.parse(bytes, from: &end) else {
      throw JSONError(.numberOutOfRange, at: offset)
    }
    offset = end
    return value
  }

  /// The next number in units of `scale`; throws if it needs more digits or overflows.
  @inlinable @inline(__always)
  public mutating func units(_ bytes: Span<UInt8>, scale: Scale) throws(JSONError) -> Int64 {
    var number = JSONCursor.shortNumber(bytes, offset, places: Int(scale.digits))
    if number.end < 0 { number = try JSONCursor.longNumber(bytes, offset, scale) }
    offset = number.end
    return number.units
  }

  /// As ``units(_:scale:)``; nil for `null`.
  @inlinable @inline(__always)
  public mutating func unitsOrNull(_ bytes: Span<UInt8>, scale: Scale) throws(JSONError) -> Int64? {
    let number = JSONCursor.shortNumber(bytes, offset, places: Int(scale.digits))
    if number.end < 0 {
      // A copy, so that this cursor stays in a register.
      var cursor = self
      let units = try cursor.longUnitsOrNull(bytes, scale)
      self = cursor
      return units
    }
    offset = number.end
    return number.units
  }

  /// The next number as an integer; accepts "8000.0" but not "1.5".
  @inlinable @inline(__always)
  public mutating func integer(_ bytes: Span<UInt8>) throws(JSONError) -> Int64 {
    var number = JSONCursor.wholeNumber(bytes, offset)
    if number.end < 0 { number = try JSONCursor.longNumber(bytes, offset, .whole) }
    offset = number.end
    return number.units
  }

  /// As ``integer(_:)``; nil for `null`.
  @inlinable @inline(__always)
  public mutating func integerOrNull(_ bytes: Span<UInt8>) throws(JSONError) -> Int64? {
    let number = JSONCursor.wholeNumber(bytes, offset)
    if number.end < 0 {
      var cursor = self
      let units = try cursor.longUnitsOrNull(bytes, .whole)
      self = cursor
      return units
    }
    offset = number.end
    return number.units
  }

  @usableFromInline @inline(never)
  mutating func longUnitsOrNull(_ bytes: Span<UInt8>, _ scale: Scale) throws(JSONError) -> Int64? {
    if try takeNullIfPresent(bytes) { return nil }
    return try units(bytes, scale: scale)
  }

  @usableFromInline @inline(never)
  static func longNumber(
    _ bytes: Span<UInt8>, _ offset: Int, _ scale: Scale
  ) throws(JSONError) -> NumberRead {
    let number = longNumber(bytes, offset, places: Int(scale.digits))
    return number.end >= 0 ? number : try carefulNumber(bytes, offset, scale)
  }

  @inline(never)
  static func carefulNumber(
    _ bytes: Span<UInt8>, _ offset: Int, _ scale: Scale
  ) throws(JSONError) -> NumberRead {
    var cursor = JSONCursor(offset: offset)
    let value = try cursor.decimal(bytes)
    guard let exact = value.scale == scale ? value : value.exactly(at: scale) else {
      throw JSONError(.numberOutOfRange, at: offset)
    }
    return NumberRead(units: exact.units, end: cursor.offset)
  }

  /// The next number as an integer in the range of `UInt64`, without point and exponent.
  public mutating func unsignedInteger(_ bytes: Span<UInt8>) throws(JSONError) -> UInt64 {
    let first = try peek(bytes)
    let start = offset
    guard first &- UInt8(ascii: "0") <= 9 else { throw JSONError(.wrongType, at: start) }
    var value: UInt64 = 0
    while offset < bytes.count {
      let digit = bytes[offset] &- UInt8(ascii: "0")
      if digit > 9 { break }
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(UInt64(digit))
      guard !overflow, !carry else { throw JSONError(.numberOutOfRange, at: start) }
      value = sum
      offset &+= 1
    }
    if first == UInt8(ascii: "0"), offset > start + 1 {
      throw JSONError(.unexpectedCharacter, at: start)
    }
    return value
  }

  /// The next `true` or `false`.
  @inlinable
  public mutating func boolean(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
    let isTrue = try peek(bytes) == UInt8(ascii: "t")
    guard isTrue || TextBlock.byte(bytes, offset) == UInt8(ascii: "f") else {
      throw JSONError(.wrongType, at: offset)
    }
    offset = try JSONCursor.endOfLiteral(bytes, offset, isTrue ? "true" : "false")
    return isTrue
  }

  /// Consumes `null`.
  @inlinable
  public mutating func takeNull(_ bytes: Span<UInt8>) throws(JSONError) {
    offset = try JSONCursor.endOfLiteral(bytes, offset, "null")
  }

  /// Consumes `null` if it is next, and returns whether it was.
  @inlinable @inline(__always)
  public mutating func takeNullIfPresent(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
    guard try peek(bytes) == UInt8(ascii: "n") else { return false }
    try takeNull(bytes)
    return true
  }

  @usableFromInline
  static func endOfLiteral(
    _ bytes: Span<UInt8>, _ offset: Int, _ expected: StaticString
  ) throws(JSONError) -> Int {
    for index in 0..<expected.utf8CodeUnitCount {
      guard offset + index < bytes.count else { throw JSONError(.truncated, at: offset + index) }
      guard bytes[offset + index] == expected.utf8Start[index] else {
        throw JSONError(.unexpectedCharacter, at: offset + index)
      }
    }
    return offset + expected.utf8CodeUnitCount
  }

  /// The offset behind the number at `offset`, of any size, for skipped values.
  static func endOfNumber(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    let start = TextBlock.byte(bytes, offset) == UInt8(ascii: "-") ? offset &+ 1 : offset
    var end = try endOfDigits(bytes, start)
    if TextBlock.byte(bytes, start) == UInt8(ascii: "0"), end > start &+ 1 {
      throw JSONError(.unexpectedCharacter, at: start)
    }
    if TextBlock.byte(bytes, end) == UInt8(ascii: ".") { end = try endOfDigits(bytes, end &+ 1) }
    if TextBlock.byte(bytes, end) | 0x20 == UInt8(ascii: "e") {
      let sign = TextBlock.byte(bytes, end &+ 1)
      let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      end = try endOfDigits(bytes, isSigned ? end &+ 2 : end &+ 1)
    }
    return end
  }

  @inline(__always)
  private static func endOfDigits(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    var end = offset
    while true {
      let count = digitCount(TextBlock.word(bytes, end))
      end &+= count
      if count < 8 { break }
    }
    guard end > offset else {
      throw JSONError(end < bytes.count ? .unexpectedCharacter : .truncated, at: end)
    }
    return end
  }
}
