// The rounded quotient's edge cases; AppState's ArithmeticTests compare it with long division.

import MarketModel
import Testing

struct RoundedQuotientTests {
  @Test(
    arguments: [
      (1, 1, 2, 0), (3, 1, 2, 2), (5, 1, 2, 2), (7, 1, 2, 4), (1, 2, 3, 1), (0, 9, 7, 0),
    ] as [(UInt64, UInt64, UInt64, Int64)])
  func `halves go to the even neighbour`(a: UInt64, b: UInt64, divisor: UInt64, expected: Int64) {
    #expect(roundedQuotient(a, times: b, by: divisor) == expected)
  }

  @Test func `a quotient that does not exist or does not fit is nil`() {
    #expect(roundedQuotient(1, times: 1, by: 0) == nil)
    #expect(roundedQuotient(.max, times: .max, by: 1) == nil)
    #expect(roundedQuotient(1 << 63, times: 1, by: 1) == nil)
    #expect(roundedQuotient(.max, times: 1, by: 2) == nil)
    #expect(roundedQuotient(.max, times: .max, by: .max) == nil)
    #expect(roundedQuotient(1 << 62, times: 1, by: 1) == 1 << 62)
  }
}
