// The chart of one instrument: its latest prices one by one, and how its past stands. The candles
// themselves are asked for where they are kept.

public import MarketModel
public import MarketStreams

/// What a chart adds to what it has: topic `chart/…` of docs/page-protocol.md.
public struct ChartState: Equatable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// Its candles now.
  public internal(set) var candles: CandleStreamState

  /// Puts a state together.
  public init(instrument: InstrumentKey, candles: CandleStreamState) {
    self.instrument = instrument
    self.candles = candles
  }
}

/// The chart of one instrument.
public struct ChartScreen: Screen {
  /// The latest prices.
  public private(set) var state: ChartState
  /// Nothing but its candles.
  public let wanted: Set<MarketKey> = []
  /// The instrument whose candles the chart draws.
  public var wantedCandles: InstrumentKey? { state.instrument }

  /// Opens the chart of an instrument with trades, or of the exchange's stock.
  ///
  /// - Returns: nil when there is no such instrument at the venue.
  public init?(venue: Venue, symbol: Symbol, origin: DataOrigin = .venue) {
    let instrument = InstrumentKey(venue, symbol)
    guard let stream = CandleStream(instrument, origin: origin) else { return nil }
    state = ChartState(instrument: instrument, candles: stream.state)
  }

  /// Takes the instrument's candles.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .candles(state.instrument, let candles) = input { state.candles = candles }
    return []
  }

  /// Nothing can be done here.
  public typealias Action = Never
}

extension ChartState {
  /// What one price unit is.
  public var priceScale: Scale { candles.priceScale }
  /// What one quantity unit is.
  public var quantityScale: Scale { candles.quantityScale }
  /// Decimals to show for prices; nil before they are known.
  public var priceDecimals: Scale? { candles.priceDecimals }
  /// Whether the latest price can be believed now.
  public var freshness: Freshness { candles.freshness }
}
