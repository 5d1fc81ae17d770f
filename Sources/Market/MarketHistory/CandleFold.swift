import ChartModel
import MarketModel

/// Merges fine candles; one without trades, at the previous close, moves neither high, low nor
/// open.
struct CandleFold {
  let start: Int64
  /// Milliseconds of missing parts.
  private var missing: Int64 = 0
  private var candle: Candle?

  init(start: Int64) { self.start = start }

  mutating func add(_ part: Candle) {
    missing += Int64(part.missing)
    guard var sum = candle else {
      candle = part
      candle?.start = start
      return
    }
    if part.count > 0 {
      if sum.count > 0 {
        sum.high = max(sum.high, part.high)
        sum.low = min(sum.low, part.low)
      } else {
        (sum.open, sum.high, sum.low) = (part.open, part.high, part.low)
      }
      sum.close = part.close
    }
    sum.volume.units = saturatingSum(sum.volume.units, part.volume.units)
    sum.count = Int32(clamping: Int64(sum.count) + Int64(part.count))
    if part.source.rawValue > sum.source.rawValue { sum.source = part.source }
    if part.proof != sum.proof { sum.proof = .none }
    candle = sum
  }

  mutating func skip(_ milliseconds: Int64) { missing += max(0, milliseconds) }

  var result: Candle? {
    guard var candle else { return nil }
    candle.missing = Int32(clamping: missing)
    if missing > 0 {
      candle.source = .seen
      candle.proof = .none
    }
    return candle
  }
}

extension Candle {
  /// Whether prices, volume and, if the venue counts trades, their number are equal.
  func hasSameFigures(as other: Candle, counting: Bool) -> Bool {
    open == other.open && high == other.high && low == other.low && close == other.close
      && volume == other.volume
      && (counting ? count == other.count : hasTrades == other.hasTrades)
  }
}
