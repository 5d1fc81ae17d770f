// One instrument's past joined with its live trades, without a seam and without counting twice.

public import ChartModel
public import MarketModel

/// One instrument's candles of a minute and more.
public struct HistoryJoin: Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// How the venue's history stands.
  public private(set) var status: HistoryStatus
  /// Counts changes of the past: history that came, a proof, a repaired gap; not ticks.
  public private(set) var revision: UInt64 = 0
  /// Candles that the venue tells otherwise, newest last.
  public private(set) var mismatches: [CandleMismatch] = []
  /// What one price unit is.
  public let priceScale: Scale
  /// What one quantity unit is; whole until something is known.
  public private(set) var quantityScale = Scale.whole

  /// Starts with nothing.
  ///
  /// - Parameters:
  ///   - instrument: whose past it is.
  ///   - hasVenueHistory: whether the venue gives candles of the past.
  ///   - givesTrades: whether it gives trades of the past too, numbered as in its stream.
  ///   - priceScale: what one price unit is to be.
  public init(
    _ instrument: InstrumentKey, hasVenueHistory: Bool, givesTrades: Bool = true,
    priceScale: Scale = Scale(clamping: 8)
  ) {
    self.instrument = instrument
    self.priceScale = priceScale
    status = hasVenueHistory ? .loading : .none
  }

  /// Somebody looks at an interval; returns what the venue is to be asked.
  public mutating func want(_ interval: CandleInterval, at now: ClockReading) -> [HistoryRequest] {
    []
  }

  /// Nobody looks at the instrument any more: nothing is asked until somebody does.
  public mutating func wantNoMore() {}

  /// Takes a trade, live or of a snapshot; one whose number is known changes nothing.
  public mutating func receive(_ trade: VenueTrade, at now: ClockReading) {}

  /// Takes how far the stream can be believed.
  public mutating func judge(
    _ freshness: Freshness, at now: ClockReading
  ) -> [HistoryRequest] { [] }

  /// Takes what the venue answered to a request.
  public mutating func receive(
    _ response: Result<HistoryAnswer, HistoryFailure>, to request: HistoryRequest,
    at now: ClockReading
  ) -> [HistoryRequest] { [] }

  /// Takes that time goes by: to be called about once a second.
  public mutating func timer(at now: ClockReading) -> [HistoryRequest] { [] }

  /// Takes what the disk kept of an interval, with the unit of its quantities.
  public mutating func restore(
    _ candles: [Candle], of interval: CandleInterval, quantityScale: Scale? = nil
  ) {}

  /// The candles of an interval, oldest first, the forming one last.
  public func candles(of interval: CandleInterval) -> [Candle] { [] }

  /// The times of which nobody vouches for minutes, in their order.
  public var gaps: [SeriesGap] { [] }

  /// The times of which nobody vouches for candles of an interval, in their order.
  public func gaps(of interval: CandleInterval) -> [SeriesGap] { [] }

  /// The candles that closed or changed since the last call, for the disk.
  public mutating func takeClosed() -> [(interval: CandleInterval, candle: Candle)] { [] }
}
