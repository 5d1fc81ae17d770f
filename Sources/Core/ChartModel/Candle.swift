// Open, high, low, close and traded size of a span of time.

public import MarketModel

/// What happened in one span.
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
  /// Traded size; 0 where the feed names none.
  public var volume: Quantity
  /// The number of trades or ticks, at most 2^31 - 1.
  ///
  /// 0 where nobody traded: then all prices are the close before.
  public var count: Int32 = 1
  /// Milliseconds of its span that nobody vouches for; 0 for one that is whole.
  ///
  /// What a series says by its gaps is not in it.
  public var missing: Int32 = 0
  /// Who vouches for it.
  public var source = CandleSource.seen
  /// Whether it was compared with the venue's.
  public var proof = CandleProof.none

  /// A span with one tick.
  public init(start: Int64, price: Price, volume: Quantity) {
    self.start = start
    open = price
    high = price
    low = price
    close = price
    self.volume = volume
  }

  /// A whole candle, as a history gives it.
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

  /// Whether anybody traded; without, its prices are the close before it.
  public var hasTrades: Bool { count > 0 }

  /// Takes a tick.
  ///
  /// A late one widens the range but is not the close. The first one in a candle without trades is
  /// all four prices. What was proven before is not any more.
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

  /// Takes the candle that follows, for a coarser view of both.
  ///
  /// The open is the first traded price, the close before where nobody traded: as Kraken's rows
  /// have it. Who vouches for both is the poorer of the two; proven are both or neither, and one
  /// contradiction contradicts the whole.
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

  /// Takes milliseconds of its span that nobody vouches for.
  mutating func lose(_ milliseconds: Int64) {
    missing = Int32(clamping: Int64(missing) + max(0, milliseconds))
  }
}
