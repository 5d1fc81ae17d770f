public import AppState
public import Combine
public import MarketModel
import MarketStreams

/// Hosts a pure screen of AppState (PT5): sends it inputs and publishes its immutable state, which
/// views draw.
///
/// Views only send actions.
@MainActor public final class ScreenStore<S: Screen>: ObservableObject {
  /// The state to draw.
  @Published public private(set) var state: S.State
  /// The values that flash now, with their direction (PT7, OB6).
  @Published public private(set) var flashes: [FlashID: Direction] = [:]
  /// The time from which ages are calculated; updated about once a second while the screen is open.
  @Published public private(set) var now: ClockReading
  /// The problem with the connection of the screen's venue; nil without one.
  @Published public private(set) var notice: ConnectionNotice?

  private var screen: S
  private var opening: FeedClient.Observation?
  private let feeds: FeedClient
  private var streams: [MarketKey: FeedClient.Observation] = [:]
  private var candles: FeedClient.Observation?
  private var survey: FeedClient.Observation?
  private var others: [FeedClient.Observation] = []
  private var board = FlashBoard()
  private var notices: ConnectionNotices?
  private var flashEnd: FeedClient.Observation?
  private var requests: [Symbol: Task<Void, Never>] = [:]

  /// Hosts a screen that has not been opened yet.
  public init(_ screen: S, feeds: FeedClient) {
    self.screen = screen
    self.feeds = feeds
    state = screen.state
    now = feeds.now()
  }

  private static var moment: Int64 { 150 }

  /// Whether the screen follows its streams.
  public var isOpen: Bool { !others.isEmpty }

  /// Follows the screen's streams from their present values on; no effect when already open.
  public func open() {
    guard !isOpen else { return }
    now = feeds.now()
    // A screen of several venues follows the first of them; an unknown symbol has none.
    notices = screen.wanted.map(\.venue).min().map { ConnectionNotices($0, feeds: feeds) }
    others = [
      feeds.observeConnections { [weak self] in
        self?.notices?.take($0)
        self?.receive(.connection($0))
      },
      feeds.observeTime { [weak self] in self?.tick() },
    ]
    follow()
    receive(.timer)
  }

  /// Opens unless it is closed within a moment, as a row that passes while a list scrolls is.
  package func openSoon() {
    opening = feeds.schedule(ScreenStore.moment) { [weak self] in self?.open() }
  }

  /// Stops following; the state stays as it is.
  public func close() {
    opening = nil
    others = []
    streams = [:]
    (candles, survey) = (nil, nil)
    for request in requests.values { request.cancel() }
    requests = [:]
    flashEnd = nil
    flashes = [:]
    board = FlashBoard()
  }

  /// Sends a user action to the screen.
  public func send(_ action: S.Action) {
    let effects = screen.perform(action, at: feeds.now())
    publish()
    effects.forEach(perform)
  }

  /// Performs a notice's remedy.
  public func follow(_ remedy: ConnectionNotice.Remedy) { notices?.follow(remedy) }

  private func receive(_ input: ScreenInput) {
    let effects = screen.receive(input, at: feeds.now())
    publish()
    effects.forEach(perform)
  }

  private func tick() {
    let time = feeds.now()
    if time.monotonic.milliseconds(since: now.monotonic) >= 1000 { now = time }
    receive(.timer)
  }

  private func follow() {
    let wanted = screen.wanted
    streams = streams.filter { wanted.contains($0.key) }
    for key in wanted where streams[key] == nil {
      streams[key] = feeds.observe(key) { [weak self] in self?.receive(.value(key, $0)) }
    }
    if !screen.wantsSurvey {
      survey = nil
    } else if survey == nil {
      survey = feeds.observeSurvey { [weak self] in self?.receive(.survey($0)) }
    }
    guard candles == nil, let instrument = screen.wantedCandles else { return }
    candles = feeds.observeCandles(instrument) { [weak self] in
      self?.receive(.candles(instrument, $0))
    }
  }

  private func perform(_ effect: ScreenEffect) {
    switch effect {
    case .startVenue(let venue): feeds.start(venue)
    case .stopVenue(let venue): feeds.stop(venue)
    case .retryVenue(let venue): feeds.retry(venue)
    case .fetchProduct(let identifier): fetch(identifier)
    case .wantedChanged: if isOpen { follow() }
    }
  }

  private func fetch(_ identifier: Symbol) {
    requests[identifier]?.cancel()
    requests[identifier] = Task { [weak self, feeds] in
      let answer = await feeds.product(identifier)
      guard !Task.isCancelled else { return }
      self?.requests[identifier] = nil
      self?.receive(.product(identifier, answer))
    }
  }

  private func publish() {
    if state != screen.state { state = screen.state }
    let isWaiting = (screen.state as? any JudgedState)?.freshness.state == .waiting
    let news = notices?.notice(isWaiting: isWaiting)
    if notice != news { notice = news }
    guard let source = screen.state as? any FlashingState else { return }
    board.update(source.flashCandidates, at: feeds.now())
    showFlashes()
  }

  private func showFlashes() {
    let time = feeds.now()
    let flashing = board.flashing(at: time)
    if flashes != flashing { flashes = flashing }
    guard let end = board.nextEnd(after: time) else {
      flashEnd = nil
      return
    }
    flashEnd = feeds.schedule(end) { [weak self] in self?.showFlashes() }
  }
}
