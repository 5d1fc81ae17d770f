// What screens see of an order book: the 20 best levels a side with accumulated sizes, and how far
// the book can be trusted.

/// Whether a book equals the venue's.
public enum BookStatus: String, Hashable, Sendable {
  /// No snapshot has arrived yet.
  case waiting
  /// Built from a snapshot and every change since.
  case synced
  /// Found wrong or interrupted; a new snapshot is on its way.
  case resyncing
}

/// One price level as a screen shows it.
public struct BookRow: Hashable, Sendable {
  /// Price in units of the view's price scale.
  public let price: Price
  /// Size at this price, in units of the view's quantity scale.
  public let size: Quantity
  /// Sizes of all levels from the best down to this one.
  public let accumulated: Quantity

  /// Makes a row.
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
  /// Whether it can be believed now.
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
  /// Snapshots asked for because the book was doubtful.
  public let resyncs: Int
  /// Whether the venue has the instrument at all; false once it has said that it has not.
  public let isKnown: Bool
  /// What the rows are: bids rounded down to the step, asks rounded up.
  public let grouping: PriceGrouping
  /// One tick in price units; positive.
  public let tick: Price
  /// The best bid and ask themselves, however rows are grouped; nil for an empty side.
  public let top: BookTop
  /// The venue's checksum of exactly these rows; nil where it sends none, or they are grouped.
  public let proof: BookProof?
  /// What the book was found wrong by, while it is fetched anew; nil also where a connection was
  /// lost.
  public let doubt: BookDoubt?
  /// Which streams say what the prices are; nil where there is nobody to compare with.
  public let witnesses: WitnessReport?

  /// Puts a view together; `top` is that of the rows where it is not given.
  public init(
    symbol: Symbol, status: BookStatus, freshness: Freshness, bids: [BookRow], asks: [BookRow],
    bidLevels: Int, askLevels: Int, priceScale: Scale, quantityScale: Scale, priceDecimals: Scale,
    sequence: UInt64, resyncs: Int, isKnown: Bool = true, grouping: PriceGrouping = .none,
    tick: Price = Price(units: 1), top: BookTop? = nil, proof: BookProof? = nil,
    doubt: BookDoubt? = nil, witnesses: WitnessReport? = nil
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
    self.doubt = doubt
    self.witnesses = witnesses
  }
}

/// The best prices of a book.
public struct BookTop: Equatable, Sendable {
  /// The highest that somebody pays; nil when nobody does.
  public let bid: Price?
  /// The lowest at which somebody sells; nil when nobody does.
  public let ask: Price?

  /// Puts two prices together.
  public init(bid: Price?, ask: Price?) {
    self.bid = bid
    self.ask = ask
  }
}
