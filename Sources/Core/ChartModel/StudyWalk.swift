// Studies candle by candle, in whole units: what a person reads is no binary fraction.

import MarketModel

/// The values of the studies at each candle of an interval, in the order of time.
///
/// Averages begin anew behind each gap: a mean over a hole would be one of another time. The price
/// by volume goes on, for it says what it is without.
struct StudyWalk {
  /// Prices beyond this many units either way, 17 million millions, are left out.
  static let mostUnits: Int64 = 1 << 44
  private static let fractionBits: Int64 = 16
  /// How often the candles of an exponential average are walked before its first value counts as
  /// that of the whole past: what was before weighs less than 1 in 10^17 then.
  static let settling = 20

  private let candles: CandleRun
  private let choice: StudyChoice
  /// Closes of the run that the moving average counts, and their sum.
  private var sum: Int64 = 0
  /// Candles since the last gap.
  private(set) var count = 0
  /// Candles since the day began.
  private(set) var dayCount = 0
  private var exponential: Int64 = 0
  private var products = WideSum()
  private var volume: UInt64 = 0
  private var isTooLarge = false

  init(_ candles: CandleRun, _ choice: StudyChoice) {
    self.candles = candles
    self.choice = choice
  }

  /// Takes the candle at an index, which follows the one before.
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
      // The mean of the first candles, then each close with 2 in their number and 1.
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

  /// The value of a study after the latest candle; nil while it has none.
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

  /// Rounded half to even; the divisor is above 0.
  private static func rounded(_ value: Int64, by divisor: Int64) -> Int64 {
    var (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    if remainder < 0 { (quotient, remainder) = (quotient - 1, remainder + divisor) }
    let rest = divisor - remainder
    return remainder > rest || (remainder == rest && quotient % 2 != 0) ? quotient + 1 : quotient
  }
}

extension Candle {
  /// Whether its prices are larger than studies can count.
  fileprivate var isOutOfReach: Bool {
    high.units.magnitude > StudyWalk.mostUnits.magnitude
      || low.units.magnitude > StudyWalk.mostUnits.magnitude
  }
}
