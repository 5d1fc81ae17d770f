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
    start: Int64, open: Price, high: Price, low: Price, close: Price, volume: Quantity
  ) {
    self.start = start
    self.open = open
    self.high = high
    self.low = low
    self.close = close
    self.volume = volume
  }

  /// Takes a tick.
  ///
  /// A late one widens the range but is not the close.
  public mutating func add(_ price: Price, volume: Quantity, isLatest: Bool) {
    if price > high { high = price }
    if price < low { low = price }
    if isLatest { close = price }
    self.volume = Quantity(units: saturatedSum(self.volume.units, volume.units))
  }

  /// Takes the candle that follows, for a coarser view of both.
  mutating func append(_ next: Candle) {
    if next.high > high { high = next.high }
    if next.low < low { low = next.low }
    close = next.close
    volume = Quantity(units: saturatedSum(volume.units, next.volume.units))
  }
}

/// The sum, or the largest number when it does not fit.
func saturatedSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (left < 0 ? Int64.min : Int64.max) : sum
}
