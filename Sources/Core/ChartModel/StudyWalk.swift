import MarketModel

/// The values of the studies at each candle of an interval, in time order and in whole units.
///
/// Averages restart after each gap. VWAP continues, because its reading reports the missing time.
struct StudyWalk {
  /// Prices beyond ±17.6 × 10^12 units are skipped.
  static let mostUnits: Int64 = 1 << 44
  private static let fractionBits: Int64 = 16
  /// EMA lengths walked before the view; older data weighs less than 1 in 10^17.
  static let settling = 20

  private let candles: CandleRun
  private let choice: StudyChoice
  /// The sum of the closes in the moving average.
  private var sum: Int64 = 0
  /// Candles since the last gap.
  private(set) var count = 0
  private(set) var dayCount = 0
  private var exponential: Int64 = 0
  private var products = WideSum()
  private var volume: UInt64 = 0
  private var isTooLarge = false

  init(_ candles: CandleRun, _ choice: StudyChoice) {
    self.candles = candles
    self.choice = choice
  }

  mutating func take(_ index: Int, isBroken: Bool, beginsDay: Bool) {
    let candle = candles[index]
    if isBroken || candle.isOutOfReach { count = 0 }
    if beginsDay {
      (products, volume, dayCount) = (WideSum(), 0, 0)
      isTooLarge = false
    }
    dayCount += 1
    addVolume(of: candle)
    guard !candle.isOutOfReach else { return }
    addClose(candle.close.units, at: index)
  }

  private mutating func addClose(_ close: Int64, at index: Int) {
    count += 1
    sum = count == 1 ? close : sum + close
    if count > choice.movingAverage, choice.movingAverage > 0 {
      sum -= candles[index - choice.movingAverage].close.units
    }
    let length = Int64(choice.exponentialAverage)
    let exact = close << StudyWalk.fractionBits
    if count == 1 {
      exponential = exact
    } else if length > 0 {
      // The first candles are averaged; then a close has weight 2 / (length + 1).
      let (weight, of): (Int64, Int64) = count <= length ? (1, Int64(count)) : (2, length + 1)
      exponential += StudyWalk.rounded((exact - exponential) * weight, by: of)
    }
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

  func value(of study: Study) -> Int64? {
    let needed = choice.candles(of: study)
    guard needed > 0 else { return nil }
    switch study {
    case .movingAverage:
      return count >= needed ? StudyWalk.rounded(sum, by: Int64(needed)) : nil
    case .exponentialAverage:
      return count >= needed ? StudyWalk.rounded(exponential, by: 1 << StudyWalk.fractionBits) : nil
    case .volumeWeighted:
      let (divisor, overflow) = volume.multipliedReportingOverflow(by: 3)
      return isTooLarge || overflow ? nil : products.quotient(by: divisor)
    }
  }

  /// Rounds half to even; the divisor must be positive.
  private static func rounded(_ value: Int64, by divisor: Int64) -> Int64 {
    var (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    if remainder < 0 { (quotient, remainder) = (quotient - 1, remainder + divisor) }
    let rest = divisor - remainder
    return remainder > rest || (remainder == rest && quotient % 2 != 0) ? quotient + 1 : quotient
  }
}

extension Candle {
  fileprivate var isOutOfReach: Bool {
    high.units.magnitude > StudyWalk.mostUnits.magnitude
      || low.units.magnitude > StudyWalk.mostUnits.magnitude
  }
}
