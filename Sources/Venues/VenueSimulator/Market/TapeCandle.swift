import MarketModel
import OrderMatching

struct TapeTrade: Sendable, Equatable {
  /// Rises by one from trade to trade of an instrument.
  let identifier: Int64
  /// In microseconds since 1970.
  let microseconds: Int64
  let ticks: Int64
  let lots: Int64
  /// Whether the taker bought.
  let isBuy: Bool
  /// How many trades before this one share its time.
  let rank: Int64

  func numbered(_ identifier: Int64) -> TapeTrade {
    TapeTrade(
      identifier: identifier, microseconds: microseconds, ticks: ticks, lots: lots, isBuy: isBuy,
      rank: rank)
  }

  /// Whether the taker's order had no limit.
  var isMarketOrder: Bool { identifier % 3 == 0 }

  /// The time in nanoseconds since 1970, unique within a tape for up to 99 trades of one
  /// microsecond, so that paging by time loses and repeats nothing.
  ///
  /// A random digit and the rank are below the microsecond.
  var nanoseconds: Int64 {
    var digit = SplitMix64(seed: UInt64(bitPattern: microseconds))
    return microseconds &* 1000 &+ digit.below(9) * 100 + min(rank, 98) + 1
  }
}

struct TapeCandle: Sendable, Equatable {
  private(set) var open: Int64
  private(set) var high: Int64
  private(set) var low: Int64
  private(set) var close: Int64
  private(set) var lots: Int64
  /// The volume-weighted average price, in thousandths of a tick.
  private(set) var average: Int64
  /// The size of the last trade.
  private(set) var lastLots: Int64
  /// Trades; 0 without any: then all prices are the one given by the caller, or 0.
  private(set) var count: Int64

  init(
    open: Int64, high: Int64, low: Int64, close: Int64, lots: Int64, average: Int64,
    lastLots: Int64, count: Int64
  ) {
    (self.open, self.high, self.low, self.close) = (open, high, low, close)
    (self.lots, self.average, self.lastLots, self.count) = (lots, average, lastLots, count)
  }

  /// A candle without trades at the price before it.
  static func empty(at close: Int64) -> TapeCandle {
    TapeCandle(
      open: close, high: close, low: close, close: close, lots: 0, average: 0, lastLots: 0,
      count: 0)
  }

  static let none = empty(at: 0)

  init(_ trade: TapeTrade) {
    self.init(
      open: trade.ticks, high: trade.ticks, low: trade.ticks, close: trade.ticks,
      lots: trade.lots, average: trade.ticks * 1000, lastLots: trade.lots, count: 1)
  }

  /// Appends the trades of the next span.
  mutating func add(_ next: TapeCandle) {
    guard next.count > 0 else { return }
    guard count > 0 else {
      self = next
      return
    }
    high = max(high, next.high)
    low = min(low, next.low)
    close = next.close
    let (sum, _) = lots.addingReportingOverflow(next.lots)
    // The difference weighted by the new lots' share, which avoids an overflow.
    let share = (next.average - average).magnitude.multipliedFullWidth(by: next.lots.magnitude)
    let step = Int64(clamping: sum.magnitude.dividingFullWidth(share).quotient)
    average += next.average < average ? -step : step
    lots = sum
    lastLots = next.lastLots
    count += next.count
  }
}
