/// Whether a book equals the venue's.
public enum BookStatus: String, Hashable, Sendable {
  case waiting
  /// Built from a snapshot and every change since.
  case synced
  /// Invalid or interrupted; a new snapshot is requested.
  case resyncing
}

/// One displayed price level.
public struct BookRow: Hashable, Sendable {
  /// Price in units of the view's price scale.
  public let price: Price
  /// Size at this price, in units of the view's quantity scale.
  public let size: Quantity
  /// Sizes of all levels from the best down to this one.
  public let accumulated: Quantity

  /// Creates a row.
  public init(price: Price, size: Quantity, accumulated: Quantity) {
    self.price = price
    self.size = size
    self.accumulated = accumulated
  }
}

/// The best levels of one book at one moment.
public struct BookView: Equatable, Sendable {
  /// Rows shown on each side.
  public static let depth = 20

  /// The instrument.
  public let symbol: Symbol
  /// Whether the book equals the venue's.
  public let status: BookStatus
  /// Whether the book is valid now.
  public internal(set) var freshness: Freshness
  /// At most 20, highest price first.
  public let bids: [BookRow]
  /// At most 20, lowest price first.
  public let asks: [BookRow]
  /// All bid levels held.
  public let bidLevels: Int
  /// All ask levels held.
  public let askLevels: Int
  /// What one price unit is.
  public let priceScale: Scale
  /// What one size unit is.
  public let quantityScale: Scale
  /// Decimals to show for prices.
  public let priceDecimals: Scale
  /// Changes applied since the start; rises with every book message.
  public let sequence: UInt64
  /// Snapshots requested because the book was in doubt.
  public let resyncs: Int
  /// False once the venue has reported that it has no such instrument.
  public let isKnown: Bool
  /// How prices are grouped into rows: bids round down to the step, asks round up.
  public let grouping: PriceGrouping
  /// One tick in price units; positive.
  public let tick: Price
  /// The ungrouped best bid and ask; nil for an empty side.
  public let top: BookTop
  /// The venue's checksum of exactly these rows; nil where it sends none or rows are grouped.
  public let proof: BookProof?
  /// The connection's messages since the snapshot; nil where the venue does not number them, and
  /// while any may be missing.
  public let unbroken: UnbrokenSequence?
  /// Why the book is being refetched; nil also after a lost connection.
  public let doubt: BookDoubt?
  /// Which streams confirm or contradict the prices; nil without a second stream.
  public let witnesses: WitnessReport?
  /// The instrument as the venue lists it; nil before its list.
  public let listed: ListedInstrument?

  /// Creates a view; `top` defaults to the best prices of the rows.
  public init(
    symbol: Symbol, status: BookStatus, freshness: Freshness, bids: [BookRow], asks: [BookRow],
    bidLevels: Int, askLevels: Int, priceScale: Scale, quantityScale: Scale, priceDecimals: Scale,
    sequence: UInt64, resyncs: Int, isKnown: Bool = true, grouping: PriceGrouping = .none,
    tick: Price = Price(units: 1), top: BookTop? = nil, proof: BookProof? = nil,
    unbroken: UnbrokenSequence? = nil,
    doubt: BookDoubt? = nil, witnesses: WitnessReport? = nil, listed: ListedInstrument? = nil
  ) {
    self.symbol = symbol
    self.status = status
    self.freshness = freshness
    self.bids = bids
    self.asks = asks
    self.bidLevels = bidLevels
    self.askLevels = askLevels
    self.priceScale = priceScale
    self.quantityScale = quantityScale
    self.priceDecimals = priceDecimals
    self.sequence = sequence
    self.resyncs = resyncs
    self.isKnown = isKnown
    self.grouping = grouping
    self.tick = tick
    self.top = top ?? BookTop(bid: bids.first?.price, ask: asks.first?.price)
    self.proof = proof
    self.unbroken = unbroken
    self.doubt = doubt
    self.witnesses = witnesses
    self.listed = listed
  }
}

/// The best prices of a book.
public struct BookTop: Equatable, Sendable {
  /// The highest bid; nil without bids.
  public let bid: Price?
  /// The lowest ask; nil without asks.
  public let ask: Price?

  /// Creates a pair of best prices.
  public init(bid: Price?, ask: Price?) {
    self.bid = bid
    self.ask = ask
  }
}
