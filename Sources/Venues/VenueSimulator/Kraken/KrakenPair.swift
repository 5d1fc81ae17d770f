import MarketModel
import OrderMatching

/// The fixed properties of a pair of the simulated Kraken, with its market.
struct KrakenPair: Sendable {
  /// "BTC/USD".
  let symbol: String
  let base: String
  let quote: String
  /// Digits after the point of a price.
  let pricePrecision: Scale
  /// Digits after the point of a quantity.
  let quantityPrecision: Scale
  /// One lot of the market in units of ``quantityPrecision``.
  let lotUnits: Int64
  var listing: MarketListing
  let status: KrakenPairStatus

  /// Whether it is a tokenised stock.
  var isToken: Bool { base.hasSuffix("x") }

  /// Approximate levels per side of the market: enough for the deepest subscription.
  static let levels = 1200

  /// The pairs whose deep books run from the start, the most active first, and a tokenised share
  /// that follows its price at other venues.
  ///
  /// The precisions are the real venue's.
  static let deep: [KrakenPair] = [
    KrakenPair(
      "BTC", "USD", 1, 8, .bitcoin, start: 642_137, past: (75, 140),
      gap: 160, lot: 10, size: 17_286),
    KrakenPair(
      "ETH", "USD", 2, 8, .ether, start: 184_655, past: (110, 80),
      gap: 250, lot: 100, size: 60_112),
    KrakenPair(
      "SOL", "USD", 2, 8, .solana, start: 14_218, past: (30, 77),
      gap: 500, lot: 10_000, size: 7_807),
    KrakenPair(
      "XRP", "USD", 5, 8, Underlying(name: "XRP", volatility: 75_000), start: 228_430,
      past: (55, 76), gap: 600, lot: 1_000_000, size: 4_859),
    KrakenPair(
      "DOGE", "USD", 7, 8, Underlying(name: "DOGE", volatility: 90_000), start: 1_673_240,
      past: (43, 77), gap: 800, lot: 10_000_000, size: 6_634),
    KrakenPair(
      "SHIB", "USD", 8, 5, Underlying(name: "SHIB", volatility: 95_000), start: 12_407,
      past: (3, 123), gap: 1500, lot: 10_000_000, size: 8_947),
    KrakenPair(
      "ETH", "BTC", 5, 8, .ether, in: .bitcoin, start: 2_876, past: (4, 62),
      gap: 900, lot: 100, size: 59_458),
    KrakenPair(
      "AAPLx", "USD", 2, 8, .stock(SharedStock.apple), start: 18_920, past: (2, 40),
      gap: 3000, lot: 10_000, size: 5_867),
  ]

  /// Creates a pair with a deep book.
  ///
  /// `past` has its past trades a minute, and a trade's mean size in 100 captured contracts. `gap`
  /// is in percent of the captured gap. `size` is in lots for 100 captured contracts, about 111
  /// dollars.
  init(
    _ base: String, _ quote: String, _ price: UInt8, _ quantity: UInt8, _ underlying: Underlying,
    in pricedIn: Underlying? = nil, start: Int64, past: (Int64, Int64), gap: Int64, lot: Int64,
    size: Int64
  ) {
    symbol = "\(base)/\(quote)"
    (self.base, self.quote) = (base, quote)
    pricePrecision = Scale(clamping: price)
    quantityPrecision = Scale(clamping: quantity)
    lotUnits = lot
    status = .online
    listing = .deep(
      symbol, underlying, pricedIn: pricedIn, startTicks: start, perMinute: past.0,
      hundreds: past.1,
      DepthProfile(
        levels: .init(bids: KrakenPair.levels, asks: KrakenPair.levels), reach: 300,
        gapPercent: gap, lotsPerHundred: size))
  }

  init(
    _ base: String, _ quote: String, price: Scale, quantity: Scale, lotUnits: Int64,
    _ listing: MarketListing, _ status: KrakenPairStatus
  ) {
    symbol = listing.key
    (self.base, self.quote, self.lotUnits) = (base, quote, lotUnits)
    (pricePrecision, quantityPrecision) = (price, quantity)
    (self.listing, self.status) = (listing, status)
  }

  func price(_ ticks: Int64) -> FixedDecimal { FixedDecimal(units: ticks, scale: pricePrecision) }

  func quantity(_ lots: Quantity) -> FixedDecimal { quantity(lots: lots.units) }

  /// The same, also for sums: an amount too large for the pair's precision has fewer digits.
  func quantity(lots: Int64) -> FixedDecimal {
    let (units, overflow) = lots.multipliedReportingOverflow(by: lotUnits)
    if !overflow { return FixedDecimal(units: units, scale: quantityPrecision) }
    let lot = FixedDecimal(units: lotUnits, scale: quantityPrecision).trimmed
    let (fewer, _) = lots.multipliedReportingOverflow(by: lot.units)
    return FixedDecimal(units: fewer, scale: lot.scale)
  }
}

/// The allowed actions of a pair, in the venue's terms.
enum KrakenPairStatus: String, Sendable {
  case online
  case cancelOnly = "cancel_only"
  case postOnly = "post_only"
  case limitOnly = "limit_only"
  case reduceOnly = "reduce_only"
  case delisted
  case workInProgress = "work_in_progress"

  /// Whether the pair has a market: public calls omit the others.
  var hasMarket: Bool { self != .delisted && self != .workInProgress }
}

// MARK: - Pairs derived from two assets

// Price, precision and activity follow from both assets.

extension KrakenPair {
  /// Approximate levels per side of a quiet market.
  private static let quietLevels = 120

  /// A pair with a quiet book, which opens only on request.
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

  /// Enough digits for five significant figures of most prices, four or six of some.
  private static func digits(_ base: KrakenAsset, _ quote: KrakenAsset, _ chance: UInt64) -> UInt8 {
    let least: [Int64] = [1000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 100_000]
    var digits: UInt8 = 0
    while digits < 10, ticks(base, quote, digits: digits) < least[Int(chance % 8)] { digits += 1 }
    return digits
  }

  /// The base's start price in the quote, in ticks.
  private static func ticks(_ base: KrakenAsset, _ quote: KrakenAsset, digits: UInt8) -> Int64 {
    let product = base.price.magnitude.multipliedFullWidth(by: powerOfTen(Int(digits)).magnitude)
    // A price that overflows is far beyond any that is listed.
    guard product.high < quote.price.magnitude else { return .max }
    return Int64(clamping: quote.price.magnitude.dividingFullWidth(product).quotient)
  }
}

private struct KrakenSize {
  let precision: Scale
  let lotUnits: Int64
  /// Lots in 100 captured contracts: 100 dollars of the most active asset, a few of the quietest.
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

// MARK: - Names over HTTP

// Each asset has an older name, some of them with a leading X or Z.

extension KrakenPair {
  /// "XBTUSD": the name in requests.
  var alternativeName: String { KrakenAssetName.older(base) + KrakenAssetName.older(quote) }

  /// "XBT/USD".
  var slashedName: String { KrakenAssetName.older(base) + "/" + KrakenAssetName.older(quote) }

  /// "XXBTZUSD", "SOLUSD": the key in responses.
  var internalKey: String {
    hasLongKey ? KrakenAssetName.key(base) + KrakenAssetName.key(quote) : alternativeName
  }

  /// Every name of this pair in requests, including the stream's.
  var names: Set<String> { [symbol, alternativeName, slashedName, internalKey] }

  /// Two long names make a long key, other pairs and newer ones of old assets have short keys.
  private var hasLongKey: Bool {
    guard KrakenAssetName.isLong(base), KrakenAssetName.isLong(quote), base != "DOGE" else {
      return false
    }
    switch quote {
    case "USD": return base != "AUD"
    case "AUD": return false
    case "GBP", "CAD": return ["BTC", "ETH", "USD"].contains(base)
    case "EUR", "JPY": return base != "AUD" && base != "EUR" && base != "GBP"
    default: return base != "LTC" || quote != "ETH"
    }
  }
}

enum KrakenAssetName {
  /// "XBT" for "BTC", "XDG" for "DOGE"; others have one name.
  static func older(_ name: String) -> String {
    switch name {
    case "BTC": "XBT"
    case "DOGE": "XDG"
    default: name
    }
  }

  /// Whether the asset is old enough to have a leading letter.
  static func isLong(_ name: String) -> Bool { key(name) != older(name) }

  /// "XXBT", "ZUSD"; newer assets have no leading letter.
  static func key(_ name: String) -> String {
    switch name {
    case "BTC", "DOGE", "ETC", "ETH", "LTC", "MLN", "REP", "XLM", "XMR", "XRP", "ZEC":
      "X" + older(name)
    case "AUD", "CAD", "EUR", "GBP", "JPY", "USD": "Z" + name
    default: name
    }
  }
}
