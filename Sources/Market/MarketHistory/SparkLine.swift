public import ChartModel
public import MarketModel

/// The closes of the last 24 whole hours, oldest first, and of the open one.
public struct SparkLine: Hashable, Sendable {
  /// Whole hours in a line.
  public static let hours = 24
  /// A line without data.
  public static let empty = SparkLine(from: 0, closes: [], source: .seen, isWhole: false)

  /// The start of the first hour, milliseconds since 1970.
  public let from: Int64
  /// A close per hour, the open hour's last; nil without trades or data.
  ///
  /// Empty without any, else 25.
  public let closes: [FixedDecimal?]
  /// The weakest source among its hours.
  public let source: CandleSource
  /// Whether all 24 whole hours are complete.
  public let isWhole: Bool

  private init(from: Int64, closes: [FixedDecimal?], source: CandleSource, isWhole: Bool) {
    (self.from, self.closes, self.source, self.isWhole) = (from, closes, source, isWhole)
  }

  private struct Hour {
    let start: Int64
    let close: FixedDecimal?
    let isWhole: Bool
    let source: CandleSource
  }

  /// The line at a time, from any number of hour candles with unique starts.
  public init(_ candles: [Candle], priceScale: Scale, at now: Timestamp) {
    let length = CandleInterval.hour.milliseconds
    self.init(
      candles.map { candle in
        let isKnown = candle.hasTrades && Int64(candle.missing) < length
        return Hour(
          start: candle.start,
          close: isKnown ? FixedDecimal(candle.close, scale: priceScale).trimmed : nil,
          isWhole: candle.missing == 0, source: candle.missing == 0 ? candle.source : .seen)
      }, at: now)
  }

  /// The line at a time, from the venue's candles.
  public init(_ answer: VenueCandles, at now: Timestamp) {
    self.init(
      answer.rows.map { row in
        Hour(
          start: row.start, close: row.hasTrades ? row.close : nil, isWhole: true, source: .venue)
      }, at: now)
  }

  private init(_ hours: [Hour], at now: Timestamp) {
    let forming = SparkLine.hour(at: now)
    let length = CandleInterval.hour.milliseconds
    from = forming - Int64(SparkLine.hours) * length
    var closes = [FixedDecimal?](repeating: nil, count: SparkLine.hours + 1)
    var (whole, poorest) = (0, CandleSource.venue.rawValue)
    for hour in hours where hour.start >= from && hour.start <= forming {
      guard hour.start == CandleInterval.hour.start(of: hour.start) else { continue }
      closes[Int((hour.start - from) / length)] = hour.close
      guard hour.start < forming else { continue }
      if hour.isWhole { whole += 1 }
      poorest = max(poorest, hour.source.rawValue)
    }
    let isEmpty = closes.allSatisfy { $0 == nil }
    self.closes = isEmpty ? [] : closes
    // The open hour alone counts as observed.
    source = whole == 0 ? .seen : CandleSource(rawValue: poorest) ?? .seen
    isWhole = whole == SparkLine.hours
  }

  /// The start of a time's hour, milliseconds since 1970.
  public static func hour(at now: Timestamp) -> Int64 {
    CandleInterval.hour.start(of: now.milliseconds)
  }
}
