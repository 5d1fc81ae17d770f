public import MarketModel

/// An indicator line derived from candles.
public enum Study: UInt8, Sendable, CaseIterable {
  /// The mean of the last closes (SMA).
  case movingAverage
  /// The exponentially weighted mean of the closes (EMA).
  case exponentialAverage
  /// The volume-weighted average price of the day (VWAP).
  case volumeWeighted
  /// Deviations of the last closes above their mean (Bollinger Bands).
  case upperBand
  /// The mean between the bands.
  case middleBand
  /// Deviations of the last closes below their mean.
  case lowerBand
  /// Wilder's relative strength index (RSI) of the closes, in hundredths, 0 to 10,000; 5,000
  /// without a change.
  case relativeStrength
  /// The fast exponential mean of the closes less the slow one (MACD).
  case convergence
  /// The exponential mean of ``convergence``.
  case signal
  /// ``convergence`` less ``signal``, drawn as bars.
  case histogram
  /// Wilder's mean of the true range (ATR).
  case trueRange

  /// The pane below the prices; nil for a line over the candles.
  public var pane: StudyPane? {
    switch self {
    case .movingAverage, .exponentialAverage, .volumeWeighted, .upperBand, .middleBand, .lowerBand:
      nil
    case .relativeStrength: .relativeStrength
    case .convergence, .signal, .histogram: .convergence
    case .trueRange: .trueRange
    }
  }
}

/// A pane below the prices, with a scale of its own.
public enum StudyPane: UInt8, Sendable, CaseIterable {
  /// The relative strength index.
  case relativeStrength
  /// Two means' difference, its mean and bars.
  case convergence
  /// The true range.
  case trueRange
}

/// The lengths of ``Study/convergence``, in candles; 0 for none.
public struct ConvergenceLengths: Hashable, Sendable {
  /// The shorter mean.
  public let fast: Int
  /// The longer mean.
  public let slow: Int
  /// The mean of the difference.
  public let signal: Int

  /// Chooses lengths; all are 0 unless each is 2 or more and `fast` is below `slow`.
  public init(fast: Int = 0, slow: Int = 0, signal: Int = 0) {
    let isUsable = fast >= 2 && slow > fast && signal >= 2
    let bounded = { (count: Int) in isUsable ? min(count, StudyChoice.mostCandles) : 0 }
    (self.fast, self.slow, self.signal) = (bounded(fast), bounded(slow), bounded(signal))
  }
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
  /// The candles of the bands; 0 for none.
  public let bands: Int
  /// The bands' distance from their mean, in tenths of a standard deviation, 1 to 100.
  public let bandTenths: Int
  /// The candles of the relative strength index; 0 for none.
  public let relativeStrength: Int
  /// The lengths of MACD; 0 for none.
  public let convergence: ConvergenceLengths
  /// The candles of the true range's mean; 0 for none.
  public let trueRange: Int

  /// Chooses studies; lengths of fewer than 2 candles are off, and ``mostCandles`` is the limit.
  public init(
    movingAverage: Int = 0, exponentialAverage: Int = 0, hasVolumeWeighted: Bool = false,
    hasProfile: Bool = false, bands: Int = 0, bandTenths: Int = 20, relativeStrength: Int = 0,
    convergence: ConvergenceLengths = ConvergenceLengths(), trueRange: Int = 0
  ) {
    let bounded = { (count: Int) in count < 2 ? 0 : min(count, StudyChoice.mostCandles) }
    self.movingAverage = bounded(movingAverage)
    self.exponentialAverage = bounded(exponentialAverage)
    self.hasVolumeWeighted = hasVolumeWeighted
    self.hasProfile = hasProfile
    self.bands = bounded(bands)
    self.bandTenths = min(max(1, bandTenths), 100)
    self.relativeStrength = bounded(relativeStrength)
    self.convergence = convergence
    self.trueRange = bounded(trueRange)
  }

  /// The candles a study needs before it has a value; 0 if it is off.
  func candles(of study: Study) -> Int {
    switch study {
    case .movingAverage: movingAverage
    case .exponentialAverage: exponentialAverage
    case .volumeWeighted: hasVolumeWeighted ? 1 : 0
    case .upperBand, .middleBand, .lowerBand: bands
    case .relativeStrength: relativeStrength == 0 ? 0 : relativeStrength + 1
    case .convergence: convergence.slow
    case .signal, .histogram: max(0, convergence.slow + convergence.signal - 1)
    case .trueRange: trueRange
    }
  }

  /// Candles after which earlier ones weigh less than 1 in 10^17; nil for a fixed window.
  func settling(of study: Study) -> Int? {
    switch study {
    case .movingAverage, .volumeWeighted, .upperBand, .middleBand, .lowerBand: nil
    case .exponentialAverage: 20 * exponentialAverage
    case .convergence: 20 * convergence.slow
    case .signal, .histogram: 20 * (convergence.slow + convergence.signal)
    // Wilder's mean of a length forgets half as fast as an exponential one.
    case .relativeStrength: 40 * relativeStrength
    case .trueRange: 40 * trueRange
    }
  }

  /// The panes in use, from the top.
  public var panes: [StudyPane] {
    StudyPane.allCases.filter { pane in
      Study.allCases.contains { $0.pane == pane && candles(of: $0) > 0 }
    }
  }
}

/// A vertex of a study's line, or a bar of ``Study/histogram``.
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

/// A pane below the prices.
public struct PaneMark: Hashable, Sendable {
  /// The upper edge, from the top.
  public var top: Float
  /// The lower edge.
  public var bottom: Float
  /// Where the value 0 is; the lower edge if it is out of range.
  public var zero: Float
  /// The pane.
  public var pane: StudyPane
}

/// A labelled value of a pane.
public struct GuideMark: Hashable, Sendable {
  /// The value, in the units of the pane's studies.
  public var value: Int64
  /// From the top.
  public var y: Float
  /// The pane.
  public var pane: StudyPane
  /// Whether a line is drawn there.
  public var hasLine: Bool
}

/// The value of a study at a candle, and the data behind it.
public struct StudyReading: Hashable, Sendable {
  /// The value in price units, or in hundredths for ``Study/relativeStrength``; nil with too few
  /// candles.
  public let value: Price?
  /// The start of its data, milliseconds since 1970; nil when earlier data has no weight.
  public let since: Int64?
  /// The number of candles it counts.
  public let candles: Int
  /// The number of candles it needs.
  public let needed: Int
  /// Gaps in its data, in time order.
  public let blind: [SeriesGap]
  /// Missing milliseconds of single candles outside ``blind``.
  public let missing: Int64
}
