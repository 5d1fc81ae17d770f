// The screens' integer arithmetic against a slow reference that can't overflow: digit-by-digit long
// division.

import MarketModel
import Testing

@testable import AppState

/// A natural number of any size, as decimal digits, most significant first: slow and simple.
private struct Natural: Equatable {
  var digits: [Int]

  init(_ value: UInt64) { digits = String(value).utf8.map { Int($0) - 48 } }

  func times(_ other: UInt64) -> Natural {
    var columns = [Int](repeating: 0, count: digits.count + 20)
    for (i, a) in digits.reversed().enumerated() {
      for (j, b) in Natural(other).digits.reversed().enumerated() { columns[i + j] += a * b }
    }
    for index in columns.indices.dropLast() {
      columns[index + 1] += columns[index] / 10
      columns[index] %= 10
    }
    var result = Natural(0)
    result.digits = Array(columns.reversed().drop { $0 == 0 })
    return result
  }

  /// Divides and rounds half to even; nil beyond 63 bits.
  func divided(by divisor: UInt64) -> Int64? {
    guard divisor > 0 else { return nil }
    var quotient = ""
    var rest: UInt64 = 0
    for digit in digits {
      // The remainder is below 2^64, so ten times it may not fit: count up instead.
      var count = 0
      var sum: UInt64 = 0
      for _ in 0..<10 { add(rest, to: &sum, &count, divisor) }
      add(UInt64(digit) % divisor, to: &sum, &count, divisor)
      count += digit / Int(clamping: divisor)
      quotient += String(count)
      rest = sum
    }
    let trimmed = quotient.drop { $0 == "0" }
    guard let whole = trimmed.isEmpty ? 0 : Int64(trimmed) else { return nil }
    let up = rest > divisor - rest || (rest == divisor - rest && whole % 2 == 1)
    return up ? (whole == .max ? nil : whole + 1) : whole
  }

  private func add(_ part: UInt64, to sum: inout UInt64, _ count: inout Int, _ divisor: UInt64) {
    if part >= divisor - sum {
      sum = part - (divisor - sum)
      count += 1
    } else {
      sum += part
    }
  }
}

@Suite struct ArithmeticTests {
  @Test(arguments: UInt64(1)...20)
  func `the rounded quotient equals long division, at every magnitude`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let a = random.next() >> UInt64(random.below(64))
      let b = random.next() >> UInt64(random.below(64))
      let divisor = random.next() >> UInt64(random.below(64))
      let expected = Natural(a).times(b).divided(by: divisor)
      #expect(
        roundedQuotient(a, times: b, by: divisor) == expected,
        "seed \(seed): \(a) × \(b) ÷ \(divisor)")
    }
  }

  @Test(arguments: [
    ("100", "150", "50.00"), ("150", "100", "-33.33"), ("12000.0", "12352.8", "2.94"),
    ("100", "100", "0.00"), ("3", "4", "33.33"), ("3", "2", "-33.33"), ("1", "0", "-100.00"),
    ("20000", "20001", "0.00"), ("20000", "20003", "0.02"), ("20000", "19999", "0.00"),
    ("20000", "19997", "-0.02"), ("0.00001", "0.00003", "200.00"), ("1", "-1", "-200.00"),
    ("37.155", "36.425", "-1.96"), ("1.50", "1.5", "0.00"),
  ])
  func `PD3 the difference to the previous close in percent`(
    close: String, price: String, expected: String
  ) throws {
    let percent = PercentChange.from(try decimal(close), to: try decimal(price))
    #expect(percent?.description == expected)
  }

  @Test func `PD3 without a positive close there is no percentage`() throws {
    let one = try decimal("1")
    #expect(PercentChange.from(nil, to: one) == nil)
    #expect(PercentChange.from(one, to: nil) == nil)
    #expect(PercentChange.from(try decimal("0"), to: one) == nil)
    #expect(PercentChange.from(try decimal("0.000"), to: one) == nil)
    #expect(PercentChange.from(try decimal("-5"), to: one) == nil)
  }

  @Test func `PD3 numbers that cannot be compared exactly give no percentage, never a trap`() throws
  {
    let tiny = try decimal("0.000000000000000001")
    let huge = FixedDecimal(units: .max, scale: .whole)
    let low = FixedDecimal(units: .min, scale: .whole)
    #expect(PercentChange.from(tiny, to: huge) == nil)
    #expect(PercentChange.from(huge, to: tiny) == nil)
    #expect(PercentChange.from(huge, to: low) == nil)
    #expect(PercentChange.from(try decimal("1"), to: huge) == nil)
  }

  @Test(arguments: UInt64(1)...10)
  func `PD3 the percentage equals long division for any prices`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let digits = UInt8(random.below(6))
      let close = 1 + random.below(powerOfTen(Int(1 + random.below(15))))
      let price = random.below(powerOfTen(Int(1 + random.below(15))))
      let scale = Scale(clamping: digits)
      let magnitude = Natural((price - close).magnitude).times(10_000).divided(by: close.magnitude)
      let found = PercentChange.from(
        FixedDecimal(units: close, scale: scale), to: FixedDecimal(units: price, scale: scale))
      #expect(
        found?.units == magnitude.map { price < close ? -$0 : $0 },
        "seed \(seed): \(close) to \(price) at \(digits)")
    }
  }

  @Test(
    arguments: [
      // size, its scale, price, its scale, expected
      (1_046_200, 0, 321_805, 1, "32.5104"), (1000, 0, 321_805, 1, "0.0311"),
      (0, 0, 321_805, 1, "0.0000"), (1, 0, 20_000, 0, "0.0000"), (3, 0, 20_000, 0, "0.0002"),
      (5, 0, 20_000, 0, "0.0002"), (100_000_000, 8, 5, 1, "2.0000"), (1, 18, 1, 0, "0.0000"),
      (1, 0, 1, 14, "100000000000000.0000"),
    ] as [(Int64, UInt8, Int64, UInt8, String)])
  func `OB3 a size in XBT is size divided by price, at four decimals`(
    size: Int64, sizeScale: UInt8, price: Int64, priceScale: UInt8, expected: String
  ) {
    let found = BaseSize.of(
      Quantity(units: size), at: Price(units: price), quantityScale: Scale(clamping: sizeScale),
      priceScale: Scale(clamping: priceScale))
    #expect(found?.description == expected)
  }

  @Test func `OB3 a price that is not positive or a negative size has no base size`() {
    for (size, price) in [(1, 0), (1, -1), (-1, 1), (.min, .max), (.max, .min)] {
      let found = BaseSize.of(
        Quantity(units: Int64(size)), at: Price(units: Int64(price)), quantityScale: .whole,
        priceScale: .whole)
      #expect(found == nil)
    }
  }

  @Test func `OB3 no size, price or scale traps`() {
    let extremes: [Int64] = [0, 1, 9, 10_000, .max - 1, .max, -1, .min]
    for size in extremes {
      for price in extremes {
        for sizeDigits: UInt8 in [0, 4, 8, 18] {
          for priceDigits: UInt8 in [0, 1, 14, 15, 18] {
            let found = BaseSize.of(
              Quantity(units: size), at: Price(units: price),
              quantityScale: Scale(clamping: sizeDigits), priceScale: Scale(clamping: priceDigits))
            #expect(found.map { $0.units >= 0 } ?? true)
          }
        }
      }
    }
  }

  @Test(arguments: UInt64(1)...10)
  func `OB3 the base size equals long division for any book`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let size = random.below(powerOfTen(Int(1 + random.below(16))))
      let price = 1 + random.below(powerOfTen(Int(1 + random.below(16))))
      let (sizeDigits, priceDigits) = (UInt8(random.below(9)), UInt8(random.below(9)))
      let found = BaseSize.of(
        Quantity(units: size), at: Price(units: price), quantityScale: Scale(clamping: sizeDigits),
        priceScale: Scale(clamping: priceDigits))
      let up = powerOfTen(Int(priceDigits) + 4).magnitude
      // Both scales stay below 9, so this divisor may exceed 64 bits only for prices above 10^11.
      let (divisor, overflow) = price.magnitude.multipliedReportingOverflow(
        by: powerOfTen(Int(sizeDigits)).magnitude)
      if overflow { continue }
      let expected = Natural(size.magnitude).times(up).divided(by: divisor)
      #expect(
        found?.units == expected,
        "seed \(seed): \(size) at scale \(sizeDigits) ÷ \(price) at scale \(priceDigits)")
    }
  }
}
