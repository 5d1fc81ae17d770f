// The store of every screen of AppState (PT5): it hosts a pure screen of AppState, hands it what
// happens and publishes its immutable state. Views draw the state and send actions, nothing else.

public import AppState
public import Combine
public import MarketModel
import MarketStreams

/// Hosts a screen.
@MainActor public final class ScreenStore<S: Screen>: ObservableObject {
  /// What to draw.
  @Published public private(set) var state: S.State
  /// What flashes at this moment, and in which direction (PT7, OB6).
  @Published public private(set) var flashes: [FlashID: Direction] = [:]
  /// The time to tell ages by; moves about once a second while the screen is open.
  @Published public private(set) var now: ClockReading
  /// What is wrong with the connection of the screen's venue; nil while nothing is.
  @Published public private(set) var notice: ConnectionNotice?

  private var screen: S
  private let feeds: FeedClient
  private var streams: [MarketKey: FeedClient.Observation] = [:]
  private var candles: FeedClient.Observation?
  private var others: [FeedClient.Observation] = []
  private var board = FlashBoard()
  private var notices: ConnectionNotices?
  private var flashEnd: FeedClient.Observation?
  private var requests: [Symbol: Task<Void, Never>] = [:]

  /// Hosts a screen that has not been opened.
  public init(_ screen: S, feeds: FeedClient) {
    self.screen = screen
    self.feeds = feeds
    state = screen.state
    now = feeds.now()
  }

  /// Whether the screen follows its streams.
  public var isOpen: Bool { !others.isEmpty }

  /// Follows what the screen wants, from the present values on; nothing when it does already.
  public func open() {
    guard !isOpen else { return }
    now = feeds.now()
    // All streams of a screen are of one venue; a symbol that does not exist has none.
    notices = screen.wanted.first.map { ConnectionNotices($0.venue, feeds: feeds) }
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

  /// Stops following; the state stays as it was.
  public func close() {
    others = []
    streams = [:]
    candles = nil
    for request in requests.values { request.cancel() }
    requests = [:]
    flashEnd = nil
    flashes = [:]
    board = FlashBoard()
  }

  /// Hands the screen what a person did.
  public func send(_ action: S.Action) {
    let effects = screen.perform(action, at: feeds.now())
    publish()
    effects.forEach(perform)
  }

  /// Does what the notice offers.
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

  /// Streams that are no longer wanted are let go, new ones are followed.
  private func follow() {
    let wanted = screen.wanted
    streams = streams.filter { wanted.contains($0.key) }
    for key in wanted where streams[key] == nil {
      streams[key] = feeds.observe(key) { [weak self] in self?.receive(.value(key, $0)) }
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
