import MarketModel
import OrderMatching

struct TradingActivity: Sendable, Hashable {
  /// Trades in a thousand minutes, 1 to 10^6.
  let tradesPerThousandMinutes: Int64
  /// The mean size of a trade, in lots, 1 to 10^8.
  let meanLots: Int64

  /// Clamps numbers to their ranges.
  init(tradesPerThousandMinutes: Int64, meanLots: Int64) {
    self.tradesPerThousandMinutes = min(max(1, tradesPerThousandMinutes), 1_000_000)
    self.meanLots = min(max(1, meanLots), 100_000_000)
  }
}

/// An instrument's trading as a function of seed and time, so that any minute of the past is
/// available without simulating earlier ones; minutes are counted from 1970.
///
/// Each minute has a candle, and its trades conform to it: the first is the open, one touches the
/// high, one the low, the last is the close, and together they have its lots.
struct PastTrading: Sendable {
  static let minute: Int64 = 60_000_000

  let listing: Int64

  private let seed: UInt64
  private let value: FundamentalValue
  private let activity: TradingActivity
  /// The time at which the value counts 0, in microseconds since 1970.
  private let origin: Int64
  /// The standard deviation of a minute's change, in ticks.
  private let deviation: Int64

  init(
    _ market: MarketListing, value: FundamentalValue, seed: UInt64, origin: Int64, listing: Int64
  ) {
    self.seed = SeedText.seed(seed, "past of " + market.key)
    self.value = value
    self.origin = origin
    self.listing = listing
    activity = market.activity
    // A minute moves a price 7.7 times as far as a second.
    deviation = max(1, market.underlying.volatility * value.startTicks * 77 / 10_000_000_000)
  }

  /// The number of trades between two minutes' starts.
  func count(from: Int64, to: Int64) -> Int64 { ordinal(to) - ordinal(from) }

  /// Whether most minutes have no trade.
  private var isQuiet: Bool { activity.tradesPerThousandMinutes < 500 }

  /// The trades of a minute as a candle; empty without trades.
  func candle(_ minute: Int64) -> TapeCandle {
    candle(
      minute, from: value.ticks(at: time(of: minute)), to: value.ticks(at: time(of: minute + 1)))
  }

  /// The first minute from this one on that has a trade.
  func nextTraded(_ minute: Int64) -> Int64 { self.minute(ofTrade: ordinal(minute) + 1) }

  /// The last minute before this one that has a trade; nil without any since the listing.
  func lastTraded(before minute: Int64) -> Int64? {
    let count = ordinal(minute)
    return count > ordinal(listing) ? self.minute(ofTrade: count) : nil
  }

  /// The minute in which the count of all trades reaches `count`.
  private func minute(ofTrade count: Int64) -> Int64 {
    let mean = activity.tradesPerThousandMinutes
    // The ordinal of a border is `count` from this many thousandths of a minute on.
    let thousandths = (count * 1_000_000 + mean - 1) / mean
    let border = listing + thousandths / 1000
    var random = chance(border, 0)
    return random.below(1000) >= thousandths % 1000 ? border - 1 : border
  }

  /// The trades of the minutes from `from` up to `to`, as one candle.
  func candle(from: Int64, to: Int64) -> TapeCandle {
    var sum = TapeCandle.none
    add(from: from, to: to, to: &sum)
    return sum
  }

  /// Adds the candles of the minutes from `from` up to `to` to a sum.
  func add(from: Int64, to: Int64, to sum: inout TapeCandle) {
    var value = ValueWalk(value)
    if isQuiet {
      var minute = nextTraded(from)
      while minute < to {
        sum.add(
          candle(
            minute, from: value.ticks(at: time(of: minute)),
            to: value.ticks(at: time(of: minute + 1))))
        minute = nextTraded(minute + 1)
      }
      return
    }
    var left = value.ticks(at: time(of: from))
    for minute in from..<to {
      let right = value.ticks(at: time(of: minute + 1))
      sum.add(candle(minute, from: left, to: right))
      left = right
    }
  }

  /// The candle of a minute between two values, which are evaluated only if needed.
  private func candle(
    _ minute: Int64, from: @autoclosure () -> Int64, to: @autoclosure () -> Int64
  ) -> TapeCandle {
    let count = count(from: minute, to: minute + 1)
    guard count > 0 else { return .none }
    var random = chance(minute, 1)
    let close = price(to(), &random)
    // The only trade of a minute is its close.
    let open = count == 1 ? close : price(from(), &random)
    var (high, low) = (max(open, close), min(open, close))
    let wicks = (random.bell(deviation / 4).magnitude, random.bell(deviation / 4).magnitude)
    let isUpper = random.chance(1, of: 2)
    if count > 3 || (count == 3 && isUpper) { high += Int64(wicks.0) }
    if count > 3 || (count == 3 && !isUpper) { low = max(1, low - Int64(wicks.1)) }
    let lots = lots(of: count, &random)
    let spare = lots - count
    let last = count == 1 ? lots : 1 + spare / count * random.below(1000) / 1000
    return TapeCandle(
      open: open, high: high, low: low, close: close, lots: lots,
      average: (open + high + low + close) * 250, lastLots: last, count: count)
  }

  /// The trades of a minute, oldest first, numbered from 1.
  func trades(_ minute: Int64) -> [TapeTrade] {
    let candle = candle(minute)
    guard candle.count > 0 else { return [] }
    var random = chance(minute, 2)
    let prices = prices(candle, &random)
    let sizes = sizes(candle, &random)
    var trades: [TapeTrade] = []
    trades.reserveCapacity(prices.count)
    let slot = PastTrading.minute / candle.count
    for index in prices.indices {
      let drawn = minute * PastTrading.minute + Int64(index) * slot + random.below(max(1, slot))
      let sharesTime = random.chance(1, of: 4)
      let before = trades.last
      let time = sharesTime ? before?.microseconds ?? drawn : drawn
      let isBuy = side(prices[index], before, &random)
      trades.append(
        TapeTrade(
          identifier: Int64(index) + 1, microseconds: time, ticks: prices[index],
          lots: sizes[index], isBuy: isBuy,
          rank: before?.microseconds == time ? (before?.rank ?? 0) + 1 : 0))
    }
    return trades
  }

  /// Trades before a minute, except for a constant: it never falls, and grows by the mean.
  private func ordinal(_ minute: Int64) -> Int64 {
    var random = chance(minute, 0)
    let thousandths = (minute - listing) * 1000 + random.below(1000)
    return PastTrading.divide(thousandths * activity.tradesPerThousandMinutes, 1_000_000)
  }

  /// A minute's start in the value's time.
  private func time(of minute: Int64) -> Int64 { minute * PastTrading.minute - origin }

  /// The price at the border of two minutes: the value with some noise.
  private func price(_ ticks: Int64, _ random: inout SplitMix64) -> Int64 {
    max(1, ticks + random.bell(deviation / 12))
  }

  /// Mostly near the mean, in one minute of sixteen four times as much.
  private func lots(of count: Int64, _ random: inout SplitMix64) -> Int64 {
    let percent = random.within(30...130) * (random.chance(1, of: 16) ? 4 : 1)
    return max(count, count * activity.meanLots * percent / 100)
  }

  /// From the open over the two extremes to the close, with detours that stay between them.
  private func prices(_ candle: TapeCandle, _ random: inout SplitMix64) -> [Int64] {
    let count = Int(candle.count)
    guard count > 1 else { return [candle.close] }
    var knots = [(0, candle.open)]
    if count == 3 {
      let isUpper = candle.high > max(candle.open, candle.close)
      knots.append((1, isUpper ? candle.high : candle.low))
    } else if count > 3 {
      let first = 1 + Int(random.below(Int64(count - 3)))
      let second = first + 1 + Int(random.below(Int64(count - 2 - first)))
      let isHighFirst = random.chance(1, of: 2)
      knots.append((first, isHighFirst ? candle.high : candle.low))
      knots.append((second, isHighFirst ? candle.low : candle.high))
    }
    knots.append((count - 1, candle.close))
    var prices: [Int64] = []
    for (left, right) in zip(knots, knots.dropFirst()) {
      prices.append(left.1)
      for index in (left.0 + 1)..<max(right.0, left.0 + 1) {
        let way = Int64(index - left.0) * 1000 / Int64(right.0 - left.0)
        let straight = left.1 + (right.1 - left.1) * way / 1000
        let price = straight + random.bell(deviation / 8)
        prices.append(min(max(candle.low, price), candle.high))
      }
    }
    prices.append(candle.close)
    return prices
  }

  /// Shares of the candle's lots: most small, a few large; the last as in the candle.
  private func sizes(_ candle: TapeCandle, _ random: inout SplitMix64) -> [Int64] {
    let others = candle.count - 1
    guard others > 0 else { return [candle.lots] }
    var weights: [Int64] = []
    var whole: Int64 = 0
    for _ in 0..<others {
      let weight = random.within(1...9) << random.halvings(atMost: 7)
      weights.append(weight)
      whole += weight
    }
    // Every trade has one lot; the rest is distributed without a remainder.
    let spare = candle.lots - candle.lastLots - others
    var (passed, given): (Int64, Int64) = (0, 0)
    var sizes: [Int64] = []
    for weight in weights {
      passed += weight
      let due = whole.dividingFullWidth(spare.multipliedFullWidth(by: passed)).quotient
      sizes.append(1 + due - given)
      given = due
    }
    return sizes + [candle.lastLots]
  }

  /// The taker of a rising price is mostly a buyer; trades of one time have one taker.
  private func side(_ ticks: Int64, _ before: TapeTrade?, _ random: inout SplitMix64) -> Bool {
    guard let before, before.ticks != ticks else { return random.chance(1, of: 2) }
    return (ticks > before.ticks) != random.chance(1, of: 8)
  }

  private func chance(_ minute: Int64, _ purpose: UInt64) -> SplitMix64 {
    let mixed =
      UInt64(bitPattern: minute) &* 0x9e6c_63d0_876a_68ee &+ purpose &* 0xd1b5_4a32_d192_ed03
    return SplitMix64(seed: seed ^ mixed)
  }

  /// Division that rounds down.
  static func divide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}
