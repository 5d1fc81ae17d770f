// Sides, trades and the tape: the latest trades of one instrument, newest first.

/// The side of an order or, for a trade, of its aggressor.
///
/// The raw value is its text everywhere: page, ledger, exports.
public enum Side: String, Hashable, Sendable {
  /// Buys.
  case buy
  /// Sells.
  case sell
}

/// Where a value went when it last changed.
public enum Direction: UInt8, Hashable, Sendable {
  /// No change seen yet, or back at the same value.
  case unchanged
  /// Higher than before.
  case up
  /// Lower than before.
  case down
}

/// One execution as the venue reported it.
public struct Trade: Hashable, Sendable {
  /// Price in units of the instrument's price scale.
  public let price: Price
  /// Size in units of the instrument's quantity scale; contracts at BitMEX.
  public let size: Quantity
  /// The taker's side; nil when the venue names none (settlements).
  public let side: Side?
  /// The venue's time.
  public let time: Timestamp
  /// Counts up as trades arrive: the tie-break among equal times, and the row's identity.
  public let arrival: UInt64
  /// The venue's number of it, by which its history knows it; 0 where it has none.
  public let identifier: Int64

  /// Makes a trade from what the venue said.
  public init(
    price: Price, size: Quantity, side: Side?, time: Timestamp, arrival: UInt64,
    identifier: Int64 = 0
  ) {
    self.price = price
    self.size = size
    self.side = side
    self.time = time
    self.arrival = arrival
    self.identifier = identifier
  }
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
  /// Whether this tape can be believed now.
  public internal(set) var freshness: Freshness
  /// Whether the venue has the instrument at all; false once it has said that it has not.
  public let isKnown: Bool

  /// Puts a view together.
  public init(
    symbol: Symbol, trades: [Trade], priceScale: Scale, quantityScale: Scale, priceDecimals: Scale,
    freshness: Freshness, isKnown: Bool = true
  ) {
    self.symbol = symbol
    self.trades = trades
    self.priceScale = priceScale
    self.quantityScale = quantityScale
    self.priceDecimals = priceDecimals
    self.freshness = freshness
    self.isKnown = isKnown
  }
}
