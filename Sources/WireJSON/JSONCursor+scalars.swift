// Strings, numbers and literals. Numbers become exact decimals; strings stay ranges of raw bytes
// until somebody needs text.

public import MarketModel

extension JSONCursor {
  /// The range between the quotes of the next string, escapes and UTF-8 checked but not decoded.
  @inlinable
  public mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
    guard try peek(bytes) == UInt8(ascii: "\"") else { throw JSONError(.wrongType, at: offset) }
    offset &+= 1
    let start = offset
    while offset < bytes.count {
      skipPlainCharacters(bytes)
      guard offset < bytes.count else { break }
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset &+= 1
        return start..<(offset &- 1)
      }
      if byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") {
        offset &+= 1
      } else {
        try skipUnusualCharacter(bytes)
      }
    }
    throw JSONError(.truncated, at: offset)
  }

  /// The next string decoded, of at most `maximumBytes` raw bytes.
  public mutating func text(
    _ bytes: Span<UInt8>, maximumBytes: Int
  ) throws(JSONError) -> String {
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
    let start = offset
    guard let value = DecimalParser.parse(bytes, from: &offset) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return value
  }

  /// The next number in units of `scale`; throws when it has more digits than that or overflows.
  @inlinable
  public mutating func units(
    _ bytes: Span<UInt8>, scale: Scale
  ) throws(JSONError) -> Int64 {
    let start = offset
    _ = try peek(bytes)
    if let units = plainUnits(bytes, scale: scale) { return units }
    if let units = shortUnits(bytes, scale: scale) { return units }
    let value = try decimal(bytes)
    if value.scale == scale { return value.units }
    guard let exact = value.exactly(at: scale) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return exact.units
  }

  /// The next number as an integer ("8000.0" is one, "1.5" is not).
  @inlinable
  public mutating func integer(_ bytes: Span<UInt8>) throws(JSONError) -> Int64 {
    try units(bytes, scale: .whole)
  }

  /// The next number as an integer from 0 on, up to the largest of 64 bits; no point, no exponent.
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
  public mutating func boolean(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
    switch try peek(bytes) {
    case UInt8(ascii: "t"):
      try literal("true", bytes)
      return true
    case UInt8(ascii: "f"):
      try literal("false", bytes)
      return false
    default: throw JSONError(.wrongType, at: offset)
    }
  }

  /// Takes `null`.
  public mutating func takeNull(_ bytes: Span<UInt8>) throws(JSONError) {
    try literal("null", bytes)
  }

  /// Takes `null` if it comes next; says whether it did.
  @inlinable
  public mutating func takeNullIfPresent(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
    guard try peek(bytes) == UInt8(ascii: "n") else { return false }
    try takeNull(bytes)
    return true
  }

  private mutating func literal(
    _ expected: StaticString, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    for index in 0..<expected.utf8CodeUnitCount {
      guard offset < bytes.count else { throw JSONError(.truncated, at: offset) }
      guard bytes[offset] == expected.utf8Start[index] else {
        throw JSONError(.unexpectedCharacter, at: offset)
      }
      offset &+= 1
    }
  }

  /// Checks a number's grammar without limiting its size: for values that nobody reads.
  mutating func skipNumber(_ bytes: Span<UInt8>) throws(JSONError) {
    if try peek(bytes) == UInt8(ascii: "-") { offset &+= 1 }
    let start = offset
    try skipDigits(bytes)
    if bytes[start] == UInt8(ascii: "0"), offset > start + 1 {
      throw JSONError(.unexpectedCharacter, at: start)
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset &+= 1
      try skipDigits(bytes)
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset &+= 1
      if offset < bytes.count,
        bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+")
      {
        offset &+= 1
      }
      try skipDigits(bytes)
    }
  }

  private mutating func skipDigits(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = offset
    while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") <= 9 { offset &+= 1 }
    guard offset > start else {
      throw JSONError(offset < bytes.count ? .unexpectedCharacter : .truncated, at: offset)
    }
  }
}
