// The way from venues to screens: one connection per venue, however many observers.

public import Combine
public import Logging
public import MarketModel
public import MarketStreams
public import NIOCore
public import SocketTransport
public import VenueProtocols

/// Connects venues, keeps them connected, and hands their values to observers.
///
/// Values are conflated: an observer gets the newest value of a key at most once a frame, the first
/// one after a quiet moment at once, and also when only its freshness has changed. A host with
/// frames of its own hears of changes and reads values itself: ``observeChanges(_:on:)``. All
/// handlers are called on ``eventLoop``; they must not block. Every method may be called from any
/// thread, but for ``value(of:)``; after ``shutdown()`` all of them do nothing.
public final class FeedHub: Sendable {
  /// Where everything happens.
  public let eventLoop: any EventLoop
  /// The venues, in the order given; the first of two with one name counts.
  public let venues: [Venue]

  let core: NIOLoopBoundBox<HubCore>
  private let identifiers = IdentifierSource()
  let ends = EndList()

  /// Makes a hub; nothing is connected before ``start()``.
  ///
  /// - Parameters:
  ///   - venues: what to connect to.
  ///   - group: one of its event loops carries the hub and all its sockets.
  ///   - logger: gets phases and problems, never headers or payloads.
  ///   - clock: the machine's own by default.
  ///   - frameMilliseconds: the least time between two deliveries of values.
  ///   - lingerMilliseconds: how long a stream stays subscribed after its last observer.
  public convenience init(
    venues: [VenueConfiguration], group: any EventLoopGroup, logger: Logger,
    clock: HubClock = .live, frameMilliseconds: Int64 = 16, lingerMilliseconds: Int64 = 250
  ) {
    self.init(
      venues: venues, loop: group.next(), logger: logger, clock: clock,
      frameMilliseconds: frameMilliseconds, lingerMilliseconds: lingerMilliseconds,
      connector: SocketFeed.connector)
  }

  /// The same on a loop, with any transport.
  package init(
    venues: [VenueConfiguration], loop: any EventLoop, logger: Logger, clock: HubClock,
    frameMilliseconds: Int64 = 16, lingerMilliseconds: Int64 = 250,
    connector: @escaping FeedConnector = SocketFeed.connector
  ) {
    eventLoop = loop
    var names: [Venue] = []
    for name in venues.map(\.session.venue) where !names.contains(name) { names.append(name) }
    self.venues = names
    var seeds = SystemRandomNumberGenerator()
    let runtimes = venues.map { venue in
      VenueRuntime(
        venue, connector: connector, loop: loop, clock: clock, logger: logger,
        seed: venue.jitterSeed ?? seeds.next())
    }
    core = NIOLoopBoundBox.makeBoxSendingValue(
      HubCore(
        venues: runtimes, loop: loop, clock: clock, frameMilliseconds: frameMilliseconds,
        lingerMilliseconds: lingerMilliseconds),
      eventLoop: loop)
    onLoop { $0.begin() }
  }

  /// A hub that is let go without ``shutdown()`` leaves no socket behind either.
  deinit {
    guard !ends.isOver else { return }
    eventLoop.execute { [core] in _ = core.value.shutdown() }
    ends.runAll()
  }

  private func onLoop(_ body: @escaping @Sendable (HubCore) -> Void) {
    eventLoop.execute { [core] in body(core.value) }
  }

  // MARK: Observing

  /// Observes streams until the observation is cancelled or let go.
  ///
  /// The first observer of a stream subscribes to it, the last one ends it a moment later. Present
  /// values are delivered at once, streams of unknown venues never.
  ///
  /// - Parameters:
  ///   - keys: the streams.
  ///   - isMeasured: whether these deliveries count for ``LatencyRung/state``.
  ///   - handler: gets a stream's newest value; called on ``eventLoop``.
  /// - Returns: keep it as long as values are wanted.
  public func observe(
    _ keys: Set<MarketKey>, isMeasured: Bool = false,
    on handler: @escaping @Sendable (MarketKey, MarketValue) -> Void
  ) -> FeedObservation {
    observing { core, id, gate in
      core.observe(
        keys, id: id, isMeasured: isMeasured,
        .values { key, value in if gate.isActive { handler(key, value) } })
    }
  }

  /// Observes that streams change, for a host that paces itself: ``value(of:)`` gives it what has
  /// become of them.
  ///
  /// Subscriptions are counted as for ``observe(_:on:)``.
  ///
  /// - Parameters:
  ///   - keys: the streams.
  ///   - handler: hears that a stream's value may be another one: at once, for each message, and
  ///     about four times a second without any; called on ``eventLoop``.
  /// - Returns: keep it as long as changes are wanted.
  public func observeChanges(
    _ keys: Set<MarketKey>, on handler: @escaping @Sendable (MarketKey) -> Void
  ) -> FeedObservation {
    observing { core, id, gate in
      core.observe(keys, id: id, .changes { key in if gate.isActive { handler(key) } })
    }
  }

  /// The present value of a stream; nil when its venue has no such stream, and after
  /// ``shutdown()``.
  ///
  /// On ``eventLoop`` only. As cheap as a look at the best rows of a book: for each frame, not for
  /// each message.
  public func value(of key: MarketKey) -> MarketValue? { core.value.value(of: key) }

  /// What came from each venue since the start.
  ///
  /// On ``eventLoop`` only. O(venues).
  package var traffic: [Venue: VenueTraffic] { core.value.traffic }

  /// Judges at once what time has made old, when that is overdue: after a sleep of the machine, or
  /// a pause of the process, sockets speak before timers do.
  ///
  /// On ``eventLoop`` only; before anybody is told what is known. It costs a look at the clock.
  ///
  /// - Returns: how often it was overdue so far, whoever noticed it; observers of changes have been
  ///   called each time. Who kept another number has not told anybody yet what they were told.
  package func catchUp() -> UInt64 { core.value.catchUp() }

  /// Observes everything that streams bring, one by one and as it comes: trades and ticks that
  /// ``observe(_:on:)`` would conflate.
  ///
  /// What came before is not told again. Subscriptions are counted as for ``observe(_:on:)``.
  ///
  /// - Parameters:
  ///   - keys: the streams.
  ///   - handler: gets each event with the time at which it came; called on ``eventLoop``.
  /// - Returns: keep it as long as events are wanted.
  public func observeEvents(
    _ keys: Set<MarketKey>,
    on handler: @escaping @Sendable (MarketKey, MarketEvent, ClockReading) -> Void
  ) -> FeedObservation {
    observing { core, id, gate in
      core.observe(
        keys, id: id,
        .events { key, event, now in if gate.isActive { handler(key, event, now) } })
    }
  }

  /// Observes all venues' connections until the observation is cancelled or let go.
  ///
  /// - Parameter handler: gets every venue's status at once and then each change, phases as they
  ///   happen and counters about four times a second; called on ``eventLoop``.
  /// - Returns: keep it as long as statuses are wanted.
  public func observeConnections(
    _ handler: @escaping @Sendable (ConnectionStatus) -> Void
  ) -> FeedObservation {
    observing { core, id, gate in
      core.observeConnections(id: id) { status in if gate.isActive { handler(status) } }
    }
  }

  /// Begins on the loop what ends with the observation; nobody is told anything after that.
  private func observing(
    _ begin: @escaping @Sendable (HubCore, _ id: UInt64, _ gate: ObservationState) -> Void
  ) -> FeedObservation {
    let id = identifiers.next()
    let gate = ObservationState { [weak self] in self?.onLoop { $0.cancel(id) } }
    onLoop { core in
      if gate.isActive { begin(core, id, gate) }
    }
    return FeedObservation(gate)
  }

  // MARK: Commands

  /// Connects every venue that is not connected or on its way.
  public func start() { onLoop { $0.handle(.start, at: nil) } }

  /// Connects a venue; nothing when it is connected or on its way.
  public func start(_ venue: Venue) { onLoop { $0.handle(.start, at: venue) } }

  /// Disconnects a venue until it is started again; its values stay, marked as disconnected.
  public func stop(_ venue: Venue) { onLoop { $0.handle(.stop, at: venue) } }

  /// Ends a venue's wait before its next attempt, as far as the venue's own limits allow.
  public func retry(_ venue: Venue) { onLoop { $0.handle(.retryNow, at: venue) } }

  /// Gives a venue other headers (a new token), another session, or both, and connects anew.
  ///
  /// A venue that is stopped stays so.
  ///
  /// - Parameters:
  ///   - venue: which.
  ///   - headers: nil keeps those it has.
  ///   - session: nil keeps the one it has, with its values.
  public func restart(
    _ venue: Venue, headers: HeaderFields? = nil, session: (any VenueSession)? = nil
  ) {
    onLoop { $0.venue(venue)?.replace(headers: headers, session: session) }
  }

  /// Ends all connections; sequences and publishers finish.
  ///
  /// Done when the sockets are gone, which takes two seconds where a venue does not answer a close.
  public func shutdown() async {
    let gone = eventLoop.flatSubmit { [core] in core.value.shutdown() }
    try? await gone.get()
    ends.runAll()
  }
}

// MARK: - Checkpoints for other processes

extension FeedHub {
  /// What a venue's session knows, as the venue would say it: ``VenueSession/checkpoint(_:)``.
  ///
  /// On ``eventLoop`` only.
  package func checkpoint(
    of venue: Venue, _ request: CheckpointRequest
  ) -> [OutboundMessage]? {
    core.value.venue(venue)?.session.checkpoint(request)
  }
}

// MARK: - Latency

extension FeedHub {
  /// What was measured at each venue, in the order of ``venues``; empty after ``shutdown()``.
  ///
  /// From any thread. It costs some 0.1 ms a venue: for each second, not for each frame.
  public func latency() async -> [LatencyReport] {
    (try? await eventLoop.submit { [core, venues] in core.value.latency(of: venues) }.get()) ?? []
  }

  /// The same at once; on ``eventLoop`` only.
  public func latencyNow() -> [LatencyReport] { core.value.latency(of: venues) }

  /// A venue's clock minus another one, for publishers; on ``eventLoop`` only.
  ///
  /// - Parameters:
  ///   - venue: whose clock.
  ///   - now: this moment by the monotonic clock and by the one to compare with.
  /// - Returns: nil while nothing is known of it.
  package func venueClock(of venue: Venue, at now: ClockReading) -> ClockEstimate? {
    core.value.venue(venue)?.ladder.clock(at: now)
  }

  /// Notes that the message whose observers are being called has begun a frame, and measures how
  /// it came here; on ``eventLoop`` only.
  ///
  /// - Returns: where the next step begins; nil when no message of the venue is being taken in.
  public func measure(_ venue: Venue) -> MessageStamp? { core.value.venue(venue)?.measure() }

  /// Notes how long a further step took, in nanoseconds; on ``eventLoop`` only.
  ///
  /// - Parameters:
  ///   - rung: the step.
  ///   - nanoseconds: how long it took.
  ///   - within: how far that may be off, where two clocks measured it.
  ///   - venue: whose message it was.
  public func record(
    _ rung: LatencyRung, _ nanoseconds: Int64, within: Int64? = nil, of venue: Venue
  ) { core.value.record(rung, nanoseconds, within: within, of: venue) }
}

// MARK: - Combine publishers

extension FeedHub {
  /// The values of one stream on the hub's thread; finishes when the hub shuts down.
  ///
  /// A subscriber that asks for less than comes gets the newest.
  public func publisher(for key: MarketKey) -> AnyPublisher<MarketValue, Never> {
    ConflatingPublisher<MarketKey, MarketValue> { [weak self] value, end in
      guard let self else {
        end()
        return {}
      }
      let observation = observe([key], on: value)
      return ending(observation, end)
    }.eraseToAnyPublisher()
  }

  /// The status of every venue, and each change; finishes when the hub shuts down.
  public var connectionPublisher: AnyPublisher<ConnectionStatus, Never> {
    ConflatingPublisher<Venue, ConnectionStatus> { [weak self] value, end in
      guard let self else {
        end()
        return {}
      }
      let observation = observeConnections { value($0.venue, $0) }
      return ending(observation, end)
    }.eraseToAnyPublisher()
  }

  private func ending(
    _ observation: FeedObservation, _ end: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let entry = ends.add(end)
    return { [weak self] in
      observation.cancel()
      self?.ends.remove(entry)
    }
  }
}

// MARK: - Async sequences

// A slow reader gets the newest value, never a queue of old ones.

extension FeedHub {
  /// The values of one stream, newest only; ends when the hub shuts down.
  public func updates(for key: MarketKey) -> AsyncStream<MarketValue> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = observe([key]) { _, value in continuation.yield(value) }
      let end = ends.add { continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        observation.cancel()
        self?.ends.remove(end)
      }
    }
  }
}
