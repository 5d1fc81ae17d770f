// The pairs of the simulated Kraken: what its instrument channel says of them, and how lively their
// markets are. The market itself is the one that the simulated BitMEX trades in: levels in ticks
// with sizes in units of the quote currency, which are turned into base units here.

import MarketModel

/// What never changes about a pair.
struct KrakenPair: Sendable {
  /// "BTC/USD".
  let symbol: String
  /// "BTC".
  let base: String
  /// "USD".
  let quote: String
  /// Digits after the point of a price.
  let pricePrecision: Scale
  /// Digits after the point of a quantity.
  let quantityPrecision: Scale
  /// What one unit of a level's size is worth, in 10^-8 of the quote currency.
  let sizeValue: Int64
  /// Where the market starts and is drawn back to, in units of the price.
  let startTicks: Int64
  /// Gaps between market steps in percent of those of the captured XBTUSD.
  let gapPercent: Int64
  /// A step's typical move, in millionths of the price over 64.36.
  let volatility: Int64

  /// Levels a side that the market keeps about: enough for the deepest subscription.
  static let levels = 1200

  /// All pairs, the liveliest first; the precisions are the real venue's.
  static let all: [KrakenPair] = [
    KrakenPair("BTC", "USD", 1, 8, start: 642_137, gapPercent: 160, volatility: 6),
    KrakenPair("ETH", "USD", 2, 8, start: 184_655, gapPercent: 250, volatility: 9),
    KrakenPair("SOL", "USD", 2, 8, start: 14_218, gapPercent: 500, volatility: 14),
    KrakenPair("XRP", "USD", 5, 8, start: 228_430, gapPercent: 600, volatility: 12),
    KrakenPair("DOGE", "USD", 7, 8, start: 1_673_240, gapPercent: 800, volatility: 14),
    KrakenPair("SHIB", "USD", 8, 5, start: 12_407, gapPercent: 1500, volatility: 14),
    KrakenPair("ETH", "BTC", 5, 8, start: 2_876, gapPercent: 900, volatility: 9, value: 57_000),
  ]

  init(
    _ base: String, _ quote: String, _ price: UInt8, _ quantity: UInt8, start: Int64,
    gapPercent: Int64, volatility: Int64, value: Int64 = 3_700_000_000
  ) {
    symbol = "\(base)/\(quote)"
    (self.base, self.quote) = (base, quote)
    pricePrecision = Scale(clamping: price)
    quantityPrecision = Scale(clamping: quantity)
    sizeValue = value
    startTicks = start
    self.gapPercent = gapPercent
    self.volatility = volatility
  }

  /// The same as the shared market takes it; it has no use for the ids of levels here.
  var instrument: BitMEXInstrument {
    BitMEXInstrument(
      symbol: symbol, root: base, tickUnits: 1, priceScale: pricePrecision, lot: 3,
      contract: .inverse, startTicks: startTicks, levels: (KrakenPair.levels, KrakenPair.levels),
      gapPercent: gapPercent, volatility: volatility, legacyIndex: 1, legacyUnits: 1,
      legacyTicksPerUnits: 1)
  }

  func price(_ ticks: Int64) -> FixedDecimal { FixedDecimal(units: ticks, scale: pricePrecision) }

  /// A size of the market at a price, in base units; never nothing.
  ///
  /// size × value ÷ 10^8 ÷ (ticks ÷ 10^p) × 10^q, in 128 bits.
  func quantity(_ size: Int64, at ticks: Int64) -> FixedDecimal {
    let worth = size.magnitude.multipliedReportingOverflow(by: sizeValue.magnitude).partialValue
    let digits = Int(pricePrecision.digits) + Int(quantityPrecision.digits) - 8
    let product = worth.multipliedFullWidth(by: powerOfTen(max(0, digits)).magnitude)
    let divisor = max(1, ticks.magnitude)
    let units = product.high < divisor ? divisor.dividingFullWidth(product).quotient : .max
    return FixedDecimal(
      units: max(1, Int64(clamping: units)), scale: quantityPrecision)
  }
}
