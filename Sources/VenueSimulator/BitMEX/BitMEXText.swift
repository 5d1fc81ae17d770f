// The simulated BitMEX's own text builder: rows come by the thousand in a partial and many times a
// second afterwards, so bytes are appended directly.

import MarketModel

/// How a generation spells numbers, with the text so far.
struct BitMEXText: Sendable {
  /// The text so far.
  private(set) var bytes: [UInt8] = []
  /// Whose spelling it is.
  let generation: BitMEXGeneration

  private var dayNumber: Int64 = .min
  private var day: [UInt8] = []

  init(_ generation: BitMEXGeneration) { self.generation = generation }

  /// Empties the text and keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Makes room for a long text.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Appends text as it is.
  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes as they are.
  mutating func raw(_ text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

  /// Removes the last byte if it is a comma: rows end with one, lists do not.
  mutating func dropComma() {
    if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
  }

  /// Appends an integer.
  mutating func integer(_ value: Int64) {
    FixedDecimal(units: value, scale: .whole).appendText(to: &bytes)
  }

  /// Appends a number of a "float" column: 32180 and 0.0001, or 32180.0 and 1.0E-4.
  mutating func float(_ value: FixedDecimal) {
    let trimmed = value.trimmed
    guard generation == .modern, trimmed.units != 0 else {
      trimmed.appendText(to: &bytes)
      if generation == .modern { raw(".0") }
      return
    }
    // Java writes numbers from 10^-3 up to 10^7 plainly and others with an exponent.
    let isSmall = trimmed < FixedDecimal(units: 1, scale: Scale(clamping: 3))
    let isLarge = trimmed >= FixedDecimal(units: 10_000_000, scale: .whole)
    if trimmed.units > 0, isSmall || isLarge { return scientific(trimmed) }
    trimmed.appendText(to: &bytes)
    if trimmed.scale == .whole { raw(".0") }
  }

  /// Appends a time as a string; times before 1970 as 1970.
  mutating func time(_ time: Int64) {
    let milliseconds = max(0, time)
    let number = milliseconds / 86_400_000
    if number != dayNumber {
      dayNumber = number
      day = Array(Timestamp(milliseconds: milliseconds).description.utf8.prefix(11))
    }
    let inDay = milliseconds % 86_400_000
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: day)
    digits(inDay / 3_600_000, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(inDay / 60_000 % 60, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(inDay / 1000 % 60, 2)
    bytes.append(UInt8(ascii: "."))
    digits(inDay % 1000, 3)
    bytes.append(UInt8(ascii: "Z"))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func digits(_ value: Int64, _ count: Int) {
    var divisor = count == 3 ? Int64(100) : 10
    for _ in 0..<count {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func scientific(_ value: FixedDecimal) {
    var text = Array(String(value.units).utf8)
    let exponent = text.count - 1 - Int(value.scale.digits)
    while text.count > 1, text.last == UInt8(ascii: "0") { text.removeLast() }
    bytes.append(text[0])
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: text.count > 1 ? text[1...] : [UInt8(ascii: "0")])
    bytes.append(UInt8(ascii: "E"))
    integer(Int64(exponent))
  }
}
