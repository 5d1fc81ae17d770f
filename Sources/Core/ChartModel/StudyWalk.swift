import MarketModel

/// A mean that forgets: of all values up to its length, then each new one has a fixed weight.
///
/// Values and the mean are in 2^-16 of a unit.
private struct FadingMean {
  private let length: Int64
  private let weight: Int64
  private let whole: Int64
  private(set) var count: Int64 = 0
  private(set) var value: Int64 = 0

  /// Each value after the first `length` has weight 2 / (length + 1).
  static func exponential(_ length: Int) -> FadingMean {
    FadingMean(length: Int64(length), weight: 2, whole: Int64(length) + 1)
  }

  /// Each value after the first `length` has weight 1 / length.
  static func wilder(_ length: Int) -> FadingMean {
    FadingMean(length: Int64(length), weight: 1, whole: Int64(length))
  }

  private init(length: Int64, weight: Int64, whole: Int64) {
    (self.length, self.weight, self.whole) = (length, weight, whole)
  }

  var isComplete: Bool { length > 0 && count >= length }

  mutating func restart() { count = 0 }

  mutating func add(_ exact: Int64) {
    guard length > 0 else { return }
    count += 1
    let (weight, whole) = count <= length ? (1, count) : (self.weight, self.whole)
    value = count == 1 ? exact : value + StudyWalk.rounded((exact - value) * weight, by: whole)
  }
}

/// The values of the studies at each candle of an interval, in time order and in whole units.
///
/// All restart after each gap, except VWAP, whose reading reports the missing time.
struct StudyWalk {
  /// Prices beyond ±8.8 × 10^12 units are skipped: differences of means keep inside 64 bits.
  static let mostUnits: Int64 = 1 << 43
  private static let fractionBits: Int64 = 16

  private let candles: CandleRun
  private let choice: StudyChoice
  /// The sum of the closes in the moving average.
  private var sum: Int64 = 0
  /// Candles since the last gap.
  private(set) var count = 0
  private(set) var dayCount = 0
  private var index = 0
  private var exponential: FadingMean
  private var fast: FadingMean
  private var slow: FadingMean
  private var signal: FadingMean
  private var gains: FadingMean
  private var losses: FadingMean
  private var trueRange: FadingMean
  private var products = WideSum()
  private var volume: UInt64 = 0
  private var isTooLarge = false

  init(_ candles: CandleRun, _ choice: StudyChoice) {
    self.candles = candles
    self.choice = choice
    exponential = .exponential(choice.exponentialAverage)
    fast = .exponential(choice.convergence.fast)
    slow = .exponential(choice.convergence.slow)
    signal = .exponential(choice.convergence.signal)
    gains = .wilder(choice.relativeStrength)
    losses = .wilder(choice.relativeStrength)
    trueRange = .wilder(choice.trueRange)
  }

  mutating func take(_ index: Int, isBroken: Bool, beginsDay: Bool) {
    let candle = candles[index]
    self.index = index
    if isBroken || candle.isOutOfReach { restart() }
    if beginsDay {
      (products, volume, dayCount) = (WideSum(), 0, 0)
      isTooLarge = false
    }
    dayCount += 1
    addVolume(of: candle)
    guard !candle.isOutOfReach else { return }
    addPrices(of: candle, after: count > 0 ? candles[index - 1].close.units : nil)
  }

  private mutating func restart() {
    count = 0
    exponential.restart()
    fast.restart()
    slow.restart()
    signal.restart()
    gains.restart()
    losses.restart()
    trueRange.restart()
  }

  private mutating func addPrices(of candle: Candle, after before: Int64?) {
    let close = candle.close.units
    count += 1
    sum = count == 1 ? close : sum + close
    if count > choice.movingAverage, choice.movingAverage > 0 {
      sum -= candles[index - choice.movingAverage].close.units
    }
    let exact = close << StudyWalk.fractionBits
    exponential.add(exact)
    fast.add(exact)
    slow.add(exact)
    if slow.isComplete { signal.add(fast.value - slow.value) }
    var range = candle.high.units - candle.low.units
    if let before {
      gains.add(max(0, close - before) << StudyWalk.fractionBits)
      losses.add(max(0, before - close) << StudyWalk.fractionBits)
      range = max(range, abs(candle.high.units - before), abs(candle.low.units - before))
    }
    trueRange.add(range << StudyWalk.fractionBits)
  }

  private mutating func addVolume(of candle: Candle) {
    guard candle.hasTrades, candle.volume.units > 0 else { return }
    guard !candle.isOutOfReach, candle.low.units > 0 else {
      isTooLarge = true
      return
    }
    let prices = candle.high.units + candle.low.units + candle.close.units
    products.add(candle.volume.units.magnitude, times: prices.magnitude)
    let (sum, overflow) = volume.addingReportingOverflow(candle.volume.units.magnitude)
    volume = sum
    if overflow { isTooLarge = true }
  }

  /// The value at the last candle taken, O(1) but for the bands, which read their candles again.
  func value(of study: Study) -> Int64? {
    let needed = choice.candles(of: study)
    guard needed > 0, study == .volumeWeighted || count >= needed else { return nil }
    switch study {
    case .movingAverage: return StudyWalk.rounded(sum, by: Int64(needed))
    case .exponentialAverage: return whole(exponential.value)
    case .volumeWeighted:
      let (divisor, overflow) = volume.multipliedReportingOverflow(by: 3)
      return isTooLarge || overflow ? nil : products.quotient(by: divisor)
    case .upperBand: return band(1)
    case .middleBand: return band(0)
    case .lowerBand: return band(-1)
    case .relativeStrength: return strength
    case .convergence: return whole(fast.value - slow.value)
    case .signal: return whole(signal.value)
    case .histogram: return whole(fast.value - slow.value - signal.value)
    case .trueRange: return whole(trueRange.value)
    }
  }

  private func whole(_ exact: Int64) -> Int64 {
    StudyWalk.rounded(exact, by: 1 << StudyWalk.fractionBits)
  }

  /// The gains' share of all changes, in hundredths of a percent.
  private var strength: Int64 {
    var (gain, whole) = (gains.value, gains.value + losses.value)
    guard whole > 0 else { return 5000 }
    // Enough digits for the hundredths, and ten thousand times as many fit.
    while whole >= 1 << 49 { (gain, whole) = (gain >> 1, whole >> 1) }
    return StudyWalk.rounded(gain * 10_000, by: whole)
  }

  /// The mean of the closes plus `side` times their deviation (of all of them, not of a sample).
  private func band(_ side: Int64) -> Int64 {
    let count = Int64(choice.bands)
    let window = (index + 1 - choice.bands)...index
    var sum: Int64 = 0
    for at in window { sum += candles[at].close.units }
    let mean = StudyWalk.rounded(sum, by: count)
    guard side != 0 else { return mean }
    var farthest: Int64 = 1
    for at in window { farthest = max(farthest, abs(candles[at].close.units - mean)) }
    // Squares of 26 bits sum up inside 64 bits: near prices gain fraction bits, others lose some.
    let bits = 26 - (Int64.bitWidth - farthest.leadingZeroBitCount)
    let scaled = { (units: Int64) in bits >= 0 ? units << Int64(bits) : units >> Int64(-bits) }
    var squares: Int64 = 0
    var rest: Int64 = 0
    for at in window {
      let distance = scaled(candles[at].close.units - mean)
      squares += distance * distance
      rest += distance
    }
    // The rounded mean is not quite the centre.
    let centre = StudyWalk.rounded(rest, by: count)
    let deviation = Int64((squares / count - centre * centre).magnitude.squareRoot)
    let tenths = centre * 10 + side * deviation * Int64(choice.bandTenths)
    return bits >= 0
      ? mean + StudyWalk.rounded(tenths, by: 10 << Int64(bits))
      : mean + StudyWalk.rounded(tenths, by: 10) << Int64(-bits)
  }

  /// Rounds half to even; the divisor must be positive.
  fileprivate static func rounded(_ value: Int64, by divisor: Int64) -> Int64 {
    var (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    if remainder < 0 { (quotient, remainder) = (quotient - 1, remainder + divisor) }
    let rest = divisor - remainder
    return remainder > rest || (remainder == rest && quotient % 2 != 0) ? quotient + 1 : quotient
  }
}

extension UInt64 {
  /// The whole square root, rounded down.
  fileprivate var squareRoot: UInt64 {
    guard self > 1 else { return self }
    var root: UInt64 = 1 << UInt64((65 - leadingZeroBitCount) / 2)
    while true {
      let next = (root + self / root) / 2
      if next >= root { return root }
      root = next
    }
  }
}

extension Candle {
  fileprivate var isOutOfReach: Bool {
    high.units.magnitude > StudyWalk.mostUnits.magnitude
      || low.units.magnitude > StudyWalk.mostUnits.magnitude
  }
}
