import MarketModel
import OrderMatching

struct BitMEXInstrument: Sendable {
  /// How a contract's value follows from its price.
  enum Contract: Sendable {
    /// One contract is one unit of the quote currency (XBTUSD).
    case inverse
    /// A contract is worth `multiplier` satoshi for each unit of price (ETHUSD).
    case quanto(multiplier: Int64)
  }

  /// "XBTUSD".
  let symbol: String
  let root: String
  /// Units of the price scale in a tick: 5 for 0.5 at one digit.
  let tickUnits: Int64
  let priceScale: Scale
  /// Contracts that sizes are multiples of.
  let lot: Int64
  let contract: Contract
  /// Its market; a lot is the smallest contract size.
  var listing: MarketListing
  /// A legacy id is this × 10^8 minus the price in ticks of the instrument's listing.
  let legacyIndex: Int64
  /// Units of the price scale for each ``legacyTicksPerUnits`` ticks of the listing.
  let legacyUnits: Int64
  /// Ticks of the listing in ``legacyUnits``.
  let legacyTicksPerUnits: Int64

  static func all(_ generation: BitMEXGeneration) -> [BitMEXInstrument] {
    [bitcoin(generation), ether, solana]
  }

  func units(_ ticks: Int64) -> Int64 { ticks * tickUnits }

  func price(_ ticks: Int64) -> FixedDecimal {
    FixedDecimal(units: units(ticks), scale: priceScale)
  }

  /// The id of legacy rows, computed from the price.
  func legacyID(_ ticks: Int64) -> Int64 {
    legacyIndex * 100_000_000 - units(ticks) * legacyTicksPerUnits / legacyUnits
  }

  private static func bitcoin(_ generation: BitMEXGeneration) -> BitMEXInstrument {
    let tickUnits: Int64 = generation == .legacy ? 5 : 1
    return BitMEXInstrument(
      symbol: "XBTUSD", root: "XBT", tickUnits: tickUnits, priceScale: Scale(clamping: 1), lot: 100,
      contract: .inverse,
      listing: .deep(
        "XBTUSD", .bitcoin, startTicks: 642_137 / tickUnits, perMinute: 150, hundreds: 105,
        DepthProfile(levels: .init(bids: 5500, asks: 3800), gapPercent: 100)), legacyIndex: 88,
      legacyUnits: 1, legacyTicksPerUnits: 10)
  }

  private static let ether = BitMEXInstrument(
    symbol: "ETHUSD", root: "ETH", tickUnits: 5, priceScale: Scale(clamping: 2), lot: 1,
    contract: .quanto(multiplier: 100),
    listing: .deep(
      "ETHUSD", .ether, startTicks: 36_931, perMinute: 68, hundreds: 83,
      DepthProfile(levels: .init(bids: 1200, asks: 900), gapPercent: 250)), legacyIndex: 297,
    legacyUnits: 5, legacyTicksPerUnits: 1)

  private static let solana = BitMEXInstrument(
    symbol: "SOLUSD", root: "SOL", tickUnits: 1, priceScale: Scale(clamping: 2), lot: 1,
    contract: .quanto(multiplier: 1000),
    listing: .deep(
      "SOLUSD", .solana, startTicks: 14_218, perMinute: 26, hundreds: 78,
      DepthProfile(levels: .init(bids: 380, asks: 320), gapPercent: 700)), legacyIndex: 549,
    legacyUnits: 1, legacyTicksPerUnits: 10)
}
