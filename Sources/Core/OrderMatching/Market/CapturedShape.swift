import MarketModel

/// XBTUSD on 2021-07-22 (public sample capture of the cryptofeed project): 1,298 book messages in
/// 27.6 s over 9,346 levels; distances in ticks of 0.5.
enum CapturedShape {
  /// The price at the time of the capture.
  static let priceTicks: Int64 = 64_360

  /// Microseconds between market steps.
  static let gapMicroseconds = QuantileTable([
    (0, 0), (100, 0), (500, 2500), (750, 6000), (900, 67_000), (950, 110_000), (990, 226_000),
    (1000, 589_000),
  ])

  static let changeDistance = QuantileTable([
    (0, 0), (120, 0), (250, 3), (500, 30), (750, 112), (900, 457), (990, 8401), (1000, 40_000),
  ])

  /// The captured book's last percent reached thirty times the price.
  static let askDistance = QuantileTable([
    (0, 0), (10, 55), (50, 303), (100, 823), (250, 2299), (500, 7014), (750, 19_804),
    (900, 48_039), (950, 66_639), (990, 591_859), (1000, 910_000),
  ])

  static let bidDistance = QuantileTable([
    (0, 0), (10, 100), (50, 491), (100, 1023), (250, 2806), (500, 8580), (750, 19_872),
    (900, 32_101), (950, 41_764), (990, 56_300), (1000, 64_359),
  ])

  /// Contracts of a level near the touch.
  static let nearSize = QuantileTable([
    (0, 100), (120, 100), (300, 1000), (500, 12_000), (750, 70_000), (900, 180_000), (990, 400_000),
    (1000, 1_200_000),
  ])

  /// Contracts of a level anywhere.
  static let farSize = QuantileTable([
    (0, 100), (100, 100), (250, 300), (500, 1000), (750, 5000), (900, 30_000), (990, 408_100),
    (1000, 7_513_600),
  ])

  /// Contracts of a taker order.
  static let tradeSize = QuantileTable([
    (0, 100), (300, 100), (500, 600), (750, 4000), (900, 25_000), (990, 150_000), (1000, 400_000),
  ])

  static let rows = QuantileTable([
    (0, 1), (787, 1), (788, 2), (937, 2), (938, 3), (972, 3), (973, 4), (993, 4), (994, 5),
    (1000, 9),
  ])
}

/// A distribution of integers by its quantiles, with linear interpolation.
struct QuantileTable: Sendable {
  private let shares: [Int64]
  private let values: [Int64]

  /// Takes (share in thousandths, value) pairs; shares must rise from 0 to 1000.
  init(_ points: [(share: Int64, value: Int64)]) {
    shares = points.map(\.share)
    values = points.map(\.value)
  }

  /// Draws a number; values must be below 2^43.
  func draw(_ random: inout SplitMix64) -> Int64 { value(at: random.below(1_000_000)) }

  /// The quantile at a share in millionths, 0 to 1,000,000.
  func value(at millionths: Int64) -> Int64 {
    var index = 1
    while index < shares.count - 1, shares[index] * 1000 <= millionths { index += 1 }
    guard index < shares.count else { return values.last ?? 0 }
    let low = shares[index - 1] * 1000
    let width = max(1, shares[index] * 1000 - low)
    let inside = min(max(0, millionths - low), width)
    return values[index - 1] + (values[index] - values[index - 1]) * inside / width
  }
}
