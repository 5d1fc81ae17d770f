// What every screen is, on the phone and in the browser alike: a pure state machine. Events and
// actions go in, an immutable state to draw and effects to perform come out.

public import MarketModel
public import MarketStreams
public import PaperTrading
public import PriceAlerts

/// One screen: the state it draws, the streams it needs and what it asks of its host.
///
/// The host opens a screen by making it, handing it the present connection statuses and the present
/// values of ``wanted``, and then one ``ScreenInput/timer``; from then on it hands over every
/// change and a timer about four times a second. All calls come from one thread, with times that
/// never go back. Effects are performed in order.
public protocol Screen: Sendable {
  /// What there is to draw.
  associatedtype State: Equatable & Sendable
  /// What a person can do here.
  associatedtype Action: Sendable

  /// The immutable value to draw.
  var state: State { get }
  /// The streams that this screen needs now.
  var wanted: Set<MarketKey> { get }

  /// The instrument whose candles this screen needs; nil for most.
  var wantedCandles: InstrumentKey? { get }

  /// Takes what happened outside. Inputs that are none of this screen's business change nothing.
  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect]
  /// Takes what a person did.
  mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect]
}

extension Screen {
  /// Most screens show no candles.
  public var wantedCandles: InstrumentKey? { nil }
}

extension Screen where Action == Never {
  /// Nothing can be done on such a screen.
  public mutating func perform(_ action: Never, at now: ClockReading) -> [ScreenEffect] {}
}

/// What happens outside a screen.
public enum ScreenInput: Sendable {
  /// The value of a stream changed.
  case value(MarketKey, MarketValue)
  /// The candles of ``Screen/wantedCandles`` changed.
  case candles(InstrumentKey, CandleStreamState)
  /// The state of a venue's connection changed.
  case connection(ConnectionStatus)
  /// The answer to ``ScreenEffect/fetchProduct(_:)``.
  case product(Symbol, Result<Product, ProductFailure>)
  /// The orders, as the order service says they stand.
  case orders(TradingOverview)
  /// What is owned, as the order service says it stands.
  case position(PositionReport)
  /// A person's lists of markets, as the service that stores them has them.
  case lists(MarketListsState)
  /// A person's alerts, as their service has them.
  case alerts(AlertsState)
  /// The latest figures of all markets.
  case survey(SurveyState)
  /// Time has passed.
  case timer
}

extension ScreenInput {
  /// What it tells of streams; nil when it is about something else.
  var stream: StreamInput? {
    switch self {
    case .value(let key, let value): .value(key, value)
    case .connection(let status): .connection(status)
    default: nil
    }
  }
}

/// What a screen asks of its host.
public enum ScreenEffect: Sendable, Equatable {
  /// Connect this venue and keep it connected.
  case startVenue(Venue)
  /// Disconnect this venue until it is started again.
  case stopVenue(Venue)
  /// Connect now instead of at the end of the back-off.
  case retryVenue(Venue)
  /// Ask the venue for this product and answer by ``ScreenInput/product(_:_:)``.
  case fetchProduct(Symbol)
  /// Read ``Screen/wanted`` and ``Screen/wantedCandles`` again.
  case wantedChanged
}
