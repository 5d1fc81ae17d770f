public import MarketModel

/// Appends JSON text to a byte array, with commas, quotes and escapes; never via a binary float.
///
/// The caller writes a key before each value of an object.
public struct JSONWriter: Sendable {
  /// The text so far.
  public private(set) var bytes: [UInt8] = []

  /// Reserves `capacity` bytes.
  public init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  /// Empties the text but keeps its capacity.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Writes `{`.
  public mutating func beginObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
  }

  /// Writes `}`.
  public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

  /// Writes `[`.
  public mutating func beginArray() {
    separate()
    bytes.append(UInt8(ascii: "["))
  }

  /// Writes `]`.
  public mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

  /// Writes an object, after `name` as its key if there is one; `write` writes its members.
  @inlinable
  public mutating func object(_ name: StaticString? = nil, _ write: (inout JSONWriter) -> Void) {
    if let name { key(name) }
    beginObject()
    write(&self)
    endObject()
  }

  /// The text of one object; `write` writes its members.
  @inlinable
  public static func object(capacity: Int = 256, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    writer.object(nil, write)
    return writer.bytes
  }

  /// Writes an array of objects, after `name` as its key if there is one; `write` writes the
  /// members of each item.
  @inlinable
  public mutating func objects<Items: Sequence>(
    _ name: StaticString?, _ items: Items,
    _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    if let name { key(name) }
    array(items) { writer, item in
      writer.beginObject()
      write(&writer, item)
      writer.endObject()
    }
  }

  /// Writes an array with `name` as its key; `write` writes its elements.
  @inlinable
  public mutating func array(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    beginArray()
    write(&self)
    endArray()
  }

  /// Writes an array; `write` writes each item.
  @inlinable
  public mutating func array<Items: Sequence>(
    _ items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    beginArray()
    for item in items { write(&self, item) }
    endArray()
  }

  /// Writes an array of arrays; `write` writes the elements of each item.
  @inlinable
  public mutating func arrays<Items: Sequence>(
    _ items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    array(items) { writer, item in
      writer.beginArray()
      write(&writer, item)
      writer.endArray()
    }
  }

  /// Writes a key that needs no escapes, and its colon.
  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes any key, and its colon.
  public mutating func key(text: String) {
    string(text)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a key that needs no escapes, and a string.
  public mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    string(text)
  }

  /// Writes a key that needs no escapes, and an integer as a number.
  @inlinable
  public mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
    key(name)
    integer(value)
  }

  /// Writes a key that needs no escapes, and `true` or `false`.
  public mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    boolean(value)
  }

  /// Writes a key that needs no escapes, and a decimal as a number with all digits of its scale.
  public mutating func member(_ name: StaticString, number: FixedDecimal) {
    key(name)
    self.number(number)
  }

  /// Writes a key that needs no escapes, and a decimal as a string.
  public mutating func member(_ name: StaticString, decimal: FixedDecimal) {
    key(name)
    decimalString(decimal)
  }

  /// Writes a key that needs no escapes, and an array; `write` writes each item.
  @inlinable
  public mutating func member<Items: Sequence>(
    _ name: StaticString, array items: Items,
    _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    key(name)
    array(items, write)
  }

  /// Writes keys that need no escapes, and decimals as strings; a member without one is left out.
  public mutating func members(_ decimals: [(name: StaticString, value: FixedDecimal?)]) {
    for (name, value) in decimals {
      if let value { member(name, decimal: value) }
    }
  }

  /// Writes a string with escapes.
  public mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      if text.contains(where: JSONWriter.needsEscape) {
        for byte in text { appendEscaped(byte) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an integer as a number.
  @inlinable
  public mutating func integer(_ value: some BinaryInteger) {
    if let number = Int64(exactly: value) { integer(number) } else { digits(String(value)) }
  }

  /// Writes an integer as a number.
  public mutating func integer(_ value: Int64) {
    separate()
    FixedDecimal(units: value, scale: .whole).appendText(to: &bytes)
  }

  /// For integers beyond 64 bits.
  @usableFromInline
  mutating func digits(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a decimal as a number with all digits of its scale.
  public mutating func number(_ value: FixedDecimal) {
    separate()
    value.appendText(to: &bytes)
  }

  /// Writes a decimal as a string with all digits of its scale.
  public mutating func decimalString(_ value: FixedDecimal) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    value.appendText(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a decimal as in ``decimalString(_:)``, or `null`.
  public mutating func optional(_ value: FixedDecimal?) {
    if let value { decimalString(value) } else { null() }
  }

  /// Writes a string, or `null`.
  public mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  /// Writes `true` or `false`.
  public mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

  /// Writes `null`.
  public mutating func null() { raw("null") }

  /// Writes valid JSON.
  public mutating func raw(_ json: StaticString) {
    separate()
    json.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes the bytes of one JSON value.
  public mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes the bytes of one JSON value.
  public mutating func raw(_ json: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  private mutating func separate() {
    guard let last = bytes.last else { return }
    switch last {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","): return
    default: bytes.append(UInt8(ascii: ","))
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20:
      let digits: StaticString = "0123456789abcdef"
      bytes.append(contentsOf: [0x5c, 0x75, 0x30, 0x30])
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }
}
