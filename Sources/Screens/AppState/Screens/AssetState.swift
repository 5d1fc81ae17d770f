public import MarketModel
public import VenueCatalogue

/// One asset at all venues (`asset/…` of docs/page-protocol.md): a row for each market, the best
/// prices across them, and one book of them all.
public struct AssetState: Equatable, Sendable {
  /// The asset.
  public let asset: Asset
  /// Its markets, in the order of the venues.
  public internal(set) var markets: [AssetMarketState]
  /// The best prices of the counted markets; nil without any.
  public internal(set) var best: AssetQuote?
  /// The spread over time, oldest first, at most an hour.
  public internal(set) var spreads: [AssetSpread] = []
  /// The price range of a row of the books; nil before a tick size is known.
  public internal(set) var step: FixedDecimal?
  /// The available steps, finest first.
  public internal(set) var steps: [FixedDecimal] = []
  /// The sizes of the counted markets by price, highest price first; only down to where every
  /// market's rows reach.
  public internal(set) var bids: [AssetLevel] = []
  /// The same of the asks, lowest price first.
  public internal(set) var asks: [AssetLevel] = []
}

/// One market of an asset.
public struct AssetMarketState: Equatable, Sendable {
  /// The instrument.
  public let instrument: BookInstrument
  /// Whether its book is valid now.
  public internal(set) var freshness: Freshness
  /// False once the venue has reported that it has no such instrument.
  public internal(set) var isKnown = true
  /// The best bid and its size; nil without bids.
  public internal(set) var bid: AssetOffer?
  /// The best ask and its size; nil without asks.
  public internal(set) var ask: AssetOffer?
  /// Its own spread in hundredths of a basis point of the mid; nil if a side is empty.
  public internal(set) var spreadBasisPoints: FixedDecimal?
  /// The day's figures; nil before the first.
  public internal(set) var figures: DayFigures?

  /// Whether the best prices and the common book include it: its book is live, with both sides.
  public var isCounted: Bool { isKnown && freshness.state == .live && bid != nil && ask != nil }
}

/// A price and the size at it.
public struct AssetOffer: Equatable, Sendable {
  /// The price.
  public let price: FixedDecimal
  /// The size in the base currency.
  public let size: FixedDecimal
}

/// The best prices across the counted markets.
public struct AssetQuote: Equatable, Sendable {
  /// The highest bid.
  public let bid: FixedDecimal
  /// The lowest ask; below the bid where the venues' prices cross.
  public let ask: FixedDecimal
  /// How many markets are counted.
  public let markets: Int
  /// Best ask − best bid in basis points of their mid, two decimals.
  ///
  /// Negative where they cross; nil for prices at or below 0.
  public let basisPoints: FixedDecimal?
  /// When the venues last confirmed both prices: the age of the spread.
  public let confirmedAt: ClockReading?
}

/// The spread across the markets at one time.
public struct AssetSpread: Equatable, Sendable {
  /// The time.
  public let time: Timestamp
  /// Basis points, two decimals.
  public let basisPoints: FixedDecimal
}

/// One price of the common book.
public struct AssetLevel: Equatable, Sendable {
  /// The price.
  public let price: FixedDecimal
  /// The size at it, of all counted markets.
  public let size: FixedDecimal
  /// The size in thousandths of the largest of both sides.
  public let thousandths: Int
  /// The markets that have some of it, by index in ``AssetState/markets``.
  public let parts: [AssetPart]
}

/// A market's part of a level.
public struct AssetPart: Equatable, Sendable {
  /// The index of the market.
  public let market: Int
  /// Its size.
  public let size: FixedDecimal
  /// Its size in thousandths of the level.
  public let thousandths: Int
}
