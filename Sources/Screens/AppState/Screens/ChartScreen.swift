public import MarketModel
public import MarketStreams

/// A chart's latest candles: topic `chart/…` of docs/page-protocol.md.
///
/// The history is requested separately.
public struct ChartState: Equatable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// Its current candles.
  public internal(set) var candles: CandleStreamState

  /// Creates a state.
  public init(instrument: InstrumentKey, candles: CandleStreamState) {
    self.instrument = instrument
    self.candles = candles
  }
}

/// The chart of one instrument.
public struct ChartScreen: Screen {
  /// The latest candles.
  public private(set) var state: ChartState
  /// Only its candles.
  public let wanted: Set<MarketKey> = []
  /// The instrument whose candles the chart draws.
  public var wantedCandles: InstrumentKey? { state.instrument }

  /// Opens the chart of an instrument with trades, or of the exchange's stock.
  ///
  /// - Returns: nil if the venue has no such instrument.
  public init?(venue: Venue, symbol: Symbol, origin: DataOrigin = .venue) {
    let instrument = InstrumentKey(venue, symbol)
    guard let stream = CandleStream(instrument, origin: origin) else { return nil }
    state = ChartState(instrument: instrument, candles: stream.state)
  }

  /// Applies the instrument's candles.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .candles(state.instrument, let candles) = input { state.candles = candles }
    return []
  }

  /// No actions.
  public typealias Action = Never
}

extension ChartState {
  /// The scale of price units.
  public var priceScale: Scale { candles.priceScale }
  /// The scale of quantity units.
  public var quantityScale: Scale { candles.quantityScale }
  /// Decimals of prices; nil while unknown.
  public var priceDecimals: Scale? { candles.priceDecimals }
  /// Whether the latest price is valid now.
  public var freshness: Freshness { candles.freshness }
}
