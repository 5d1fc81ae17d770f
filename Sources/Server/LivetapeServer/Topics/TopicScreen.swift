import AppState
import MarketModel

enum TopicAction: Sendable, Equatable {
  case startFeed
  case stopFeed
  case retryVenue(Venue)
  case retryProduct
}

/// A type-erased screen whose state can be sent to pages.
protocol TopicScreen: Sendable {
  var wanted: Set<MarketKey> { get }
  /// The instrument whose candles it needs; nil for most.
  var wantedCandles: InstrumentKey? { get }
  var wantsSurvey: Bool { get }
  /// The state in the page protocol.
  var page: PageValue { get }
  /// The part of a large state to show before the rest; nil for most.
  var beginning: PageValue? { get }
  /// Whether a large state rarely changes, so that browsers may cache it.
  var isLasting: Bool { get }
  /// The book integrity to record; nil if it is not a book, and while unknown.
  var truth: TruthSample? { get }
  /// The freshness of a script's object; nil for pages.
  var freshness: Freshness? { get }
  /// Whether its venue has it, as far as known.
  var isKnown: Bool { get }
  /// Whether a script's request can be answered: with a first value, or because there will be none.
  var isSettled: Bool { get }
  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect]
  /// Performs a page's action; irrelevant ones are ignored.
  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect]
}

extension TopicScreen {
  var wanted: Set<MarketKey> { [] }
  var wantedCandles: InstrumentKey? { nil }
  var wantsSurvey: Bool { false }
  var beginning: PageValue? { nil }
  var isLasting: Bool { false }
  var truth: TruthSample? { nil }
  var freshness: Freshness? { nil }
  var isKnown: Bool { true }
  var isSettled: Bool { freshness?.state != .waiting || !isKnown }
  var hasStreams: Bool { !wanted.isEmpty || wantedCandles != nil }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] { [] }
  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect] { [] }
}

/// A constant state, or one that a single kind of input replaces.
struct ValueTopic<State: PageEncodable & Sendable>: TopicScreen {
  private var state: State
  private let read: @Sendable (ScreenInput) -> State?

  init(_ state: State, _ read: @escaping @Sendable (ScreenInput) -> State? = { _ in nil }) {
    (self.state, self.read) = (state, read)
  }

  var page: PageValue { state.page }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if let new = read(input) { state = new }
    return []
  }
}

/// Wraps a screen with its encoding for pages or scripts.
struct HostedScreen<Hosted: Screen>: TopicScreen {
  private var screen: Hosted
  private let encode: @Sendable (Hosted.State) -> PageValue
  private let judge: @Sendable (Hosted.State) -> TruthSample?
  private let confirm: @Sendable (Hosted.State) -> Freshness?
  private let known: @Sendable (Hosted.State) -> Bool
  private let translate: @Sendable (TopicAction) -> Hosted.Action?

  /// The arguments derive the members of ``TopicScreen`` from the state.
  init(
    _ screen: Hosted, encode: @escaping @Sendable (Hosted.State) -> PageValue,
    truth: @escaping @Sendable (Hosted.State) -> TruthSample? = { _ in nil },
    freshness: @escaping @Sendable (Hosted.State) -> Freshness? = { _ in nil },
    isKnown: @escaping @Sendable (Hosted.State) -> Bool = { _ in true },
    action translate: @escaping @Sendable (TopicAction) -> Hosted.Action? = { _ in nil }
  ) {
    self.screen = screen
    self.encode = encode
    (judge, confirm, known) = (truth, freshness, isKnown)
    self.translate = translate
  }

  var wanted: Set<MarketKey> { screen.wanted }
  var wantedCandles: InstrumentKey? { screen.wantedCandles }
  var page: PageValue { encode(screen.state) }
  var truth: TruthSample? { judge(screen.state) }
  var freshness: Freshness? { confirm(screen.state) }
  var isKnown: Bool { known(screen.state) }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    screen.receive(input, at: now)
  }

  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect] {
    guard let own = translate(action) else { return [] }
    return screen.perform(own, at: now)
  }
}

extension HostedScreen where Hosted.State: PageEncodable {
  init(
    _ screen: Hosted, truth: @escaping @Sendable (Hosted.State) -> TruthSample? = { _ in nil },
    action translate: @escaping @Sendable (TopicAction) -> Hosted.Action? = { _ in nil }
  ) {
    self.init(screen, encode: { $0.page }, truth: truth, action: translate)
  }
}

protocol PageEncodable {
  var page: PageValue { get }
}
