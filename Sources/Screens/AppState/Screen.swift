public import MarketModel
public import MarketStreams
public import PaperTrading

/// A screen on the phone and in the browser: its state, the streams it needs, its effects.
///
/// A pure state machine: inputs and actions go in, an immutable state and effects come out. The
/// host creates a screen, sends it the current connection statuses, the current values of
/// ``wanted`` and one ``ScreenInput/timer``; after that, every change and a timer about four times
/// a second. All calls come from one thread, with times that never go back. Effects are performed
/// in order.
public protocol Screen: Sendable {
  /// The state to draw.
  associatedtype State: Equatable & Sendable
  /// The user's actions.
  associatedtype Action: Sendable

  /// The immutable state to draw.
  var state: State { get }
  /// The streams the screen needs now.
  var wanted: Set<MarketKey> { get }

  /// The instrument whose candles the screen needs; nil for most.
  var wantedCandles: InstrumentKey? { get }
  /// Whether the screen needs ``ScreenInput/survey(_:)`` now; false for most.
  var wantsSurvey: Bool { get }

  /// Applies an input; irrelevant inputs are ignored.
  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect]
  /// Performs a user action.
  mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect]
}

extension Screen {
  /// Most screens show no candles.
  public var wantedCandles: InstrumentKey? { nil }
  /// Most screens show no survey.
  public var wantsSurvey: Bool { false }
}

extension Screen where Action == Never {
  /// Never called.
  public mutating func perform(_ action: Never, at now: ClockReading) -> [ScreenEffect] {}
}

/// An input of a screen.
public enum ScreenInput: Sendable {
  case value(MarketKey, MarketValue)
  /// The candles of ``Screen/wantedCandles`` changed.
  case candles(InstrumentKey, CandleStreamState)
  case connection(ConnectionStatus)
  /// The response to ``ScreenEffect/fetchProduct(_:)``.
  case product(Symbol, Result<Product, ProductFailure>)
  case orders(TradingOverview)
  case position(PositionReport)
  case survey(SurveyState)
  case timer
}

extension ScreenInput {
  /// The stream input it contains; nil for other inputs.
  var stream: StreamInput? {
    switch self {
    case .value(let key, let value): .value(key, value)
    case .connection(let status): .connection(status)
    default: nil
    }
  }
}

/// A request of a screen to its host.
public enum ScreenEffect: Sendable, Equatable {
  /// Connect this venue and keep it connected.
  case startVenue(Venue)
  /// Disconnect this venue until it is started again.
  case stopVenue(Venue)
  /// Connect now instead of after the back-off.
  case retryVenue(Venue)
  /// Fetch this product and respond with ``ScreenInput/product(_:_:)``.
  case fetchProduct(Symbol)
  /// Reread ``Screen/wanted``, ``Screen/wantedCandles`` and ``Screen/wantsSurvey``.
  case wantedChanged
}
