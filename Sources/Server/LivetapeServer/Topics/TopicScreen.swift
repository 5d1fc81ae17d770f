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
  /// The streams it needs now.
  var interests: Set<StreamInterest> { get }
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
  var interests: Set<StreamInterest> { [] }
  var beginning: PageValue? { nil }
  var isLasting: Bool { false }
  var truth: TruthSample? { nil }
  var freshness: Freshness? { nil }
  var isKnown: Bool { true }
  var isSettled: Bool { freshness?.state != .waiting || !isKnown }
  /// Whether it has prices, which time makes late.
  var hasPrices: Bool {
    interests.contains { interest in
      switch interest {
      case .values, .candles: true
      case .survey, .orders, .positions: false
      }
    }
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] { [] }
  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect] { [] }
}

extension Screen {
  var interests: Set<StreamInterest> {
    var interests = Set(wanted.map(StreamInterest.values))
    if let wantedCandles { interests.insert(.candles(wantedCandles)) }
    if wantsSurvey { interests.insert(.survey) }
    return interests
  }
}

/// A value that needs no input.
struct ValueTopic: TopicScreen {
  let value: any PageEncodable & Sendable

  var page: PageValue { value.page }
}

/// Wraps a screen with its encoding for pages or scripts.
struct HostedScreen<Hosted: Screen>: TopicScreen {
  private var screen: Hosted
  private let others: Set<StreamInterest>
  private let encode: @Sendable (Hosted.State) -> PageValue
  private let judge: @Sendable (Hosted.State) -> TruthSample?
  private let confirm: @Sendable (Hosted.State) -> Freshness?
  private let known: @Sendable (Hosted.State) -> Bool
  private let translate: @Sendable (TopicAction) -> Hosted.Action?

  /// The arguments derive the members of ``TopicScreen`` from the state; `others` are interests
  /// beside the screen's.
  init(
    _ screen: Hosted, others: Set<StreamInterest> = [],
    encode: @escaping @Sendable (Hosted.State) -> PageValue,
    truth: @escaping @Sendable (Hosted.State) -> TruthSample? = { _ in nil },
    freshness: @escaping @Sendable (Hosted.State) -> Freshness? = { _ in nil },
    isKnown: @escaping @Sendable (Hosted.State) -> Bool = { _ in true },
    action translate: @escaping @Sendable (TopicAction) -> Hosted.Action? = { _ in nil }
  ) {
    self.screen = screen
    self.others = others
    self.encode = encode
    (judge, confirm, known) = (truth, freshness, isKnown)
    self.translate = translate
  }

  var interests: Set<StreamInterest> { screen.interests.union(others) }
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
    _ screen: Hosted, others: Set<StreamInterest> = [],
    truth: @escaping @Sendable (Hosted.State) -> TruthSample? = { _ in nil },
    action translate: @escaping @Sendable (TopicAction) -> Hosted.Action? = { _ in nil }
  ) {
    self.init(screen, others: others, encode: { $0.page }, truth: truth, action: translate)
  }
}

protocol PageEncodable {
  var page: PageValue { get }
}
