// Prices of the ISIN stream: integers of 10^-14, written with as many digits as a JavaScript number
// of the published server shows, and never a binary float.

import MarketModel
import WireJSON

/// One instrument's price on one connection.
struct IsinPrice: Sendable, Equatable {
  /// Digits after the point.
  static let scale = Scale(clamping: 14)
  private static let unit: Int64 = 100_000_000_000_000
  private static let hundredth: Int64 = unit / 100
  private static let lowest: Int64 = unit / 50
  private static let highest: Int64 = 10_000 * unit

  /// Where the price began and is drawn back to.
  private let start: Int64
  /// The price now, in units of 10^-14.
  private(set) var units: Int64

  /// Starts at a price in cents or, without one, at 20 to 300, the same for equal seeds; give or
  /// take half a percent.
  init(near seed: UInt64, startCents: Int64? = nil, _ random: inout SplitMix64) {
    var stable = SplitMix64(seed: seed)
    start =
      startCents.map { min(max($0, 2), 1_000_000) * IsinPrice.hundredth }
      ?? 20 * IsinPrice.unit + stable.below(280 * IsinPrice.unit)
    units = start
    move(tenThousandths: 50, &random)
  }

  /// Starts anywhere from 0.02 to 300.02, as the published server does.
  init(anywhere random: inout SplitMix64) {
    start = IsinPrice.lowest + random.below(300 * IsinPrice.unit)
    units = start
  }

  /// Moves by at most 2 %, up or down, and a little back towards the start.
  mutating func tick(_ random: inout SplitMix64) {
    move(tenThousandths: 200, &random)
    units = clamped(units + (start - units) / 100)
  }

  /// Writes the members `price`, `bid` and `ask`.
  func write(to writer: inout JSONWriter, digits: IsinStreamBehaviour.Digits) {
    for (key, offset) in [("price", Int64(0)), ("bid", -1), ("ask", 1)] as [(StaticString, Int64)] {
      writer.key(key)
      let value = FixedDecimal(units: units + offset * IsinPrice.hundredth, scale: IsinPrice.scale)
      switch digits {
      case .full: writer.number(value.trimmed)
      case .two:
        let rounded = FixedDecimal(
          units: units / IsinPrice.hundredth + offset, scale: Scale(clamping: 2))
        writer.number(rounded)
      }
    }
  }

  /// `tenThousandths` bounds the move.
  ///
  /// Multiplying last keeps the product in 64 bits.
  private mutating func move(tenThousandths limit: Int64, _ random: inout SplitMix64) {
    let millionths = random.within((-limit * 100)...(limit * 100))
    let dust = random.below(1_000_000)
    units = clamped(units + units / 1_000_000 * millionths + dust)
  }

  private func clamped(_ units: Int64) -> Int64 {
    min(max(units, IsinPrice.lowest), IsinPrice.highest)
  }
}
