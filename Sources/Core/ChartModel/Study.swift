public import MarketModel

/// An indicator line derived from candles.
public enum Study: UInt8, Sendable, CaseIterable {
  /// The mean of the last closes (SMA).
  case movingAverage
  /// The exponentially weighted mean of the closes (EMA).
  case exponentialAverage
  /// The volume-weighted average price of the day (VWAP).
  case volumeWeighted
}

/// The chosen studies.
public struct StudyChoice: Hashable, Sendable {
  /// The longest average, in candles.
  public static let mostCandles = 400

  /// The candles of the moving average; 0 for none.
  public let movingAverage: Int
  /// The candles of the exponential average; 0 for none.
  public let exponentialAverage: Int
  /// Whether VWAP is drawn.
  public let hasVolumeWeighted: Bool
  /// Whether the volume profile is drawn.
  public let hasProfile: Bool

  /// Chooses studies; averages of fewer than 2 candles are off, and ``mostCandles`` is the limit.
  public init(
    movingAverage: Int = 0, exponentialAverage: Int = 0, hasVolumeWeighted: Bool = false,
    hasProfile: Bool = false
  ) {
    let bounded = { (count: Int) in count < 2 ? 0 : min(count, StudyChoice.mostCandles) }
    self.movingAverage = bounded(movingAverage)
    self.exponentialAverage = bounded(exponentialAverage)
    self.hasVolumeWeighted = hasVolumeWeighted
    self.hasProfile = hasProfile
  }

  /// The candles a study needs before it has a value; 0 if it is off.
  func candles(of study: Study) -> Int {
    switch study {
    case .movingAverage: movingAverage
    case .exponentialAverage: exponentialAverage
    case .volumeWeighted: hasVolumeWeighted ? 1 : 0
    }
  }
}

/// A vertex of a study's line.
public struct StudyMark: Hashable, Sendable {
  /// From the left.
  public var x: Float
  /// From the top.
  public var y: Float
  /// The study.
  public var study: Study
  /// Whether the line breaks before this vertex.
  public var startsNew: Bool
}

/// The value of a study at a candle, and the data behind it.
public struct StudyReading: Hashable, Sendable {
  /// The value; nil with too few candles.
  public let value: Price?
  /// The start of its data, milliseconds since 1970; nil when earlier data has no weight.
  public let since: Int64?
  /// The number of candles it counts.
  public let candles: Int
  /// Gaps in its data, in time order.
  public let blind: [SeriesGap]
  /// Missing milliseconds of single candles outside ``blind``.
  public let missing: Int64
}
