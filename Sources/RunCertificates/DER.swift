// The few forms of DER (X.690) that a certificate has: each value is a tag, a length and its bytes.

import MarketModel

/// Writes DER.
enum DER {
  /// A value of any tag, with the shortest length there is.
  static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    guard count >= 0x80 else { return [tag, UInt8(count)] + content }
    let digits = bigEndian(UInt64(count))
    return [tag, 0x80 | UInt8(digits.count)] + digits + content
  }

  /// Values in a row.
  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }

  /// A number of zero or more, from its bytes, the highest first.
  static func integer(_ magnitude: [UInt8]) -> [UInt8] {
    let digits = Array(magnitude.drop { $0 == 0 })
    // A highest bit would make it negative.
    let needsZero = (digits.first ?? 0x80) >= 0x80
    return value(0x02, (needsZero ? [0] : []) + digits)
  }

  static var yes: [UInt8] { [0x01, 0x01, 0xff] }

  /// An object identifier whose numbers are encoded already.
  static func identifier(_ encoded: [UInt8]) -> [UInt8] { value(0x06, encoded) }

  /// Whole bytes as a string of bits.
  static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

  static func text(_ text: String) -> [UInt8] { value(0x0c, Array(text.utf8)) }

  /// A time to the second; of two digits for the year until 2049 (RFC 5280, 4.1.2.5).
  static func time(_ time: Timestamp) -> [UInt8] {
    let digits = time.description.utf8.filter { (0x30...0x39).contains($0) }.prefix(14)
    let isShort =
      digits.starts(with: "19".utf8) || (digits.starts(with: "20".utf8) && digits[2] < 0x35)
    return isShort
      ? value(0x17, digits.dropFirst(2) + [UInt8(ascii: "Z")])
      : value(0x18, digits + [UInt8(ascii: "Z")])
  }

  /// The bytes of a number, the highest first, without zeros before them.
  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    return Array(bytes.drop { $0 == 0 })
  }
}
