package import FeedConnections
package import Logging
package import MarketModel
import MarketStreams
package import MessageBus
import NIOCore
import VenueProtocols

/// Reads venues onto their tapes.
///
/// For each venue whose lease it holds, it publishes the messages of one connection. Everything
/// runs on the bus's loop. Without a venue's lease nothing is connected; losing a lease ends the
/// connection at once.
package final class TapeReader: Sendable {
  private let core: NIOLoopBoundBox<TapeReaderCore>
  /// Its connections.
  package let hub: FeedHub
  private let bus: any MessageBus

  /// Prepares a reader; ``start()`` begins.
  ///
  /// - Parameters:
  ///   - venues: their connections, with new sessions.
  ///   - bus: everything runs on its loop.
  ///   - name: the lease holder's name.
  ///   - logger: receives the epochs, and the connections' messages.
  ///   - asking: the HTTP client for servers' requests; nil for none.
  ///   - clock: the machine's by default.
  ///   - connector: opens connections; sockets by default.
  package init(
    venues: [VenueConfiguration], bus: any MessageBus, name: ServerName, logger: Logger,
    asking: (any VenueAsking)? = nil, clock: HubClock = .live,
    connector: @escaping FeedConnector = SocketFeed.connector
  ) {
    let loop = bus.eventLoop
    let tapes = NIOLoopBoundBox.makeBoxSendingValue([Venue: VenueTapeWriter](), eventLoop: loop)
    var connections = venues
    for index in connections.indices {
      let venue = connections[index].session.venue
      connections[index].tap = VenueTap(
        opened: { origin, now in tapes.value[venue]?.opened(origin, at: now) },
        heard: { message, now in tapes.value[venue]?.heard(message, at: now) },
        closed: { now in tapes.value[venue]?.closed(at: now) })
    }
    hub = FeedHub(
      venues: connections, loop: loop, logger: logger, clock: clock,
      connector: { request, loop, deliver in
        // A paused process may try to reconnect before it detects that it has lost the lease.
        let isHeld = tapes.value[request.venue]?.isHeld(at: clock.now().monotonic) == true
        return isHeld ? connector(request, loop, deliver) : RefusedFeed(on: loop, deliver)
      })
    self.bus = bus
    core = NIOLoopBoundBox.makeBoxSendingValue(
      TapeReaderCore(hub: hub, bus: bus, name: name, clock: clock, logger: logger),
      eventLoop: loop)
    let names = hub.venues
    let core = core
    loop.execute {
      for venue in names {
        let writer = VenueTapeWriter(venue, bus: bus, clock: clock)
        tapes.value[venue] = writer
        let answerer = asking.flatMap { asking in
          asking.venues.contains(venue)
            ? QuestionAnswerer(writer, bus: bus, clock: clock, venues: asking) : nil
        }
        core.value.add(writer, answerer)
      }
    }
  }

  /// Requests the leases, and reads.
  package func start() { bus.eventLoop.execute { [core] in core.value.start() } }

  /// The state of each venue, in order; on the bus's loop.
  package var readings: [TapeReading] { core.value.report }

  /// Ends all connections; the leases expire by themselves.
  package func shutdown() async {
    bus.eventLoop.execute { [core] in core.value.stop() }
    await hub.shutdown()
  }
}

/// A reader's state for one venue.
package struct TapeReading: Equatable, Sendable {
  /// The venue.
  package let venue: Venue
  /// The epoch in which this process reads it; nil without the lease.
  package let epoch: UInt64?
  /// The connection's phase.
  package let phase: ConnectionPhase
  /// What keeps this and every other reader from its lease.
  package let problem: LeaseProblem?

  package init(venue: Venue, epoch: UInt64?, phase: ConnectionPhase, problem: LeaseProblem? = nil) {
    (self.venue, self.epoch) = (venue, epoch)
    (self.phase, self.problem) = (phase, problem)
  }
}

private final class TapeReaderCore {
  private struct Reading {
    let writer: VenueTapeWriter
    /// nil if the venue has no HTTP requests.
    let answerer: QuestionAnswerer?
    var lease = BusLease()
    var watch = StandbyWatch()
    var problem: LeaseProblem?
    var wants = WantBoard()
    /// Whether the latest server wanted more streams than fit.
    var isFull = false
    var observed: Set<Subscription> = []
    var observation: FeedObservation?
  }

  private let hub: FeedHub
  private let bus: any MessageBus
  private let name: ServerName
  private let clock: HubClock
  private let logger: Logger
  private var readings: [Venue: Reading] = [:]
  private var subscriptions: [BusSubscription] = []
  private var statuses: FeedObservation?
  private var timer: LoopTimer?
  private var pulsedAt: MonotonicTime?

  init(hub: FeedHub, bus: any MessageBus, name: ServerName, clock: HubClock, logger: Logger) {
    (self.hub, self.bus, self.name, self.clock, self.logger) = (hub, bus, name, clock, logger)
  }

  func add(_ writer: VenueTapeWriter, _ answerer: QuestionAnswerer?) {
    readings[writer.venue] = Reading(writer: writer, answerer: answerer)
  }

  func start() {
    for venue in readings.keys.sorted() {
      let subjects = TapeSubjects(venue)
      subscriptions += [
        bus.subscribe(subjects.want) { [weak self] in self?.want($0, venue) },
        bus.subscribe(subjects.ask) { [weak self] in self?.answer($0, venue) },
        bus.subscribe(subjects.time) { [weak self] in self?.tellTime($0, venue) },
        bus.subscribe(subjects.pulse) { [weak self] message in
          guard let self, TapePulse(message.payload) != nil else { return }
          readings[venue]?.watch.sign(at: clock.now().monotonic)
        },
      ]
      guard let answerer = readings[venue]?.answerer else { continue }
      subscriptions.append(
        bus.subscribe(subjects.question) { [weak answerer] in answerer?.take($0) })
    }
    let bound = NIOLoopBound(self, eventLoop: bus.eventLoop)
    statuses = hub.observeConnections { status in
      bound.value.readings[status.venue]?.writer.status = status
    }
    timer = LoopTimer(every: BusLease.tickMilliseconds, on: bus.eventLoop) { [weak self] in
      self?.tick()
    }
    tick()
  }

  var report: [TapeReading] {
    let now = clock.now().monotonic
    return readings.keys.sorted().compactMap { venue in
      guard let reading = readings[venue] else { return nil }
      return TapeReading(
        venue: venue, epoch: reading.lease.isHeld(at: now) ? reading.lease.epoch : nil,
        phase: reading.writer.status?.phase ?? .idle, problem: reading.problem)
    }
  }

  func stop() {
    timer = nil
    subscriptions = []
    statuses = nil
    for venue in readings.keys { readings[venue]?.observation = nil }
  }

  private func tick() {
    let now = clock.now().monotonic
    for venue in readings.keys.sorted() {
      guard let effects = readings[venue]?.lease.timer(at: now) else { continue }
      perform(effects, venue)
      readings[venue]?.answerer?.tick()
      watchLease(of: venue, at: now)
    }
    // At the nearest tick.
    let pause = BusPulse.intervalMilliseconds - BusLease.tickMilliseconds / 2
    guard pulsedAt.map({ now.milliseconds(since: $0) >= pause }) ?? true else { return }
    pulsedAt = now
    pulse(at: now)
  }

  private func watchLease(of venue: Venue, at now: MonotonicTime) {
    guard let reading = readings[venue] else { return }
    let problem = readings[venue]?.watch.problem(
      isHeld: reading.lease.isHeld(at: now), refusal: reading.lease.refusal, at: now)
    if let problem, problem != reading.problem {
      logger.error("\(venue) is not read: \(problem)")
    }
    readings[venue]?.problem = problem
  }

  private func pulse(at now: MonotonicTime) {
    for venue in readings.keys.sorted() {
      if readings[venue]?.wants.expire(at: now) == true { observe(venue) }
      guard let writer = readings[venue]?.writer else { continue }
      let clock = hub.venueClock(of: venue, at: writer.reading)
      // Each server measures a clock estimate by the fastest message itself.
      writer.venueClock = clock?.method == .pings ? clock : nil
      writer.pulse()
    }
  }

  private func perform(_ effects: [BusLease.Effect], _ venue: Venue) {
    readings[venue]?.writer.heldUntil = readings[venue]?.lease.heldUntil
    for effect in effects {
      switch effect {
      case .hold(let revision): hold(venue, revision)
      case .begin(let epoch):
        logger.notice("reads \(venue) in epoch \(epoch)")
        readings[venue]?.writer.begin(epoch)
        readings[venue]?.answerer?.begin(epoch)
        observe(venue)
        hub.start(venue)
      case .end:
        logger.warning("does not read \(venue) any more: another reader may")
        readings[venue]?.writer.end()
        readings[venue]?.answerer?.end()
        hub.stop(venue)
      }
    }
  }

  private func hold(_ venue: Venue, _ revision: UInt64) {
    bus.hold(TapeSubjects(venue).lease, ByteBuffer(string: name.text), expecting: revision)
      .assumeIsolated().whenComplete { [weak self] result in
        guard let self else { return }
        let answer = result.mapError { ($0 as? BusError) ?? .disconnected }
        let effects = readings[venue]?.lease.answer(answer, at: clock.now().monotonic)
        perform(effects ?? [], venue)
      }
  }

  private func want(_ message: BusMessage, _ venue: Venue) {
    guard let wants = TapeWants(message.payload) else { return }
    guard let outcome = readings[venue]?.wants.receive(wants, at: clock.now().monotonic) else {
      return
    }
    if outcome.isChanged { observe(venue) }
    let isFull = outcome.refused > 0
    if isFull, readings[venue]?.isFull == false {
      logger.warning(
        "\(venue): servers want more than \(WantBoard.maximumStreams) streams; the others wait")
    }
    readings[venue]?.isFull = isFull
  }

  /// Subscribes at the venue to the wanted streams, while this process reads it.
  private func observe(_ venue: Venue) {
    guard let reading = readings[venue], reading.lease.epoch != nil else { return }
    let streams = reading.wants.streams
    guard streams != reading.observed || reading.observation == nil else { return }
    let observation = hub.observeChanges(Set(streams.map { MarketKey(venue, $0) })) { _ in }
    // The former observation ends after the new one has begun, so that no stream is unsubscribed in
    // between.
    readings[venue]?.observation = observation
    readings[venue]?.observed = streams
  }

  private func tellTime(_ message: BusMessage, _ venue: Venue) {
    guard let replyTo = message.replyTo, let reply = readings[venue]?.writer.time() else { return }
    bus.publish(replyTo, reply.bytes)
  }

  private func answer(_ message: BusMessage, _ venue: Venue) {
    guard let replyTo = message.replyTo, let wants = TapeWants(message.payload),
      let writer = readings[venue]?.writer
    else { return }
    let request = CheckpointRequest(streams: wants.streams, isWhole: wants.isWhole)
    guard
      let reply = writer.copy(
        hub.checkpoint(of: venue, request), isWhole: wants.isWhole,
        for: wants.server)
    else { return }
    bus.publish(replyTo, reply.bytes)
  }
}

/// Ends at once.
final class RefusedFeed: FeedTransport {
  private let loop: any EventLoop
  private var deliver: ((TransportEvent) -> Void)?

  init(on loop: any EventLoop, _ deliver: @escaping (TransportEvent) -> Void) {
    (self.loop, self.deliver) = (loop, deliver)
    loop.assumeIsolated().execute { [weak self] in
      self?.deliver?(.ended(.reader(.changed)))
      self?.deliver = nil
    }
  }

  func send(_ message: OutboundMessage) {}

  func ping() {}

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    deliver = nil
    return loop.makeSucceededVoidFuture()
  }
}
