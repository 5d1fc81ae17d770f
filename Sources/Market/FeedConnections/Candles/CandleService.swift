import ChartModel
public import HistoryStore
public import Logging
import MarketHistory
public import MarketModel
public import MarketStreams
import NIOCore
import SocketTransport
import VenueProtocols

/// The host of all viewed instruments' candle streams; one per feed hub.
///
/// Requests history at the venues' rate limits and stores finished candles. Runs on the hub's event
/// loop, where all handlers are called. Every method may be called from any thread; after
/// ``shutdown()`` all of them do nothing.
public final class CandleService: Sendable {
  /// The interval between reads of changed streams, in milliseconds.
  static let frameMilliseconds: Int64 = 33
  /// How long history is requested for an instrument without observers, in milliseconds.
  private static let patienceWithoutObservers: Int64 = 30_000
  /// Stored candles per interval that are loaded when a stream opens.
  static let restoredCandles = 1500

  let feeds: FeedHub
  let loop: any EventLoop
  let clock: HubClock
  let store: HistoryStore?
  let logger: Logger
  let venues: any VenueAsking
  private let origin: DataOrigin
  private let origins: [Venue: DataOrigin]
  let recorded: Set<InstrumentKey>
  private let identifiers = IdentifierSource()
  let box: NIOLoopBoundBox<CandleState>

  /// Creates a service; nothing is followed before ``start()``.
  ///
  /// `venues` sends history requests; nil to send them from this process. `origin` applies to a
  /// venue without an address until a session reports its own. `recorded` are followed from the
  /// start. `store` stores finished candles; nil for none. `clock` is the hub's.
  public init(
    feeds: FeedHub, addresses: [VenueAddress], venues: (any VenueAsking)? = nil,
    origin: DataOrigin, recorded: Set<InstrumentKey>, store: HistoryStore?,
    clock: HubClock = .live, logger: Logger
  ) {
    self.feeds = feeds
    loop = feeds.eventLoop
    self.clock = clock
    self.store = store
    self.logger = logger
    self.origin = origin
    origins = Dictionary(addresses.map { ($0.venue, $0.origin) }) { first, _ in first }
    let venues = venues ?? VenueHTTP(addresses, on: feeds.eventLoop, logger: logger)
    self.venues = venues
    let sources = venues.venues.sorted().compactMap { venue in
      venue.adapter.history.map {
        HistorySource(venue: venue, history: $0, queue: HistoryQueue($0))
      }
    }
    box = NIOLoopBoundBox.makeBoxSendingValue(CandleState(sources: sources), eventLoop: loop)
    self.recorded = recorded
  }

  /// Follows the recorded instruments and the venues' connections.
  public func start() {
    loop.perform {
      guard !self.box.value.isOver else { return }
      self.box.value.connections = self.feeds.observeConnections { status in
        self.loop.perform { self.take(status) }
      }
      self.box.value.timer = self.loop.scheduleRepeatedTask(
        initialDelay: .seconds(1), delay: .seconds(1)
      ) { _ in self.tick() }
      for instrument in self.recorded { _ = self.open(instrument) }
    }
  }

  /// Stops following the feeds; finished candles are stored.
  public func shutdown() {
    loop.perform {
      self.record()
      self.box.value.end()
    }
  }

  // MARK: Observing and pages

  /// Observes an instrument's candles until the returned observation is cancelled or released.
  ///
  /// The handler receives the current state at once and then each change, on the event loop;
  /// nothing if the venue does not have the instrument.
  public func observe(
    _ instrument: InstrumentKey, on handler: @escaping @Sendable (CandleStreamState) -> Void
  ) -> FeedObservation {
    let id = identifiers.next()
    let observation = ObservationState { [weak self] in
      guard let self else { return }
      loop.perform {
        guard self.box.value.observers[instrument]?.removeValue(forKey: id) != nil else { return }
        for closed in self.box.value.streams.unwatch(instrument) { self.close(closed) }
      }
    }
    loop.perform {
      guard observation.isActive, self.open(instrument) else { return }
      self.box.value.streams.watch(instrument)
      self.box.value.observers[instrument, default: [:]][id] = { [gate = observation] state in
        if gate.isActive { handler(state) }
      }
      self.box.value.askedAt[instrument] = self.clock.now().monotonic
      self.update(instrument) { $0.wantFigures(at: $1) }
      if let state = self.box.value.streams[instrument]?.state { handler(state) }
    }
    return FeedObservation(observation)
  }

  /// The candles of an interval, from memory and the store; nil if there is no such instrument.
  ///
  /// Waits briefly for pending history from the venue. `before` limits the candles' starts, in
  /// milliseconds since 1970; nil for the latest.
  public func candles(
    of instrument: InstrumentKey, _ interval: CandleInterval, before: Int64? = nil
  ) async -> CandlePage? {
    let promise = loop.makePromise(of: CandlePage?.self)
    loop.perform { self.answer(promise, instrument, interval, before) }
    guard let page = try? await promise.futureResult.get() else { return nil }
    return await withOlder(page, instrument, before)
  }

  // MARK: On the loop

  /// Opens a stream unless it is open; false if there is no such instrument.
  func open(_ instrument: InstrumentKey) -> Bool {
    guard !box.value.isOver,
      let (isNew, closed) = box.value.streams.open(
        instrument, origin: origins[instrument.venue] ?? origin,
        canAskHistory: box.value.sources.contains { $0.venue == instrument.venue })
    else { return false }
    for instrument in closed { close(instrument) }
    guard isNew, let key = box.value.streams[instrument]?.key else { return true }
    for status in box.value.statuses.values {
      update(instrument) { $0.receive(status, at: $1) }
    }
    restore(instrument)
    box.value.observations[instrument] = [
      feeds.observeEvents([key]) { _, event, now in
        self.update(instrument, at: now) { stream, now in
          stream.receive(event, at: now)
          return []
        }
      },
      feeds.observeChanges([key]) { _ in self.changed(instrument) },
    ]
    return true
  }

  private func close(_ instrument: InstrumentKey) {
    box.value.observations[instrument] = nil
    box.value.observers[instrument] = nil
    box.value.askedAt[instrument] = nil
    for index in box.value.sources.indices {
      box.value.sources[index].queue.remove(instrument)
    }
  }

  /// Changes a stream, notifies its observers and requests the history that it needs.
  func update(
    _ instrument: InstrumentKey, at now: ClockReading? = nil,
    _ body: (inout CandleStream, ClockReading) -> [HistoryRequest]
  ) {
    let now = now ?? clock.now()
    guard let requests = box.value.streams.update(instrument, { body(&$0, now) }) else { return }
    ask(instrument, requests)
    tell(instrument)
  }

  private func tell(_ instrument: InstrumentKey) {
    guard let stream = box.value.streams[instrument] else { return }
    let state = stream.state
    for handler in (box.value.observers[instrument] ?? [:]).values { handler(state) }
    releaseWaiting(for: instrument)
  }

  private func take(_ status: ConnectionStatus) {
    box.value.statuses[status.venue] = status
    for instrument in box.value.streams.open where instrument.venue == status.venue {
      update(instrument) { $0.receive(status, at: $1) }
    }
  }

  /// Reads a changed stream at once after a quiet moment, then at a steady rate.
  private func changed(_ instrument: InstrumentKey) {
    box.value.unread.insert(instrument)
    switch box.value.pacer.changed(at: clock.now().monotonic) {
    case .now: loop.execute { self.read() }
    case .at(let time):
      let delay = max(0, time.nanoseconds - clock.now().monotonic.nanoseconds)
      _ = loop.scheduleTask(in: .nanoseconds(delay)) { self.read() }
    case .scheduled: break
    }
  }

  private func read() {
    let instruments = box.value.unread
    guard !box.value.isOver, !instruments.isEmpty else { return }
    box.value.unread = []
    box.value.pacer.frameSent(at: clock.now().monotonic)
    for instrument in instruments {
      guard let key = box.value.streams[instrument]?.key, let value = feeds.value(of: key) else {
        continue
      }
      let units = box.value.streams[instrument]?.history.priceScale
      update(instrument) { $0.receive(value, at: $1) }
      if box.value.streams[instrument]?.history.priceScale != units { restore(instrument) }
    }
  }

  private func tick() {
    forgetThoseWhoLeft()
    for instrument in box.value.streams.open { update(instrument) { $0.timer(at: $1) } }
    record()
    for index in box.value.sources.indices { pump(index) }
  }

  /// Stops history requests for instruments without observers.
  private func forgetThoseWhoLeft() {
    let now = clock.now().monotonic
    for (instrument, asked) in box.value.askedAt
    where now.milliseconds(since: asked) >= CandleService.patienceWithoutObservers
      && box.value.observers[instrument]?.isEmpty != false
    {
      box.value.askedAt[instrument] = nil
      update(instrument) { stream, _ in
        stream.wantNoMore()
        return []
      }
    }
  }

  /// A market simulated in this process has another past at each start.
  func isKept(_ venue: Venue) -> Bool { (origins[venue] ?? origin) != .simulated }

  private func record() {
    for instrument in box.value.streams.open where isKept(instrument.venue) {
      let closed = box.value.streams.update(instrument) { stream in
        stream.takeClosed().map {
          CandleRecord(
            instrument, $0.interval, priceScale: stream.history.priceScale,
            quantityScale: stream.history.quantityScale, $0.candle)
        }
      }
      if let closed, !closed.isEmpty { store?.record(closed) }
      recordSeconds(instrument)
    }
  }
}

// MARK: - Figures of open candle streams

extension CandleService {
  /// The current figures of open streams whose venue sends none; on the loop.
  var openFigures: [(InstrumentKey, DayFigures)] {
    box.value.streams.open.compactMap { instrument in
      box.value.streams[instrument]?.state.figures.map { (instrument, $0) }
    }
  }
}
