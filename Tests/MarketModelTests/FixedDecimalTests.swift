// Exact decimals: text, scales, comparison and rounding, to the ends of their range.

import MarketModel
import Testing

struct FixedDecimalTests {
  func decimal(_ units: Int64, _ digits: UInt8) -> FixedDecimal {
    FixedDecimal(units: units, scale: Scale(clamping: digits))
  }

  @Test(arguments: [
    (0, 0, "0"), (0, 2, "0.00"), (5, 0, "5"), (-5, 0, "-5"), (5, 1, "0.5"), (-5, 3, "-0.005"),
    (3_218_050, 2, "32180.50"), (100, 2, "1.00"), (10, 0, "10"), (1, 18, "0.000000000000000001"),
    (Int64.max, 0, "9223372036854775807"), (Int64.min, 0, "-9223372036854775808"),
    (Int64.max, 18, "9.223372036854775807"), (Int64.min, 18, "-9.223372036854775808"),
    (Int64.min, 1, "-922337203685477580.8"),
    (1_000_000_000_000_000_000, 18, "1.000000000000000000"),
  ])
  func `all digits of the scale are written`(units: Int64, digits: UInt8, text: String) {
    #expect(decimal(units, digits).description == text)
  }

  @Test func `text is appended behind what is there`() {
    var bytes = Array("a:".utf8)
    decimal(-125, 2).appendText(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "a:-1.25")
  }

  @Test func `what is written is read back, units and scale alike`() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let units = Int64(truncatingIfNeeded: generator.next() >> UInt64(generator.below(64)))
      guard units != .min else { continue }
      let value = decimal(units, UInt8(generator.below(19)))
      let read = FixedDecimal(value.description)
      #expect(read?.units == value.units && read?.scale == value.scale, "seed 11: \(value)")
    }
  }

  @Test(arguments: ["", " 1", "1 ", "1,5", "1.5x", "+1", "--1", "1e", "0x1", "∞", "1.2.3", "-"])
  func `text that is not wholly a number is refused`(text: String) {
    #expect(FixedDecimal(text) == nil)
  }

  @Test func `equal values are equal and hash alike at every scale`() {
    for digits in UInt8(0)...17 {
      let value = decimal(15 * powerOfTen(Int(digits)), digits)
      #expect(value == decimal(15, 0) && value.hashValue == decimal(15, 0).hashValue)
      #expect(decimal(0, digits) == decimal(0, 18))
      #expect(decimal(0, digits).hashValue == decimal(0, 18).hashValue)
    }
    #expect(decimal(15, 1) != decimal(15, 2))
    #expect(Set([decimal(150, 2), decimal(15, 1), decimal(1500, 3), decimal(16, 1)]).count == 2)
  }

  @Test func `comparison is exact across scales, at the ends of the range too`() {
    let ascending = [
      decimal(.min, 0), decimal(.min, 1), decimal(.min + 1, 1), decimal(.min, 18), decimal(-1, 0),
      decimal(-1, 18), decimal(0, 9), decimal(1, 18), decimal(1, 17), decimal(999, 3),
      decimal(1, 0), decimal(.max, 18), decimal(10, 0), decimal(.max - 1, 1), decimal(.max, 1),
      decimal(.max, 0),
    ]
    for (left, low) in ascending.enumerated() {
      for (right, high) in ascending.enumerated() {
        #expect((low < high) == (left < right), "\(low) < \(high)")
        #expect((low == high) == (left == right), "\(low) == \(high)")
      }
    }
  }

  @Test func `trimming drops zeros behind the point and nothing else`() {
    #expect(decimal(15_000, 3).trimmed.description == "15")
    #expect(decimal(15_050, 3).trimmed.description == "15.05")
    #expect(decimal(15_000, 0).trimmed.description == "15000")
    #expect(decimal(.min, 18).trimmed.units == .min)
  }

  @Test(arguments: [
    ("2.5", 0, "2"), ("3.5", 0, "4"), ("-2.5", 0, "-2"), ("-3.5", 0, "-4"), ("2.51", 0, "3"),
    ("2.49", 0, "2"), ("0.5", 0, "0"), ("-0.5", 0, "0"), ("1.25", 1, "1.2"), ("1.35", 1, "1.4"),
    ("9.99", 1, "10.0"), ("-9.99", 1, "-10.0"), ("1.2", 4, "1.2000"),
    ("0.000000000000000005", 17, "0.00000000000000000"),
    ("0.000000000000000015", 17, "0.00000000000000002"), ("9.223372036854775807", 0, "9"),
  ])
  func `rounding goes half to even`(text: String, digits: Int, expected: String) throws {
    let target = try #require(Scale(digits: digits))
    #expect(FixedDecimal(text)?.rounded(to: target)?.description == expected)
  }

  @Test func `a scale that does not fit gives nothing`() throws {
    #expect(decimal(.max, 0).rounded(to: Scale(clamping: 1)) == nil)
    #expect(decimal(.min, 0).exactly(at: Scale(clamping: 18)) == nil)
    #expect(decimal(123, 2).exactly(at: .whole) == nil)
    #expect(decimal(-500, 2).exactly(at: .whole)?.units == -5)
    #expect(decimal(-5, 0).exactly(at: Scale(clamping: 18))?.units == -5_000_000_000_000_000_000)
  }

  @Test func `a price and a size take their instrument's scale`() {
    #expect(FixedDecimal(Price(units: 321_805), scale: Scale(clamping: 1)).description == "32180.5")
    #expect(
      FixedDecimal(Quantity(units: 10), scale: Scale(clamping: 8)).description == "0.00000010")
    #expect(Price(units: -1) < Price(units: 0) && Quantity.zero < Quantity(units: 1))
  }

  @Test func `a scale has 0 to 18 digits`() {
    #expect(Scale(digits: -1) == nil && Scale(digits: 19) == nil && Scale(digits: .max) == nil)
    #expect(Scale(clamping: 255).digits == 18 && Scale.whole.unitsPerWhole == 1)
    #expect(Scale(clamping: 18).unitsPerWhole == 1_000_000_000_000_000_000)
  }
}
