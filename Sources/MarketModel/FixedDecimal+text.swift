// Decimal text, exactly: what comes in is what goes out. No exponent is ever written.

extension FixedDecimal: CustomStringConvertible {
  /// All digits of the scale: "32180.50".
  ///
  /// The point is left out at scale 0.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of ``description`` as ASCII.
  public func appendText(to bytes: inout [UInt8]) {
    // From the last byte to the first, in room for the longest: 20 digits, point and sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
      var start = text.count
      var rest = units.magnitude
      var digits = Int(scale.digits)
      repeat {
        let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = tens
        digits -= 1
        if digits == 0 {
          start -= 1
          text[start] = UInt8(ascii: ".")
        }
      } while rest > 0 || digits >= 0
      if units < 0 {
        start -= 1
        text[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: text[start...]))
    }
  }

  /// Reads plain decimal text ("-12", "240.32"; an exponent as in "1.0E-4" is allowed).
  ///
  /// Returns nil for anything else, for more than 18 digits after the point and for numbers that do
  /// not fit. The scale is the number of digits written after the point.
  public init?(_ text: String) {
    guard let value = FixedDecimal(ascii: ContiguousArray(text.utf8).span) else { return nil }
    self = value
  }

  /// Reads the same text from ASCII bytes; all of them must belong to the number.
  public init?(ascii bytes: Span<UInt8>) {
    var offset = 0
    guard let value = DecimalParser.parse(bytes, from: &offset), offset == bytes.count else {
      return nil
    }
    self = value
  }
}
