// A pair from its two assets: a price that agrees with both, a precision that suits the price, and
// a book as lively as the asset is.

import MarketModel
import OrderMatching

extension KrakenPair {
  /// Levels a side that a quiet market keeps about.
  static let quietLevels = 120

  /// A pair whose book is quiet, and opens only when somebody asks for it.
  init(made base: KrakenAsset, _ quote: KrakenAsset, _ status: KrakenPairStatus) {
    let symbol = base.name + "/" + quote.name
    let chance = SeedText.seed(0, "pair " + symbol)
    let digits = KrakenPair.digits(base, quote, chance)
    let size = KrakenSize(base)
    let share: Int64 = quote.name == "USD" ? 4 : quote.name == "EUR" ? 2 : 1
    let rank = Int64(base.rank)
    let profile = DepthProfile(
      levels: .init(bids: KrakenPair.quietLevels, asks: KrakenPair.quietLevels), reach: 100,
      gapPercent: min(500 + rank * 50, 20_000) * 4 / share, lotsPerHundred: size.lotsPerHundred,
      takerPercent: 15)
    let listing = MarketListing(
      key: symbol, underlying: base.underlying ?? Underlying(name: "dollar", volatility: 0),
      pricedIn: quote.underlying, startTicks: KrakenPair.ticks(base, quote, digits: digits),
      profile: .deep(profile), continuity: .unbroken,
      activity: TradingActivity(
        tradesPerThousandMinutes: 800 * share / (rank + 5),
        meanLots: size.lotsPerHundred * Int64(40 + chance >> 16 % 80)))
    self.init(
      base.name, quote.name, price: Scale(clamping: digits), quantity: size.precision,
      lotUnits: size.lotUnits, listing, status)
  }

  /// Enough digits for five figures of most prices, four or six of some.
  private static func digits(
    _ base: KrakenAsset, _ quote: KrakenAsset, _ chance: UInt64
  ) -> UInt8 {
    let least: [Int64] = [1000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 100_000]
    var digits: UInt8 = 0
    while digits < 10, ticks(base, quote, digits: digits) < least[Int(chance % 8)] { digits += 1 }
    return digits
  }

  /// What the base costs in the quote at the start, in ticks.
  private static func ticks(
    _ base: KrakenAsset, _ quote: KrakenAsset, digits: UInt8
  ) -> Int64 {
    let product = base.price.magnitude.multipliedFullWidth(
      by: powerOfTen(Int(digits)).magnitude)
    // A price without room is far beyond any that is listed.
    guard product.high < quote.price.magnitude else { return .max }
    return Int64(clamping: quote.price.magnitude.dividingFullWidth(product).quotient)
  }
}

/// How amounts of an asset are counted.
private struct KrakenSize {
  let precision: Scale
  let lotUnits: Int64
  /// Lots in 100 captured contracts: 100 dollars of the liveliest asset, a few of the quietest.
  let lotsPerHundred: Int64

  init(_ asset: KrakenAsset) {
    let chance = SeedText.seed(0, "size of " + asset.name)
    let choices: [UInt8] = [8, 8, 8, 8, 6, 5, 5, 4, 2, 0]
    let dollars = 2 + 2000 / (Int64(asset.rank) + 20)
    func units(_ digits: UInt8) -> Int64 {
      let product = (dollars * 1_000_000_000_000).magnitude.multipliedFullWidth(
        by: powerOfTen(Int(digits)).magnitude)
      guard product.high < asset.price.magnitude else { return .max }
      return Int64(clamping: asset.price.magnitude.dividingFullWidth(product).quotient)
    }
    var digits = choices[Int(chance % 10)]
    while digits < 8, units(digits) < 1000 { digits += 1 }
    while digits > 0, units(digits) > 1_000_000_000_000 { digits -= 1 }
    var (lots, lot) = (units(digits), Int64(1))
    while lots >= 10_000 { (lots, lot) = (lots / 10, lot * 10) }
    precision = Scale(clamping: digits)
    (lotUnits, lotsPerHundred) = (lot, max(1, lots))
  }
}
