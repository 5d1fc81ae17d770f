import MarketModel
import Testing

struct SaturatingSumTests {
  @Test(
    arguments: [
      (2, 3, 5), (.max - 1, 1, .max), (.max, 1, .max), (.max, .max, .max), (.min, -1, .min),
      (.min, .min, .min), (.max, .min, -1), (.min + 1, -1, .min),
    ] as [(Int64, Int64, Int64)])
  func `a sum that does not fit is the nearest number that does`(
    left: Int64, right: Int64, sum: Int64
  ) {
    #expect(saturatingSum(left, right) == sum)
    #expect(saturatingSum(right, left) == sum)
  }
}
