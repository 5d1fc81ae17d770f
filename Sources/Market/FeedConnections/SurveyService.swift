public import Logging
import MarketModel
public import MarketStreams
import NIOCore
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// Surveys all markets while observed; one per feed hub.
///
/// Covers the venues that send figures, in slow rounds, and the open candle streams. Runs on the
/// hub's event loop, where all handlers are called. Every method may be called from any thread.
public final class SurveyService: Sendable {
  /// The interval of checks for due steps, in milliseconds.
  static let tickMilliseconds: Int64 = 250

  let feeds: FeedHub
  let candles: CandleService
  let loop: any EventLoop
  let clock: HubClock
  let logger: Logger
  let venues: any VenueAsking
  private let identifiers = IdentifierSource()
  let box: NIOLoopBoundBox<SurveyHost>

  /// Creates a service; nothing is requested before the first observer.
  ///
  /// `candles` has the figures of venues that send none. All of `venues` that send figures are
  /// surveyed, on the hub's loop; `clock` is the hub's.
  public init(
    feeds: FeedHub, candles: CandleService, venues: any VenueAsking, clock: HubClock = .live,
    logger: Logger
  ) {
    (self.feeds, self.candles, self.clock, self.logger) = (feeds, candles, clock, logger)
    self.venues = venues
    loop = feeds.eventLoop
    let surveyed = venues.venues.sorted().filter {
      // The others' markets could only be followed one by one, which their limits forbid.
      $0.descriptor.listsInstruments && $0.adapter.tickers != nil
    }
    box = NIOLoopBoundBox.makeBoxSendingValue(
      SurveyHost(venues: surveyed.map { SurveyedVenue($0) }), eventLoop: loop)
  }

  /// Observes the survey until the returned observation is cancelled or released.
  ///
  /// The handler receives the current state at once and then each change, at most four times a
  /// second, on the event loop. Venues receive requests only while the survey is observed.
  public func observe(on handler: @escaping @Sendable (SurveyState) -> Void) -> FeedObservation {
    let id = identifiers.next()
    let observation = ObservationState { [weak self] in
      guard let self else { return }
      loop.perform {
        self.box.value.observers[id] = nil
        if self.box.value.observers.isEmpty { self.rest() }
      }
    }
    loop.perform {
      guard observation.isActive else { return }
      self.box.value.observers[id] = { [gate = observation] state in
        if gate.isActive { handler(state) }
      }
      if self.box.value.timer == nil { self.begin() }
      handler(self.box.value.known)
    }
    return FeedObservation(observation)
  }

  /// Ends all observations.
  public func shutdown() {
    loop.perform {
      self.box.value.observers = [:]
      self.rest()
    }
  }

  // MARK: On the loop

  private func begin() {
    for index in box.value.venues.indices {
      box.value.venues[index].rounds.watch(true)
      let venue = box.value.venues[index].venue
      box.value.venues[index].listing = feeds.observe([.listing(of: venue)]) { _, value in
        self.loop.perform { self.take(value, index) }
      }
    }
    box.value.connections = feeds.observeConnections { status in
      self.loop.perform { self.take(status) }
    }
    box.value.timer = loop.scheduleRepeatedTask(
      initialDelay: .milliseconds(0), delay: .milliseconds(Self.tickMilliseconds)
    ) { _ in self.tick() }
  }

  private func rest() {
    box.value.timer?.cancel()
    box.value.timer = nil
    box.value.connections = nil
    for index in box.value.venues.indices {
      box.value.venues[index].listing = nil
      box.value.venues[index].rounds.watch(false)
      perform(box.value.venues[index].rounds.steps(at: clock.now().monotonic), index)
    }
  }

  private func tick() {
    for index in box.value.venues.indices { goOn(index) }
    for (instrument, figures) in candles.openFigures { learn(figures, of: instrument) }
    tell()
  }

  func goOn(_ index: Int) {
    guard box.value.timer != nil else { return }
    perform(box.value.venues[index].rounds.steps(at: clock.now().monotonic), index)
  }

  private func tell() {
    guard box.value.isNews else { return }
    box.value.isNews = false
    for handler in box.value.observers.values { handler(box.value.known) }
  }

  private func learn(_ figures: DayFigures, of instrument: InstrumentKey) {
    guard figures.at != nil else { return }
    if box.value.known.take(figures, of: instrument) { box.value.isNews = true }
  }

  private func take(_ value: MarketValue, _ index: Int) {
    guard case .listing(let listing) = value else { return }
    box.value.venues[index].rounds.list(listing.instruments.filter(\.isOpen).map(\.symbol))
  }

  private func take(_ status: ConnectionStatus) {
    guard let index = box.value.venues.firstIndex(where: { $0.venue == status.venue }) else {
      return
    }
    box.value.venues[index].rounds.connect(status.phase.isConnected, at: clock.now().monotonic)
  }

  private func perform(_ steps: [SurveyRounds.Step], _ index: Int) {
    for step in steps {
      switch step {
      case .askAll: askAll(index)
      case .letGo: box.value.venues[index].batch = nil
      case .follow(let markets): follow(markets, index)
      }
    }
  }

  private func follow(_ markets: [Symbol], _ index: Int) {
    let venue = box.value.venues[index].venue
    let keys = Set(markets.map { MarketKey(venue, .figures, $0) })
    box.value.venues[index].batch = feeds.observe(keys) { key, value in
      self.loop.perform {
        guard case .figures(let figures) = value else { return }
        self.take(figures, of: InstrumentKey(key.venue, key.subscription.symbol), index)
      }
    }
  }

  private func take(_ figures: DayFigures, of instrument: InstrumentKey, _ index: Int) {
    let isHere = figures.freshness.state == .live || figures.freshness.state == .closed
    guard !figures.isKnown || isHere else { return }
    box.value.venues[index].rounds.take(instrument.symbol)
    guard figures.isKnown, figures.last != nil else { return }
    var figures = figures
    if figures.at == nil { figures.at = clock.now().wall }
    learn(figures, of: instrument)
  }
}

// MARK: - Tickers over HTTP

extension SurveyService {
  /// Requests all figures in one response, for a quick start; first the instruments' names if
  /// missing.
  func askAll(_ index: Int) {
    let venue = box.value.venues[index]
    guard let (tickers, history) = venue.tickers else { return end(index, isGood: true) }
    guard let names = venue.names else { return askNames(index, history) }
    venues.ask(venue.venue, .tickers).whenComplete { result in
      let answer: Result<[DayFigures], HistoryFailure> =
        switch result {
        case .success(let response): self.read(response, tickers, names)
        case .failure(let error): .failure(HistoryFailure(error))
        }
      switch answer {
      case .success(let all):
        for figures in all {
          // Figures from the stream include the change.
          let instrument = InstrumentKey(venue.venue, figures.symbol)
          if tickers.statesChange || self.box.value.known[instrument]?.changePercent == nil {
            self.learn(figures, of: instrument)
          }
        }
        self.end(index, isGood: true)
      case .failure(let failure): self.fail(index, failure)
      }
    }
  }

  private func read(
    _ answer: VenueAnswer, _ tickers: VenueTickers, _ names: [Symbol: String]
  ) -> Result<[DayFigures], HistoryFailure> {
    let moment = clock.now().earlier(byMilliseconds: answer.ageMilliseconds)
    let freshness = Freshness(state: .live, origin: answer.origin, confirmedAt: moment)
    return tickers.read(
      names, answer.status, answer.body.readableBytesUInt8Span, moment.wall, freshness)
  }

  private func askNames(_ index: Int, _ history: VenueHistory) {
    let question = VenueQuestion.history(.names(.currencies), name: "")
    let venue = box.value.venues[index].venue
    guard venue.adapter.path(of: question) != nil else { return end(index, isGood: true) }
    venues.ask(venue, question).whenComplete { result in
      let answer: Result<HistoryResponse, HistoryFailure> =
        switch result {
        case .success(let response):
          history.read(
            .names(.currencies), "", response.status, response.body.readableBytesUInt8Span)
        case .failure(let error): .failure(HistoryFailure(error))
        }
      switch answer {
      case .success(.names(let names)):
        self.box.value.venues[index].names = names
        self.askAll(index)
      case .success: self.fail(index, .badAnswer("no names"))
      case .failure(let failure): self.fail(index, failure)
      }
    }
  }

  private func fail(_ index: Int, _ failure: HistoryFailure) {
    let venue = box.value.venues[index].venue
    logger.notice("no figures at once", metadata: ["venue": "\(venue)", "reason": "\(failure)"])
    end(index, isGood: false)
  }

  private func end(_ index: Int, isGood: Bool) {
    box.value.venues[index].rounds.finishAll(isGood: isGood, at: clock.now().monotonic)
    // Not at once: the request may have completed within the step itself.
    loop.execute { self.goOn(index) }
  }
}

struct SurveyedVenue {
  let venue: Venue
  /// How all figures are requested at once; nil if unsupported.
  let tickers: (VenueTickers, names: VenueHistory)?
  var rounds: SurveyRounds
  /// The instruments' names over HTTP; nil before they are loaded.
  var names: [Symbol: String]?
  var listing: FeedObservation?
  var batch: FeedObservation?

  init(_ venue: Venue) {
    self.venue = venue
    if let tickers = venue.adapter.tickers, let history = venue.adapter.history {
      self.tickers = (tickers, history)
    } else {
      tickers = nil
    }
    rounds = SurveyRounds(followsMarkets: tickers?.0.statesChange != true)
  }
}

struct SurveyHost {
  var venues: [SurveyedVenue]
  var known = SurveyState()
  var isNews = false
  var observers: [UInt64: @Sendable (SurveyState) -> Void] = [:]
  var connections: FeedObservation?
  /// Runs while there are observers.
  var timer: RepeatedTask?
}
