// What the order book shows (OB3, OB4): topic `book/…` of docs/page-protocol.md.

public import MarketModel
public import VenueProtocols

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
  /// At most 20, highest price first.
  public internal(set) var bids: [BookRowState]
  /// At most 20, lowest price first.
  public internal(set) var asks: [BookRowState]
  /// Best ask − best bid; nil when a side is empty or the book is crossed.
  public internal(set) var spread: FixedDecimal?
  /// All bid levels held.
  public internal(set) var bidLevels: Int
  /// All ask levels held.
  public internal(set) var askLevels: Int
  /// Changes applied since the start.
  public internal(set) var sequence: UInt64
  /// Snapshots asked for because the book was doubtful.
  public internal(set) var resyncs: Int
}
