public import MarketModel

/// Open, high, low, close and traded size of a time span.
public struct Candle: Hashable, Sendable {
  /// Start of the span, milliseconds since 1970.
  public var start: Int64
  /// First price.
  public var open: Price
  /// Highest price.
  public var high: Price
  /// Lowest price.
  public var low: Price
  /// Last price.
  public var close: Price
  /// Traded size; 0 where the feed sends none.
  public var volume: Quantity
  /// The number of trades or ticks, at most 2^31 - 1; if 0, all prices are the previous close.
  public var count: Int32 = 1
  /// Milliseconds of its span without data, not counting a series' gaps; 0 for a complete candle.
  public var missing: Int32 = 0
  /// Where its data comes from.
  public var source = CandleSource.seen
  /// The result of the comparison with the venue's candle.
  public var proof = CandleProof.none

  /// Creates a candle from one tick.
  public init(start: Int64, price: Price, volume: Quantity) {
    self.start = start
    open = price
    high = price
    low = price
    close = price
    self.volume = volume
  }

  /// Creates a candle from all its values.
  public init(
    start: Int64, open: Price, high: Price, low: Price, close: Price, volume: Quantity,
    count: Int32 = 1, missing: Int32 = 0, source: CandleSource = .seen,
    proof: CandleProof = .none
  ) {
    self.start = start
    self.open = open
    self.high = high
    self.low = low
    self.close = close
    self.volume = volume
    self.count = count
    self.missing = missing
    self.source = source
    self.proof = proof
  }

  /// Whether there were trades; otherwise all prices are the previous close.
  public var hasTrades: Bool { count > 0 }

  /// Applies a tick and resets the proof.
  ///
  /// A late tick widens the range but does not set the close. The first tick of a candle without
  /// trades sets all four prices.
  public mutating func add(_ price: Price, volume: Quantity, isLatest: Bool) {
    if !hasTrades { (open, high, low, close) = (price, price, price, price) }
    if price > high { high = price }
    if price < low { low = price }
    if isLatest { close = price }
    self.volume = Quantity(units: saturatingSum(self.volume.units, volume.units))
    if count < .max { count += 1 }
    proof = .none
    if source == .venue { source = .trades }
  }

  /// Merges the next candle, for a coarser interval.
  ///
  /// The open is the first traded price, or the previous close without trades, as in Kraken's rows.
  /// The weaker source counts; proven needs both, contradicted either.
  mutating func append(_ next: Candle) {
    if next.hasTrades {
      if !hasTrades { (open, high, low) = (next.open, next.high, next.low) }
      if next.high > high { high = next.high }
      if next.low < low { low = next.low }
      close = next.close
    }
    volume = Quantity(units: saturatingSum(volume.units, next.volume.units))
    count = Int32(clamping: Int64(count) + Int64(next.count))
    lose(Int64(next.missing))
    source = CandleSource(rawValue: max(source.rawValue, next.source.rawValue)) ?? .seen
    if next.proof != proof {
      let isContradicted = next.proof == .contradicted || proof == .contradicted
      proof = isContradicted ? .contradicted : .none
    }
  }

  mutating func lose(_ milliseconds: Int64) {
    missing = Int32(clamping: Int64(missing) + max(0, milliseconds))
  }
}
