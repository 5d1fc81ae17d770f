import MarketModel

/// A row of the profile in pixels.
public struct ProfileMark: Hashable, Sendable {
  /// Top.
  public var top: Float
  /// Bottom.
  public var bottom: Float
  /// Length.
  public var width: Float
  /// Whether this is a row with the most volume.
  public var isMost: Bool
}

/// Volume by price: each candle's volume is spread over the prices it reached.
struct VolumeProfile {
  let low: Int64
  /// Price units per row.
  let step: Int64
  /// Volume per row, the lowest first.
  private(set) var rows: [Int64]

  /// Creates empty rows from `low` to `high`, at most `most` and one more, each of whole ticks.
  init(low: Price, high: Price, tick: Int64, rows most: Int) {
    let extent = max(0, PriceAxis.distance(low, high))
    let unit = max(1, tick)
    let ticks = extent / Int64(max(1, most)) / unit
    let (step, overflow) = saturatingSum(ticks, 1).multipliedReportingOverflow(by: unit)
    self.step = overflow ? Int64.max : step
    let remainder = low.units % unit
    self.low = saturatingSum(low.units, -(remainder < 0 ? remainder + unit : remainder))
    let span = max(0, PriceAxis.distance(Price(units: self.low), high))
    rows = Array(repeating: 0, count: Int(min(Int64(most) + 1, span / self.step + 1)))
  }

  /// Spreads a candle's volume evenly over the rows it reached, the remainder over the lowest.
  mutating func add(_ candle: Candle) {
    guard candle.volume.units > 0, !rows.isEmpty else { return }
    let (first, last) = (row(of: candle.low), row(of: candle.high))
    let count = Int64(last - first + 1)
    let (share, rest) = candle.volume.units.quotientAndRemainder(dividingBy: count)
    for row in first...last {
      let extra: Int64 = Int64(row - first) < rest ? 1 : 0
      rows[row] = saturatingSum(rows[row], share + extra)
    }
  }

  var most: Int? {
    var found: Int?
    for row in rows.indices where rows[row] > (found.map { rows[$0] } ?? 0) { found = row }
    return found
  }

  private func row(of price: Price) -> Int {
    let above = max(0, PriceAxis.distance(Price(units: low), price))
    return Int(min(above / step, Int64(rows.count - 1)))
  }
}

extension ChartScene {
  private static let profileShare = 0.22
  private static let rowPixels = 7.0
  private static let mostRows = 64

  /// Marks the volume by price of the candles in view; O(visible candles × rows that they reach).
  mutating func placeProfile(_ range: Range<Int>, _ axis: PriceAxis) {
    guard studies.hasProfile, let profile = profile(of: range, axis), let most = profile.most
    else { return }
    let longest = Double(profile.rows[most])
    for row in profile.rows.indices where profile.rows[row] > 0 {
      let bottom = saturatingSum(profile.low, Int64(row) * profile.step)
      list.profile.append(
        ProfileMark(
          top: Float(axis.y(of: Price(units: saturatingSum(bottom, profile.step)))),
          bottom: Float(axis.y(of: Price(units: bottom))),
          width: Float(
            Double(profile.rows[row]) / longest * viewport.width * ChartScene.profileShare),
          isMost: row == most))
    }
  }

  /// The time span of the profile and the prices of its fullest row; nil without volume in view.
  public var profileReading: (since: Int64, until: Int64, range: PriceRange)? {
    let range = visibleRange
    guard let axis, studies.hasProfile, let profile = profile(of: range, axis),
      let most = profile.most
    else { return nil }
    let candles = series.candles.candles(of: drawn)
    let bottom = saturatingSum(profile.low, Int64(most) * profile.step)
    return (
      candles[range.lowerBound].start, candles[range.upperBound - 1].start + drawn.milliseconds,
      PriceRange(Price(units: bottom), Price(units: saturatingSum(bottom, profile.step)))
    )
  }

  private func profile(of range: Range<Int>, _ axis: PriceAxis) -> VolumeProfile? {
    guard let extent = extent(of: range), extent.volume > 0 else { return nil }
    let height = axis.y(of: extent.low) - axis.y(of: extent.high)
    let rows = Int(
      min(Double(ChartScene.mostRows), max(1, height / ChartScene.rowPixels / pixelRatio)))
    var profile = VolumeProfile(low: extent.low, high: extent.high, tick: tick, rows: rows)
    let candles = series.candles.candles(of: drawn)
    for index in range { profile.add(candles[index]) }
    return profile
  }
}
