// JSON numbers as exact decimals: every spelling that venues use, every limit, hostile text.

import Foundation
import MarketModel
import Testing

struct DecimalParserTests {
  func parse(_ text: String) -> (value: FixedDecimal?, offset: Int) {
    let bytes = Array(text.utf8)
    var offset = 0
    let value = DecimalParser.parse(bytes.span, from: &offset)
    return (value, offset)
  }

  func round(_ text: String) -> FixedDecimal? {
    let bytes = Array(text.utf8)
    var offset = 0
    let value = DecimalParser.parseRounding(bytes.span, from: &offset)
    return offset == bytes.count ? value : nil
  }

  @Test(arguments: [
    ("32180", "32180"), ("32180.5", "32180.5"), ("8000.0", "8000.0"), ("85.6190", "85.6190"),
    ("1e-8", "0.00000001"), ("1.0E-4", "0.00010"), ("3.0000000000000003E-4", ""),
    ("1E+2", "100"), ("1.5e1", "15"), ("1.50e1", "15.0"), ("12e0", "12"), ("0", "0"), ("-0", "0"),
    ("0.0", "0.0"), ("-0.5", "-0.5"), ("0e400", "0"), ("0e-400", "0.000000000000000000"),
    ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", ""),
    ("-9223372036854775807", "-9223372036854775807"), ("1e18", "1000000000000000000"),
    ("1e19", ""), ("10e17", "1000000000000000000"), ("10e18", ""), ("1e400", ""), ("1e401", ""),
    ("1e99999999999999999999", ""), ("1e-18", "0.000000000000000001"), ("1e-19", ""),
    ("10e-19", "0.000000000000000001"), ("0.1234567890123456789", ""),
    ("1.000000000000000000", "1.000000000000000000"), ("35743625495386028", "35743625495386028"),
  ])
  func `a number in any spelling is read exactly, or not at all`(text: String, expected: String) {
    #expect(parse(text).value?.description ?? "" == expected)
  }

  @Test(arguments: [
    "", "-", ".5", "5.", "-.5", "01", "-01", "00", "+1", "1.e5", "1e", "1e+", "1e-",
    "e5", "NaN", "Infinity", "x", "--1", "1..2x", "\u{0661}",
  ])
  func `what the grammar does not allow is refused`(text: String) {
    #expect(parse(text).value == nil && round(text) == nil)
  }

  @Test func `parsing starts at the offset and stops behind the number`() {
    let bytes = Array("[12.5,7]".utf8)
    var offset = 1
    #expect(DecimalParser.parse(bytes.span, from: &offset)?.description == "12.5" && offset == 5)
    #expect(parse("1-2").offset == 1 && parse("1.5.5").offset == 3 && parse("2x").offset == 1)
    offset = bytes.count
    #expect(DecimalParser.parse(bytes.span, from: &offset) == nil)
  }

  @Test(arguments: [
    ("0.0034000000000000002", "0.003400000000000000"),
    ("3.0000000000000003E-4", "0.000300000000000000"),
    ("0.1234567890123456785", "0.123456789012345678"),
    ("0.1234567890123456775", "0.123456789012345678"),
    ("0.12345678901234567850001", "0.123456789012345679"),
    ("1.2345678901234567891", "1.23456789012345679"),
    ("-1.2345678901234567891", "-1.23456789012345679"),
    ("0.9999999999999999999", "1.000000000000000000"),
    ("123456789012345678.95", "123456789012345679"),
    ("123456789012345678.50", "123456789012345678"),
    ("123456789012345677.50", "123456789012345678"), ("1e-19", "0.000000000000000000"),
    ("6e-19", "0.000000000000000001"), ("5e-19", "0.000000000000000000"),
    ("1.5e-18", "0.000000000000000002"),
    ("5.00000000000000000001e-19", "0.000000000000000001"), ("5e-324", "0.000000000000000000"),
    ("-4e-19", "0.000000000000000000"), ("257.11937852675885", "257.11937852675885"),
    ("999999999999999999.99", "1000000000000000000"), ("0.00000000000000000000000001e26", "1"),
    ("1e19", ""), ("9223372036854775807.5", ""), ("99999999999999999999", ""), ("1e401", ""),
    ("1.2345678901234567891e18", ""),
  ])
  func `rounding keeps what fits behind the point and nothing is lost before it`(
    text: String, expected: String
  ) {
    #expect(round(text)?.description ?? "" == expected)
  }

  @Test func `rounding is right to half a unit for every binary float that a venue may print`()
    throws
  {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let value = Double(generator.next() >> 11) / Double(UInt64(1) << UInt64(generator.below(60)))
      let text = "\(value)"
      guard let exact = Decimal(string: text), let found = round(text) else { continue }
      let shown = try #require(Decimal(string: found.description))
      let difference = abs(exact - shown)
      #expect(difference <= Decimal(sign: .plus, exponent: -19, significand: 5), "\(text)")
      #expect(Double(found.description) == value || value < 0.01, "seed 5: \(text)")
    }
  }

  @Test func `where both can read a number they agree`() {
    var generator = SplitMix64(seed: 9)
    let alphabet = Array("0123456789.-+eE".utf8)
    var read = 0
    for _ in 0..<200_000 {
      let bytes = (0..<(1 + generator.below(12))).map { _ in
        alphabet[Int(generator.below(Int64(alphabet.count)))]
      }
      var (exactEnd, roundedEnd) = (0, 0)
      let exact = DecimalParser.parse(bytes.span, from: &exactEnd)
      let rounded = DecimalParser.parseRounding(bytes.span, from: &roundedEnd)
      guard let exact else { continue }
      read += 1
      #expect(rounded == exact && exactEnd == roundedEnd, "seed 9: \(bytes)")
    }
    #expect(read > 1_000)
  }

  @Test func `thousands of digits are refused without harm`() {
    let digits = String(repeating: "9", count: 100_000)
    #expect(parse(digits).value == nil && parse("0." + digits).value == nil)
    #expect(parse("1e" + digits).value == nil && round(digits) == nil)
    #expect(round("0." + digits)?.description == "1.000000000000000000")
    #expect(round("0." + String(repeating: "0", count: 100_000) + "1")?.units == 0)
  }
}
