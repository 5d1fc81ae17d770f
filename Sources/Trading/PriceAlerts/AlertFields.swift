import MarketModel
import WireJSON

/// The members of one object of the stored alerts, read within bounds; each name may occur once.
struct AlertFields {
  /// Bytes of the longest text, an instrument.
  private static let maximumBytes = Symbol.maximumBytes + 16
  /// The maximum number of members, and of bytes of a name.
  private static let maximumMembers = 16

  private(set) var texts: [String: String] = [:]
  private(set) var numbers: [String: Int64] = [:]
  private var booleans: [String: Bool] = [:]
  let start: Int

  /// Reads an object; `other` reads members of other types and returns whether it did.
  init(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor,
    other: (String, inout JSONCursor) throws(JSONError) -> Bool = { _, _ in false }
  ) throws(JSONError) {
    start = cursor.offset
    var seen: Set<String> = []
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard key.count <= Self.maximumMembers, seen.count < Self.maximumMembers else {
        throw JSONError(.tooLong, at: key.lowerBound)
      }
      let name = JSONText.decode(bytes, key)
      guard seen.insert(name).inserted else {
        throw JSONError(.duplicateKey, at: key.lowerBound)
      }
      switch try cursor.peek(bytes) {
      case UInt8(ascii: "\""): texts[name] = try cursor.text(bytes, maximumBytes: Self.maximumBytes)
      case UInt8(ascii: "t"), UInt8(ascii: "f"): booleans[name] = try cursor.boolean(bytes)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        numbers[name] = try cursor.integer(bytes)
      default:
        guard try other(name, &cursor) else {
          throw JSONError(.unexpectedCharacter, at: key.lowerBound)
        }
      }
    }
  }

  func allow(_ names: Set<String>) throws(JSONError) {
    guard names.isSuperset(of: texts.keys), names.isSuperset(of: numbers.keys),
      names.isSuperset(of: booleans.keys)
    else { throw JSONError(.unexpectedCharacter, at: start) }
  }

  func required<Value>(_ value: Value?) throws(JSONError) -> Value {
    guard let value else { throw JSONError(.wrongType, at: start) }
    return value
  }

  func number(_ name: String) throws(JSONError) -> Int64 { try required(numbers[name]) }

  /// An integer from 1 to 2^53.
  func count(_ name: String) throws(JSONError) -> Int {
    let count = try number(name)
    guard count > 0, let count = Int(exactly: count), count <= 1 << 53 else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return count
  }

  /// nil if missing; throws for another type.
  func countIfAny(_ name: String) throws(JSONError) -> Int? {
    guard texts[name] == nil, booleans[name] == nil else { throw JSONError(.wrongType, at: start) }
    return numbers[name] == nil ? nil : try count(name)
  }

  /// nil if missing; throws for another type.
  func text(_ name: String) throws(JSONError) -> String? {
    guard numbers[name] == nil, booleans[name] == nil else {
      throw JSONError(.wrongType, at: start)
    }
    return texts[name]
  }

  func boolean(_ name: String) throws(JSONError) -> Bool { try required(booleans[name]) }

  /// nil if missing; throws for another type.
  func time(_ name: String) throws(JSONError) -> Timestamp? {
    guard texts[name] == nil, booleans[name] == nil else { throw JSONError(.wrongType, at: start) }
    return numbers[name].map { Timestamp(nanoseconds: $0) }
  }

  func instrument(_ name: String) throws(JSONError) -> InstrumentKey {
    try required(texts[name].flatMap { InstrumentKey(text: $0) })
  }

  /// A decimal without trailing zeros.
  func decimal(_ name: String) throws(JSONError) -> FixedDecimal {
    let value = try required(texts[name].flatMap { FixedDecimal($0) })
    guard value.description == texts[name], value.trimmed.scale == value.scale else {
      throw JSONError(.badString, at: start)
    }
    return value
  }
}
