// The chart of one instrument: its latest prices one by one, and behind them the candles since the
// screen was opened. A host keeps the screen open where the past is wanted.

public import ChartModel
public import MarketModel
import VenueProtocols

/// What a chart adds to what it has: topic `chart/…` of docs/page-protocol.md.
public struct ChartState: Equatable, Sendable {
  /// The venue.
  public internal(set) var venue: Venue
  /// The instrument at the venue.
  public internal(set) var symbol: Symbol
  /// What one price unit is.
  public internal(set) var priceScale: Scale
  /// What one quantity unit is.
  public internal(set) var quantityScale: Scale
  /// Decimals to show for prices; nil before they are known.
  public internal(set) var priceDecimals: Scale?
  /// Whether the latest price can be believed now.
  public internal(set) var freshness: Freshness
  /// The latest at most 32 prices, oldest first, numbered without holes.
  public internal(set) var ticks: [ChartTick]
}

/// The chart of one instrument.
public struct ChartScreen: Screen {
  /// How many charts beyond those of the catalogues a host keeps recording when nobody looks.
  public static let maximumKept = 32

  /// The latest prices.
  public private(set) var state: ChartState
  /// Everything since the screen was opened.
  public private(set) var recorder = ChartRecorder()
  /// The stream whose freshness the chart shows.
  public var wanted: Set<MarketKey> { [key] }
  /// The stream whose events the chart draws.
  public var wantedEvents: Set<MarketKey> { [key] }

  private let key: MarketKey
  private var link: VenueLink
  private var own: Freshness?
  private var origin: DataOrigin

  /// Opens the chart of an instrument with trades, or of the exchange's stock.
  ///
  /// - Returns: nil when there is no such instrument at the venue.
  public init?(venue: Venue, symbol: Symbol, origin: DataOrigin = .venue) {
    guard let key = ChartScreen.stream(venue, symbol) else { return nil }
    self.key = key
    self.origin = origin
    link = VenueLink(venue)
    state = ChartState(
      venue: venue, symbol: symbol, priceScale: recorder.priceScale,
      quantityScale: recorder.quantityScale,
      priceDecimals: venue == .exchange ? ExchangeCatalogue.decimals : nil,
      freshness: .waiting(origin), ticks: [])
  }

  /// Takes events, values and statuses of the instrument's venue.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    switch input {
    case .event(key, let event):
      recorder.record(event, at: now)
      state.quantityScale = recorder.quantityScale
      state.ticks = recorder.ticks
      return []
    case .value(key, .trades(let tape)) where tape.symbol == state.symbol:
      own = tape.freshness
      if !tape.trades.isEmpty { state.priceDecimals = tape.priceDecimals }
      begin(with: tape, at: now)
    case .value(key, .quote(let quote)) where quote.symbol == state.symbol:
      own = quote.freshness
    case .connection(let status) where status.venue == state.venue:
      _ = link.update(status)
      origin = status.origin
    default:
      return []
    }
    state.freshness = own.map(link.judged) ?? .waiting(origin)
    recorder.judge(state.freshness, at: now)
    return []
  }

  /// Nothing can be done here.
  public typealias Action = Never

  /// A chart begins with the trades that the venue gave before the first new one, so that it never
  /// shows less than the tape beside it.
  private mutating func begin(with tape: TapeView, at now: ClockReading) {
    guard recorder.lastArrival == 0 else { return }
    for trade in tape.trades.reversed() {
      recorder.record(
        .trade(trade, priceScale: tape.priceScale, quantityScale: tape.quantityScale), at: now)
    }
    state.quantityScale = recorder.quantityScale
    state.ticks = recorder.ticks
  }

  private static func stream(_ venue: Venue, _ symbol: Symbol) -> MarketKey? {
    if venue == .exchange {
      return symbol == ExchangeCatalogue.symbol ? MarketKey(venue, .quote, symbol) : nil
    }
    return BookCatalogue.instrument(symbol).flatMap { $0.venue == venue ? $0.tradesKey : nil }
  }
}
