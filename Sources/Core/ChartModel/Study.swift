// What is made of candles and drawn over them, and how much of it is known.

public import MarketModel

/// A line through values of candles.
public enum Study: UInt8, Sendable, CaseIterable {
  /// The mean of the last closes.
  case movingAverage
  /// The mean of all closes, where each weighs less than the next.
  case exponentialAverage
  /// The mean price of what was traded since the day began, by quantity.
  case volumeWeighted
}

/// Which studies are drawn.
public struct StudyChoice: Hashable, Sendable {
  /// The most candles of an average.
  public static let mostCandles = 400

  /// The candles of the moving average; 0 for none.
  public let movingAverage: Int
  /// The candles of the exponential average; 0 for none.
  public let exponentialAverage: Int
  /// Whether the price by volume is drawn.
  public let hasVolumeWeighted: Bool
  /// Whether the volume by price is drawn.
  public let hasProfile: Bool

  /// Chooses studies; averages of fewer than 2 candles are none, and none has more than
  /// ``mostCandles``.
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

  /// How many candles a study needs before it has a value; 0 for one that is not drawn.
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
  /// Whose line.
  public var study: Study
  /// Whether the line is lifted before this vertex.
  public var startsNew: Bool
}

/// The value of a study at a candle, and what it knows.
public struct StudyReading: Hashable, Sendable {
  /// The value; nil while too few candles are known.
  public let value: Price?
  /// From when on it counts, milliseconds since 1970; nil where what was before weighs nothing.
  public let since: Int64?
  /// How many candles it counts.
  public let candles: Int
  /// Stretches in it that nobody vouches for, in the order of time.
  public let blind: [SeriesGap]
  /// Milliseconds of single candles that nobody vouches for, beside ``blind``.
  public let missing: Int64
}
