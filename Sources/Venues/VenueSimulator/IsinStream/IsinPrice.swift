import MarketModel
import OrderMatching
import WireJSON

/// One quote in units of 10^-14 euros: the digits of JavaScript's numbers without binary floats.
struct IsinPrice: Sendable, Equatable {
  static let scale = Scale(clamping: 14)
  static let unit: Int64 = 100_000_000_000_000
  static let hundredth: Int64 = unit / 100
  private static let lowest: Int64 = unit / 50
  private static let highest: Int64 = 10_000 * unit

  /// The middle of both.
  let price: Int64
  let bid: Int64
  let ask: Int64

  /// The best prices of a market in cents; each is worth `euro` / `dollars` of a euro.
  init(_ top: MarketTop, euro: Int64 = 1, dollars: Int64 = 1) {
    let (bid, ask) = top.prices
    self.bid = IsinPrice.product(bid * IsinPrice.hundredth, euro, by: dollars)
    self.ask = IsinPrice.product(ask * IsinPrice.hundredth, euro, by: dollars)
    price = (self.bid + self.ask) / 2
  }

  /// A price with the published server's bid and ask, a cent away.
  init(_ units: Int64) {
    price = min(max(units, IsinPrice.lowest), IsinPrice.highest)
    (bid, ask) = (price - IsinPrice.hundredth, price + IsinPrice.hundredth)
  }

  /// A name that is no share of the market: 20 to 300 at the start, the same for equal seeds.
  init(unlisted name: String, seed: UInt64, at microseconds: Int64) {
    var stable = SplitMix64(seed: SeedText.seed(seed, name))
    let start = 20 * IsinPrice.unit + stable.below(280 * IsinPrice.unit)
    let offset = Underlying.stock(name).path(seed: seed).offset(at: microseconds)
    self.init(start + start / 1_000_000 * (min(max(offset, -300_000_000), 300_000_000) / 1000))
  }

  /// The same movement from another price: `units` when this was `base`.
  func rebased(_ units: Int64, from base: Int64) -> IsinPrice {
    IsinPrice(IsinPrice.product(units, price, by: base))
  }

  /// Anywhere from 0.02 to 300.02, as the published server starts a subscription.
  static func anywhere(_ random: inout SplitMix64) -> Int64 {
    lowest + random.below(300 * unit)
  }

  func write(to writer: inout JSONWriter, digits: IsinStreamBehaviour.Digits) {
    for (key, units) in [("price", price), ("bid", bid), ("ask", ask)] as [(StaticString, Int64)] {
      writer.key(key)
      switch digits {
      case .full: writer.number(FixedDecimal(units: units, scale: IsinPrice.scale).trimmed)
      case .two:
        writer.number(
          FixedDecimal(units: units / IsinPrice.hundredth, scale: Scale(clamping: 2)))
      }
    }
  }

  /// `left` × `right` ÷ `divisor` in 128 bits; all are positive.
  private static func product(_ left: Int64, _ right: Int64, by divisor: Int64) -> Int64 {
    let whole = left.magnitude.multipliedFullWidth(by: right.magnitude)
    guard whole.high < divisor.magnitude else { return highest }
    return Int64(clamping: divisor.magnitude.dividingFullWidth(whole).quotient)
  }
}
