public import MarketModel
public import MarketStreams
public import VenueCatalogue

/// A level of the book as drawn.
public struct BookRowState: Equatable, Sendable {
  /// The price.
  public let price: FixedDecimal
  /// The size in contracts.
  public let size: FixedDecimal
  /// The size in the base currency, at four decimals; nil if meaningless.
  public let sizeInBase: FixedDecimal?
  /// Bar length: accumulated size from the best price to this row.
  ///
  /// 0 to 1000 thousandths of the largest accumulated size shown on either side.
  public let barThousandths: Int
  /// This row's own share of the bar, 0 to 1000 thousandths on the same scale.
  public let sizeThousandths: Int
  /// The accumulated size from the best price to this row.
  public let total: FixedDecimal
  /// The cost of `total` at the rows' prices; nil if meaningless or too large.
  ///
  /// In the base currency for inverse contracts, otherwise in the quote currency. For grouped rows
  /// it is a bound: at most that for asks, at least for bids.
  public let cost: FixedDecimal?
  /// The average price of `total` at price decimals, rounded against the taker; nil if too large.
  public let average: FixedDecimal?
}

/// A price grouping to choose.
public struct PriceGroupingState: Equatable, Sendable {
  /// The grouping.
  public let grouping: PriceGrouping
  /// The price range of a row.
  public let step: FixedDecimal
}

/// An order book as drawn (OB3, OB4): topic `book/…` of docs/page-protocol.md.
public struct BookState: Equatable, Sendable {
  /// The requested symbol.
  public internal(set) var symbol: Symbol
  /// The market that the name may mean; nil if no venue can have it.
  var market: InstrumentKey?
  /// The instrument; nil for an unknown symbol.
  public internal(set) var instrument: BookInstrument?
  /// Whether the book equals the venue's.
  public internal(set) var status: BookStatus
  /// Whether the book is valid now; never live while it resyncs.
  public internal(set) var freshness: Freshness
  /// Decimals of prices; nil before the first view.
  public internal(set) var priceDecimals: Scale?
  /// The number of ticks per row.
  public internal(set) var grouping: PriceGrouping
  /// The available groupings, finest first.
  public internal(set) var groupings: [PriceGroupingState]
  /// At most 20, highest price first.
  public internal(set) var bids: [BookRowState]
  /// At most 20, lowest price first.
  public internal(set) var asks: [BookRowState]
  /// Best ask − best bid; nil if a side is empty or the book is crossed.
  public internal(set) var spread: FixedDecimal?
  /// The spread in basis points of the mid, two decimals; nil without a spread or positive mid.
  public internal(set) var spreadBasisPoints: FixedDecimal?
  /// The bids' share of the size of all rows shown, in thousandths; nil for an empty book.
  public internal(set) var bidThousandths: Int?
  /// The number of bid levels in the book.
  public internal(set) var bidLevels: Int
  /// The number of ask levels in the book.
  public internal(set) var askLevels: Int
  /// The number of changes applied since the start.
  public internal(set) var sequence: UInt64
  /// The number of snapshots requested because the book was invalid.
  public internal(set) var resyncs: Int
  /// The venue's checksum that matches these rows; nil if it sends none or the rows are grouped.
  public internal(set) var proof: BookProofState?
  /// The connection's messages since the snapshot, none of which is missing; nil where the venue
  /// does not number them.
  public internal(set) var unbroken: UnbrokenSequence?
  /// Why the book is being refetched; nil if it is not, or if the cause is unknown.
  public internal(set) var doubt: BookDoubt?
  /// The cross-check of the prices with other streams; nil if there is nothing to compare.
  public internal(set) var witnesses: WitnessReport?
}

// MARK: - Truth strip

/// How reliable a displayed book is.
public struct TruthSample: Equatable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// Its book's level of proof.
  public let level: TruthLevel
  /// Where the book comes from.
  public let origin: DataOrigin
  /// Whether the rows are grouped; those have no checksum, and ungrouped ones take precedence.
  public let isGrouped: Bool
  /// Why the book is being refetched, as text; nil if it is not, or if the cause is unknown.
  public let cause: Sentence?
}

extension BookState {
  /// The reliability of these rows; nil while there is nothing to judge.
  public var truth: TruthSample? {
    guard let instrument else { return nothingOnShow }
    guard let level = TruthLevel(freshness.state, isProven: proof != nil) else { return nil }
    return TruthSample(
      instrument: InstrumentKey(instrument.venue, symbol), level: level, origin: freshness.origin,
      isGrouped: !grouping.isNone,
      cause: level == .resyncing ? doubt?.words : nil)
  }

  /// A book that its venue rejected is no longer watched.
  private var nothingOnShow: TruthSample? {
    market.map { market in
      TruthSample(
        instrument: market, level: .unwatched, origin: freshness.origin,
        isGrouped: !grouping.isNone, cause: nil)
    }
  }
}
