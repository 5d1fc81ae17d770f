// A screen as the topic server sees it: without its own types of state and action.

import AppState
import MarketModel

/// What a page can make a screen do.
enum TopicAction: Sendable, Equatable {
  /// Start the price tracker's feed.
  case startFeed
  /// Stop the price tracker's feed.
  case stopFeed
  /// Connect to a venue now.
  case retryVenue(Venue)
  /// Load the product again.
  case retryProduct
}

/// A screen whose state can be sent to pages.
protocol TopicScreen: Sendable {
  /// The streams whose newest value it needs.
  var wanted: Set<MarketKey> { get }
  /// The instrument whose candles it needs; nil for most.
  var wantedCandles: InstrumentKey? { get }
  /// Whether it shows the survey of all markets.
  var wantsSurvey: Bool { get }
  /// Its state as the page protocol writes it.
  var page: PageValue { get }
  /// What of a large state is worth showing before the rest has come; nil for most.
  var beginning: PageValue? { get }
  /// Whether a large state stays the same for long, so that browsers may keep it.
  var isLasting: Bool { get }
  /// What the truth strip notes of it; nil for what is no book, and while nothing can be said.
  var truth: TruthSample? { get }
  /// What the object that scripts read is worth; nil for what is none of theirs.
  var freshness: Freshness? { get }
  /// Whether its venue has it, as far as is known.
  var isKnown: Bool { get }
  /// Whether there is something to answer a script with: a first value, or the certainty that none
  /// comes.
  var isSettled: Bool { get }
  /// Takes news.
  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect]
  /// Does what the page asked for; nothing when it is no business of this screen.
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
  /// Whether it shows streams now.
  var hasStreams: Bool { !wanted.isEmpty || wantedCandles != nil }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] { [] }
  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect] { [] }
}

/// A state that never changes, or that one kind of input replaces whole.
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

/// Any screen, with what pages or scripts get of its state.
struct HostedScreen<Hosted: Screen>: TopicScreen {
  private var screen: Hosted
  private let encode: @Sendable (Hosted.State) -> PageValue
  private let judge: @Sendable (Hosted.State) -> TruthSample?
  private let confirm: @Sendable (Hosted.State) -> Freshness?
  private let known: @Sendable (Hosted.State) -> Bool
  private let translate: @Sendable (TopicAction) -> Hosted.Action?

  /// Hosts a screen; the arguments give the members of ``TopicScreen`` by its state.
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
  /// Hosts a screen for pages.
  init(
    _ screen: Hosted, truth: @escaping @Sendable (Hosted.State) -> TruthSample? = { _ in nil },
    action translate: @escaping @Sendable (TopicAction) -> Hosted.Action? = { _ in nil }
  ) {
    self.init(screen, encode: { $0.page }, truth: truth, action: translate)
  }
}

/// A state that the page protocol can write.
protocol PageEncodable {
  /// The state as a topic's value.
  var page: PageValue { get }
}
