// What the order book shows (OB3, OB4): topic `book/…` of docs/page-protocol.md.

public import MarketModel
public import MarketStreams
public import VenueCatalogue

/// A level of the book as it is drawn.
public struct BookRowState: Equatable, Sendable {
  /// The price.
  public let price: FixedDecimal
  /// The size in contracts.
  public let size: FixedDecimal
  /// The same size in the base currency, at four decimals; nil where that means nothing.
  public let sizeInBase: FixedDecimal?
  /// The bar: accumulated size from the best price to here, 0 to 1000 thousandths of the largest
  /// accumulated size shown on either side.
  public let barThousandths: Int
  /// This row's own part of that bar, 0 to 1000 thousandths on the same scale.
  public let sizeThousandths: Int
  /// The size of all rows from the best price to here.
  public let total: FixedDecimal
  /// What `total` costs at the rows' prices: in the base currency for inverse contracts, else in
  /// the quote currency; nil where that means nothing or does not fit.
  ///
  /// Where rows are grouped it is a bound: at most that for asks, at least for bids.
  public let cost: FixedDecimal?
  /// The average price of `total`, at the decimals of prices, rounded against the taker; nil where
  /// it does not fit.
  public let average: FixedDecimal?
}

/// A grouping to choose.
public struct PriceGroupingState: Equatable, Sendable {
  /// The grouping.
  public let grouping: PriceGrouping
  /// The price that a row spans.
  public let step: FixedDecimal
}

/// An order book as it is drawn.
public struct BookState: Equatable, Sendable {
  /// The symbol asked for.
  public internal(set) var symbol: Symbol
  /// The instrument; nil for a symbol that does not exist.
  public internal(set) var instrument: BookInstrument?
  /// Whether the book equals the venue's.
  public internal(set) var status: BookStatus
  /// Whether it can be believed now; never live while it resyncs.
  public internal(set) var freshness: Freshness
  /// Decimals to show for prices; nil before the first view.
  public internal(set) var priceDecimals: Scale?
  /// How many ticks a row spans.
  public internal(set) var grouping: PriceGrouping
  /// The groupings to offer, with the price that a row spans; finest first.
  public internal(set) var groupings: [PriceGroupingState]
  /// At most 20, highest price first.
  public internal(set) var bids: [BookRowState]
  /// At most 20, lowest price first.
  public internal(set) var asks: [BookRowState]
  /// Best ask − best bid; nil when a side is empty or the book is crossed.
  public internal(set) var spread: FixedDecimal?
  /// The spread in hundredths of a percent of the price in the middle, at two decimals; nil where
  /// there is no spread, or no positive price.
  public internal(set) var spreadBasisPoints: FixedDecimal?
  /// The bids' part of the size of all rows shown, in thousandths; nil for an empty book.
  public internal(set) var bidThousandths: Int?
  /// All bid levels held.
  public internal(set) var bidLevels: Int
  /// All ask levels held.
  public internal(set) var askLevels: Int
  /// Changes applied since the start.
  public internal(set) var sequence: UInt64
  /// Snapshots asked for because the book was doubtful.
  public internal(set) var resyncs: Int
  /// The venue's proof of these rows, which has been found in them; nil where the venue sends none,
  /// or the rows are grouped.
  public internal(set) var proof: BookProofState?
  /// What the book was found wrong by, while it is fetched anew; nil also where that is not known.
  public internal(set) var doubt: BookDoubt?
  /// Which streams say what the prices are; nil where there is nobody to compare with.
  public internal(set) var witnesses: WitnessReport?
}

// MARK: - Truth strip

/// How far a book on show can be believed.
public struct TruthSample: Equatable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// Its book's level.
  public let level: TruthLevel
  /// Where the book comes from.
  public let origin: DataOrigin
  /// Whether the rows are grouped: those have no proof of the venue, and yield to single ones.
  public let isGrouped: Bool
  /// Why the book is refetched, in words; nil if it is not, or if the cause is unknown.
  public let cause: String?
}

extension BookState {
  /// What can be said of these rows; nil while there is nothing to judge.
  public var truth: TruthSample? {
    guard let instrument else { return nothingOnShow }
    guard let level = TruthLevel(freshness.state, isProven: proof != nil) else { return nil }
    return TruthSample(
      instrument: InstrumentKey(instrument.venue, symbol), level: level, origin: freshness.origin,
      isGrouped: !grouping.isNone,
      cause: level == .resyncing ? doubt?.words : nil)
  }

  /// Of a book that its venue has refused nothing is seen any more.
  private var nothingOnShow: TruthSample? {
    BookCatalogue.instrument(symbol).map { named in
      TruthSample(
        instrument: InstrumentKey(named.venue, symbol), level: .unwatched,
        origin: freshness.origin, isGrouped: !grouping.isNone, cause: nil)
    }
  }
}
