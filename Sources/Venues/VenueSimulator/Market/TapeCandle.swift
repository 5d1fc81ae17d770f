// What a tape tells: one trade, and a span of trades as a candle.

import MarketModel
import OrderMatching

/// One execution of a tape.
struct TapeTrade: Sendable, Equatable {
  /// Rises by one from trade to trade of an instrument.
  let identifier: Int64
  /// When, in microseconds since 1970.
  let microseconds: Int64
  /// The price.
  let ticks: Int64
  /// How much.
  let lots: Int64
  /// Whether the taker bought.
  let isBuy: Bool
  /// How many trades before this one share its time.
  let rank: Int64

  /// The same with another identifier.
  func numbered(_ identifier: Int64) -> TapeTrade {
    TapeTrade(
      identifier: identifier, microseconds: microseconds, ticks: ticks, lots: lots, isBuy: isBuy,
      rank: rank)
  }

  /// Whether the taker's order had no limit.
  var isMarketOrder: Bool { identifier % 3 == 0 }

  /// When, in nanoseconds since 1970: no two trades of a tape share one, so that a reader who goes
  /// on after it loses nothing and meets nothing twice.
  ///
  /// Below the microsecond stand a digit of chance and the rank.
  var nanoseconds: Int64 {
    var digit = SplitMix64(seed: UInt64(bitPattern: microseconds))
    return microseconds &* 1000 &+ digit.below(9) * 100 + min(rank, 98) + 1
  }
}

/// The trades of a span: first, highest, lowest and last price, how much and how many.
struct TapeCandle: Sendable, Equatable {
  private(set) var open: Int64
  private(set) var high: Int64
  private(set) var low: Int64
  private(set) var close: Int64
  /// Traded lots.
  private(set) var lots: Int64
  /// The price of an average lot, in thousandths of a tick.
  private(set) var average: Int64
  /// The size of the last trade.
  private(set) var lastLots: Int64
  /// Trades; 0 when nobody traded: then all prices are one that somebody else knows, or 0.
  private(set) var count: Int64

  /// Puts a candle together.
  init(
    open: Int64, high: Int64, low: Int64, close: Int64, lots: Int64, average: Int64,
    lastLots: Int64, count: Int64
  ) {
    (self.open, self.high, self.low, self.close) = (open, high, low, close)
    (self.lots, self.average, self.lastLots, self.count) = (lots, average, lastLots, count)
  }

  /// Nobody traded, and the price before was this.
  static func empty(at close: Int64) -> TapeCandle {
    TapeCandle(
      open: close, high: close, low: close, close: close, lots: 0, average: 0, lastLots: 0,
      count: 0)
  }

  /// Nobody traded.
  static let none = empty(at: 0)

  /// One trade.
  init(_ trade: TapeTrade) {
    self.init(
      open: trade.ticks, high: trade.ticks, low: trade.ticks, close: trade.ticks,
      lots: trade.lots, average: trade.ticks * 1000, lastLots: trade.lots, count: 1)
  }

  /// Goes on with what was traded next.
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
    // The difference weighted by the new lots' share: nothing overflows on the way.
    let share = (next.average - average).magnitude.multipliedFullWidth(by: next.lots.magnitude)
    let step = Int64(clamping: sum.magnitude.dividingFullWidth(share).quotient)
    average += next.average < average ? -step : step
    lots = sum
    lastLots = next.lastLots
    count += next.count
  }
}
