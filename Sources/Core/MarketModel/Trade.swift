/// The side of an order or of a trade's aggressor; the raw value is its text everywhere.
public enum Side: String, Hashable, Sendable {
  case buy
  case sell
}

/// The direction of a value's latest change.
public enum Direction: UInt8, Hashable, Sendable {
  /// No change yet.
  case unchanged
  case up
  case down
}

/// One execution reported by the venue.
public struct Trade: Hashable, Sendable {
  /// Price in units of the instrument's price scale.
  public let price: Price
  /// Size in units of the instrument's quantity scale; contracts at BitMEX.
  public let size: Quantity
  /// The taker's side; nil when the venue omits it (settlements).
  public let side: Side?
  /// The venue's time.
  public let time: Timestamp
  /// Counts trades in order of arrival: the tie-break among equal times and the row's identity.
  public let arrival: UInt64
  /// The venue's trade ID, as in its history; 0 without one.
  public let identifier: Int64
  /// How many consecutive IDs it covers, up to ``identifier``: 1 where each fill is a trade.
  public let covered: Int64

  /// Creates a trade.
  public init(
    price: Price, size: Quantity, side: Side?, time: Timestamp, arrival: UInt64,
    identifier: Int64 = 0, covered: Int64 = 1
  ) {
    self.price = price
    self.size = size
    self.side = side
    self.time = time
    self.arrival = arrival
    (self.identifier, self.covered) = (identifier, covered)
  }

  /// Whether it follows the trade with this ID without one between them.
  public func follows(_ identifier: Int64) -> Bool { self.identifier - covered == identifier }
}

/// The latest trades of one instrument.
public struct TapeView: Equatable, Sendable {
  /// The instrument.
  public let symbol: Symbol
  /// At most 30, newest first.
  public let trades: [Trade]
  /// What one price unit is.
  public let priceScale: Scale
  /// What one size unit is.
  public let quantityScale: Scale
  /// Decimals to show for prices.
  public let priceDecimals: Scale
  /// Whether the tape is valid now.
  public internal(set) var freshness: Freshness
  /// False once the venue has reported that it has no such instrument.
  public let isKnown: Bool
  /// The instrument as the venue lists it; nil before its list.
  public let listed: ListedInstrument?

  /// Creates a view.
  public init(
    symbol: Symbol, trades: [Trade], priceScale: Scale, quantityScale: Scale, priceDecimals: Scale,
    freshness: Freshness, isKnown: Bool = true, listed: ListedInstrument? = nil
  ) {
    self.symbol = symbol
    self.trades = trades
    self.priceScale = priceScale
    self.quantityScale = quantityScale
    self.priceDecimals = priceDecimals
    self.freshness = freshness
    self.isKnown = isKnown
    self.listed = listed
  }
}
