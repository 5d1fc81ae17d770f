public import Combine
public import Logging
public import MarketModel
public import MarketStreams
public import NIOCore
public import SocketTransport
public import VenueProtocols

/// Keeps one connection per venue and delivers its values to any number of observers.
///
/// Values are conflated: an observer receives a key's newest value at most once a frame, the first
/// after a quiet moment at once, and also when only its freshness changes. All handlers are called
/// on ``eventLoop`` and must not block. Every method except ``value(of:)`` may be called from any
/// thread; after ``shutdown()`` all of them do nothing.
public final class FeedHub: Sendable {
  /// The hub's event loop.
  public let eventLoop: any EventLoop
  /// The venues, in the order given; the first of two with one name counts.
  public let venues: [Venue]

  let core: NIOLoopBoundBox<HubCore>
  private let identifiers = IdentifierSource()
  let ends = EndList()

  /// Creates a hub; nothing is connected before ``start()``.
  ///
  /// One event loop of the group carries the hub and all its sockets. The logger receives phases
  /// and problems, never headers or payloads. `frameMilliseconds` is the least time between two
  /// deliveries, `lingerMilliseconds` how long a stream stays subscribed after its last observer.
  public convenience init(
    venues: [VenueConfiguration], group: any EventLoopGroup, logger: Logger,
    clock: HubClock = .live, frameMilliseconds: Int64 = 16, lingerMilliseconds: Int64 = 250
  ) {
    self.init(
      venues: venues, loop: group.next(), logger: logger, clock: clock,
      frameMilliseconds: frameMilliseconds, lingerMilliseconds: lingerMilliseconds,
      connector: SocketFeed.connector)
  }

  /// Creates a hub on a loop, with any transport.
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

  /// A hub released without ``shutdown()`` closes its sockets too.
  deinit {
    guard !ends.isOver else { return }
    eventLoop.execute { [core] in _ = core.value.shutdown() }
    ends.runAll()
  }

  private func onLoop(_ body: @escaping @Sendable (HubCore) -> Void) {
    eventLoop.execute { [core] in body(core.value) }
  }

  // MARK: Observing

  /// Observes streams until the returned observation is cancelled or released.
  ///
  /// The first observer of a stream subscribes to it; after the last one it lingers, then ends. The
  /// handler receives the current and each newest value on ``eventLoop``, nothing of unconfigured
  /// venues. `isMeasured` is whether these deliveries count for ``LatencyRung/state``.
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

  /// Observes changes of streams, for a host that paces itself and reads ``value(of:)``.
  ///
  /// Subscribes like ``observe(_:on:)``. The handler is called on ``eventLoop`` when a value may
  /// have changed: at once, for each message, and about four times a second without any.
  public func observeChanges(
    _ keys: Set<MarketKey>, on handler: @escaping @Sendable (MarketKey) -> Void
  ) -> FeedObservation {
    observing { core, id, gate in
      core.observe(keys, id: id, .changes { key in if gate.isActive { handler(key) } })
    }
  }

  /// The current value of a stream; nil if its venue has no such stream, and after ``shutdown()``.
  ///
  /// On ``eventLoop`` only. Costs about a read of a book's best rows: not for each message.
  public func value(of key: MarketKey) -> MarketValue? { core.value.value(of: key) }

  /// The traffic of each venue since the start, O(venues); on ``eventLoop`` only.
  package var traffic: [Venue: VenueTraffic] { core.value.traffic }

  /// Updates freshness if that is overdue: after a sleep or pause, sockets may fire before timers.
  ///
  /// On ``eventLoop`` only, before values are sent on; costs a clock read. Returns how often it was
  /// overdue so far; observers of changes have been called each time. A caller that remembers
  /// another number has not yet sent on what they were notified of.
  package func catchUp() -> UInt64 { core.value.catchUp() }

  /// Observes streams' events one by one: trades and ticks, which ``observe(_:on:)`` would
  /// conflate.
  ///
  /// Subscribes like ``observe(_:on:)``. The handler receives each new event and its time of
  /// arrival on ``eventLoop``; earlier ones are not repeated.
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

  /// Observes all venues' connections until the returned observation is cancelled or released.
  ///
  /// The handler receives every status at once and then each change, phases immediately and
  /// counters about four times a second, on ``eventLoop``.
  public func observeConnections(
    _ handler: @escaping @Sendable (ConnectionStatus) -> Void
  ) -> FeedObservation {
    observing { core, id, gate in
      core.observeConnections(id: id) { status in if gate.isActive { handler(status) } }
    }
  }

  /// Starts an observation on the loop; its gate blocks calls after it ends.
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

  /// Connects every venue that is not connected or connecting.
  public func start() { onLoop { $0.handle(.start, at: nil) } }

  /// Connects a venue that is not connected or connecting.
  public func start(_ venue: Venue) { onLoop { $0.handle(.start, at: venue) } }

  /// Disconnects a venue until it is started again; its values stay, marked as disconnected.
  public func stop(_ venue: Venue) { onLoop { $0.handle(.stop, at: venue) } }

  /// Connects a venue as early as its limits allow: the app is in front again, or the network is
  /// another.
  ///
  /// Unlike ``start(_:)`` and ``retry(_:)`` it may happen often, without growing pauses.
  public func resume(_ venue: Venue) { onLoop { $0.handle(.resume, at: venue) } }

  /// Skips a venue's wait for its next attempt, within the venue's limits.
  public func retry(_ venue: Venue) { onLoop { $0.handle(.retryNow, at: venue) } }

  /// Replaces a venue's headers (for a new token), its session, or both, and reconnects.
  ///
  /// Nil keeps the current ones. A stopped venue stays stopped.
  public func restart(
    _ venue: Venue, headers: HeaderFields? = nil, session: (any VenueSession)? = nil
  ) {
    onLoop { $0.venue(venue)?.replace(headers: headers, session: session) }
  }

  /// Closes all connections and finishes all sequences and publishers.
  ///
  /// Returns when the sockets are closed: two seconds if a venue does not respond to the close.
  public func shutdown() async {
    let gone = eventLoop.flatSubmit { [core] in core.value.shutdown() }
    try? await gone.get()
    ends.runAll()
  }
}

// MARK: - Checkpoints for other processes

extension FeedHub {
  /// A session's state as venue messages, ``VenueSession/checkpoint(_:)``; on ``eventLoop`` only.
  package func checkpoint(of venue: Venue, _ request: CheckpointRequest) -> [OutboundMessage]? {
    core.value.venue(venue)?.session.checkpoint(request)
  }
}

// MARK: - Latency

extension FeedHub {
  /// The latency of each venue, in the order of ``venues``; empty after ``shutdown()``.
  ///
  /// From any thread. Costs about 0.1 ms per venue: for each second, not each frame.
  public func latency() async -> [LatencyReport] {
    (try? await eventLoop.submit { [core, venues] in core.value.latency(of: venues) }.get()) ?? []
  }

  /// As ``latency()``, but synchronous; on ``eventLoop`` only.
  public func latencyNow() -> [LatencyReport] { core.value.latency(of: venues) }

  /// A venue's clock minus the wall clock of `now`; nil without a measurement.
  ///
  /// On ``eventLoop`` only.
  package func venueClock(of venue: Venue, at now: ClockReading) -> ClockEstimate? {
    core.value.venue(venue)?.ladder.clock(at: now)
  }

  /// Measures the message whose observers are being called, because it began a frame.
  ///
  /// On ``eventLoop`` only. Returns the start of the next step; nil outside a message of the venue.
  public func measure(_ venue: Venue) -> MessageStamp? { core.value.venue(venue)?.measure() }

  /// Records a further step of a venue's message, in nanoseconds; on ``eventLoop`` only.
  ///
  /// `within` is the error bound in nanoseconds if two clocks measured it.
  public func record(
    _ rung: LatencyRung, _ nanoseconds: Int64, within: Int64? = nil, of venue: Venue
  ) { core.value.record(rung, nanoseconds, within: within, of: venue) }
}

// MARK: - Combine publishers

extension FeedHub {
  /// The newest values of one stream on the hub's thread; finishes when the hub shuts down.
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

  /// The status of every venue and each change; finishes when the hub shuts down.
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

extension FeedHub {
  /// The newest values of one stream; ends when the hub shuts down.
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
