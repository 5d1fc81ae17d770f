import Logging
import MarketModel
import MarketStreams
import NIOCore
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// One venue's session, connection state machine and transport; on the hub's event loop.
final class VenueRuntime {
  struct Outlet {
    var changed: (Subscription) -> Void
    var happened: (Subscription, MarketEvent, ClockReading) -> Void
    var everythingChanged: () -> Void
    var phaseChanged: (ConnectionStatus) -> Void
    /// The connection is open and the session is about to subscribe.
    var opening: () -> Void
    /// Data has arrived and is about to be read.
    var reading: () -> Void
  }

  let name: Venue
  private let configuration: VenueConfiguration
  private let connector: FeedConnector
  private let loop: any EventLoop
  private let clock: HubClock
  private let logger: Logger

  private var headers: HeaderFields
  private(set) var session: any VenueSession
  private var addressOrigin: DataOrigin
  private var machine: ConnectionStateMachine
  private var transport: (any FeedTransport)?
  /// Events of earlier transports have a smaller number and are dropped.
  private var generation = 0
  private var wake: Scheduled<Void>?
  private var probeSent: ClockReading?
  /// Text probes without a response; responses come in order, without a number.
  private var textProbes = 0
  private var wanted: Set<Subscription> = []
  private var closing: [EventLoopFuture<Void>] = []
  var ladder: LatencyLadder
  /// The remote reader's response time while too long for live data.
  private var readerDelay: Int64?
  private var warnings = VenueWarnings()
  private var current: MessageInHand?
  var outlet: Outlet?
  private(set) var traffic = VenueTraffic()

  init(
    _ configuration: VenueConfiguration, connector: @escaping FeedConnector,
    loop: any EventLoop, clock: HubClock, logger: Logger, seed: UInt64
  ) {
    name = configuration.session.venue
    self.configuration = configuration
    self.connector = connector
    self.loop = loop
    self.clock = clock
    var logger = logger
    logger[metadataKey: "venue"] = "\(name)"
    self.logger = logger
    headers = configuration.headers
    session = configuration.session
    ladder = LatencyLadder(of: configuration.session)
    addressOrigin = configuration.session.origin
    var settings = ConnectionStateMachine.Settings(
      heartbeat: session.heartbeat, budget: configuration.budget,
      backoff: Backoff(
        capMilliseconds: configuration.backoffCapMilliseconds
          ?? configuration.budget.backoffCapMilliseconds, chance: SplitMix64(seed: seed)),
      displayName: configuration.displayName)
    settings.readyDeadlineMilliseconds = configuration.readyDeadlineMilliseconds
    settings.sendsToken = VenueRuntime.holdToken(configuration.headers)
    machine = ConnectionStateMachine(settings, venue: name, origin: session.origin, at: clock.now())
  }

  private static func holdToken(_ headers: HeaderFields) -> Bool {
    headers.contains { $0.name.lowercased() == "authorization" }
  }

  var status: ConnectionStatus { machine.status }

  func value(for subscription: Subscription) -> MarketValue? {
    session.value(for: subscription, at: clock.now())
  }

  func want(_ subscriptions: Set<Subscription>) {
    guard subscriptions != wanted else { return }
    wanted = subscriptions
    let now = clock.now()
    transport?.want(subscriptions)
    perform(session.handle(.wanted(subscriptions), at: now), now)
  }

  /// Runs the session's timer, about four times a second.
  func tick() {
    guard machine.isSessionOpen else { return }
    let now = clock.now()
    perform(session.handle(.timer, at: now), now)
    askForTime(now)
    noteDelay(now)
  }

  func handle(_ event: ConnectionStateMachine.Event) { handle(event, clock.now()) }

  func replace(headers: HeaderFields?, session replacement: (any VenueSession)?) {
    let now = clock.now()
    if let headers {
      self.headers = headers
      machine.settings.sendsToken = VenueRuntime.holdToken(headers)
    }
    if let replacement {
      if machine.isSessionOpen { perform(session.handle(.closed, at: now), now) }
      session = replacement
      ladder = LatencyLadder(of: replacement)
      addressOrigin = replacement.origin
      machine.adopt(replacement)
      perform(session.handle(.wanted(wanted), at: now), now)
      outlet?.everythingChanged()
    }
    handle(.configurationChanged, now)
  }

  /// Stops permanently; done when the sockets are closed.
  func shutdown() -> EventLoopFuture<Void> {
    handle(.stop)
    outlet = nil
    return .andAllComplete(closing, on: loop)
  }
}

// MARK: - Performing

extension VenueRuntime {
  private func handle(_ event: ConnectionStateMachine.Event, _ now: ClockReading) {
    for effect in machine.handle(event, at: now) { perform(effect, now) }
  }

  private func perform(_ effect: ConnectionStateMachine.Effect, _ now: ClockReading) {
    switch effect {
    case .connect: connect()
    case .disconnect(let code, let reason): disconnect(code, reason)
    case .openSession:
      outlet?.opening()
      configuration.tap?.opened(session.origin, now)
      perform(session.handle(.opened, at: now), now)
    case .closeSession:
      configuration.tap?.closed(now)
      machine.status.dissents = [:]
      perform(session.handle(.closed, at: now), now)
      outlet?.everythingChanged()
    case .probe(let probe): send(probe, now)
    case .wake(let time): schedule(time, now)
    case .report: report()
    }
  }

  private func perform(_ effects: [SessionEffect], _ now: ClockReading) {
    for effect in effects {
      switch effect {
      case .send(let message):
        if isProbe(message) {
          probeSent = now
          textProbes += 1
        }
        transport?.send(message)
      case .fetch(let request): transport?.fetch(request)
      case .ready:
        handle(.ready(wantsData: !wanted.isEmpty), now)
        askForTime(now)
      case .pong:
        // The response to a clock ping is not one to the probe.
        if takeClockPong() { continue }
        textProbes = max(0, textProbes - 1)
        let isOfLatest = textProbes == 0
        handle(.pong(roundTripMicroseconds: roundTrip(now), isOfLatest: isOfLatest), now)
      case .changed(let subscription): outlet?.changed(subscription)
      case .happened(let subscription, let event): outlet?.happened(subscription, event, now)
      case .rejected(let problem): reject(problem)
      case .warned(let text):
        let text = ForeignText.clean(text)
        if warnings.isNew(text) { logger.notice("the venue warns: \(text)") }
      case .skipped(let count):
        machine.status.skippedInstruments = count
        if count > 0 { logger.notice("instruments left out of the venue's list: \(count)") }
      case .resynced(let subscription):
        machine.status.resyncs += 1
        logger.notice("book resynchronised", metadata: ["symbol": "\(subscription.symbol)"])
      case .dissented(let symbol, let dissents): note(dissents, of: symbol)
      case .reconnect(let problem): handle(.failed(.venue(problem)), now)
      case .refuse(let problem): handle(.refused(.venue(problem)), now)
      }
    }
  }

  private func note(_ dissents: [WitnessDissent], of symbol: Symbol) {
    let isNew = machine.status.dissents[symbol] == nil
    machine.status.note(dissents, of: symbol)
    // Prices in later dissents move with the market; the connection list shows them.
    for dissent in dissents where isNew {
      let said = dissent.said.map { "\($0)" } ?? "none"
      logger.notice(
        "\(dissent.witness) says \(dissent.price) \(said), shown is another",
        metadata: ["symbol": "\(symbol)"])
    }
  }

  private func connect() {
    generation += 1
    let mine = generation
    let request = TransportRequest(
      venue: name, endpoint: configuration.endpoint, requests: configuration.requests,
      headers: headers, options: configuration.options)
    transport = connector(request, loop) { [weak self] event in
      guard let self else { return }
      outlet?.reading()
      guard mine == generation else { return }
      take(event)
    }
    transport?.want(wanted)
  }

  private func disconnect(_ code: UInt16, _ reason: String) {
    generation += 1
    guard let old = transport else { return }
    transport = nil
    probeSent = nil
    textProbes = 0
    ladder.disconnected()
    readerDelay = nil
    machine.status.delayMilliseconds = nil
    closing.append(old.close(code: code, reason: reason))
    // A close takes two seconds at most, so only the newest sockets can still be closing.
    if closing.count > 8 { closing.removeFirst() }
  }

  private func take(_ event: TransportEvent) {
    let now = clock.now()
    switch event {
    case .connected: handle(.connected, now)
    case .accepted(let origin): label(origin ?? addressOrigin)
    case .opened: handle(.opened, now)
    case .alive: handle(.received, now)
    case .readerTime(let time): ladder.take(time)
    case .readerDelay(let delay):
      readerDelay = delay
      noteDelay(now)
    case .pong(let roundTrip): handle(.pong(roundTripMicroseconds: roundTrip), now)
    case .numberedPong(let number):
      handle(.received, now)
      note(ladder.pong(number, received: readTime(now.monotonic)), now)
    case .ended(let problem):
      logger.notice("connection ended: \(problem)")
      handle(.failed(problem), now)
    case .message(let payload, let kind):
      let sinceRead = configuration.tap == nil ? 0 : transport?.nanosecondsSinceRead ?? 0
      configuration.onRawMessage?(name, payload, now)
      traffic.frames &+= 1
      traffic.bytes &+= UInt64(payload.readableBytes)
      handle(.received, now)
      let effects = session.receive(payload.readableBytesUInt8Span, kind: kind, at: now)
      current = MessageInHand(payload: payload, taken: now.monotonic)
      perform(effects, now)
      current = nil
      configuration.tap?.heard(
        HeardMessage(
          payload, kind, greets: effects.contains(.ready), nanosecondsSinceRead: sinceRead), now)
    }
  }

  /// Any address may declare itself a simulator; no host can declare more than its address implies.
  ///
  /// A reader of this installation reports the origin of the address it uses.
  private func label(_ origin: DataOrigin) {
    guard session.origin != origin else { return }
    session.origin = origin
    machine.adopt(session)
    outlet?.everythingChanged()
  }

  private func send(_ probe: HeartbeatPolicy.Probe, _ now: ClockReading) {
    probeSent = now
    switch probe {
    case .pingFrame: transport?.ping()
    case .text(let text):
      textProbes += 1
      transport?.send(OutboundMessage(text: text))
    case .none: break
    }
  }

  /// Sessions that must never be silent send the probe themselves.
  private func isProbe(_ message: OutboundMessage) -> Bool {
    guard case .text(let text) = session.heartbeat.probe else { return false }
    return message.bytes.elementsEqual(text.utf8)
  }

  /// Microseconds since the latest probe; nil without one.
  private func roundTrip(_ now: ClockReading) -> Int64? {
    guard let sent = probeSent else { return nil }
    probeSent = nil
    return (now.monotonic.nanoseconds - sent.monotonic.nanoseconds) / 1000
  }

  private func schedule(_ time: MonotonicTime?, _ now: ClockReading) {
    wake?.cancel()
    wake = time.map { time in
      let delay = max(0, time.nanoseconds - now.monotonic.nanoseconds)
      return loop.assumeIsolated().scheduleTask(in: .nanoseconds(delay)) { [weak self] in
        self?.handle(.timer)
      }
    }
  }

  private func report() {
    let status = machine.status
    let reason = status.reason.map { " (\($0))" } ?? ""
    logger.info("connection: \(status.phase)\(reason)")
    outlet?.phaseChanged(status)
  }

  private func reject(_ problem: VenueProblem) {
    machine.status.rejectedMessages += 1
    let count = machine.status.rejectedMessages
    // A venue that sends only invalid data must not fill the disk: 1, 2, 4, 8 …
    if count & (count - 1) == 0 {
      logger.warning("message rejected: \(problem)", metadata: ["count": "\(count)"])
    }
  }
}

// MARK: - Latency

private struct MessageInHand {
  let payload: ByteBuffer
  /// When it was delivered, later than its bytes were read.
  let taken: MonotonicTime
  /// When the session had applied it, if measured.
  var stamp: MessageStamp?
}

extension VenueRuntime {
  /// Measures the current message, once; only if it begins a frame: it costs a clock read and a
  /// parse.
  func measure() -> MessageStamp? {
    guard let message = current else { return nil }
    if let stamp = message.stamp { return stamp }
    let decoded = clock.now().monotonic
    let read = readTime(decoded)
    var venueTime: Timestamp?
    if case .event(let time) = session.times(in: message.payload.readableBytesUInt8Span) {
      venueTime = time
    }
    switch transport?.way ?? .copied {
    case .direct: if let venueTime { ladder.arrived(venueTime, at: read) }
    case .relayed(let relayed): ladder.relayed(relayed, dated: venueTime, at: read)
    case .copied: break
    }
    ladder.record(.decoded, decoded.nanoseconds - read.nanoseconds, at: decoded)
    let stamp = MessageStamp(venue: name, decoded: decoded)
    current?.stamp = stamp
    return stamp
  }

  private static let delayStepMilliseconds: Int64 = 500

  /// Pings the venue when due, with its clock ping if it has one.
  private func askForTime(_ now: ClockReading) {
    guard status.phase.isConnected, transport?.way.isDirect == true,
      let number = ladder.ping(at: now.monotonic)
    else { return }
    if let ping = session.clockPing(number) {
      transport?.send(ping)
    } else {
      transport?.ping(number: number)
    }
  }

  /// Reports the response time when it becomes too long, changes by half a second or is normal
  /// again.
  private func noteDelay(_ now: ClockReading) {
    let delay = readerDelay ?? ladder.delay(at: now.monotonic)
    let told = machine.status.delayMilliseconds
    let hasTurned = (delay == nil) != (told == nil)
    let step = abs((delay ?? 0) - (told ?? 0))
    guard hasTurned || step >= VenueRuntime.delayStepMilliseconds else { return }
    machine.status.delayMilliseconds = delay
    if hasTurned {
      logger.notice(delay == nil ? "answers are prompt again" : "answers take long")
    }
    outlet?.phaseChanged(machine.status)
  }

  /// Handles the response to the ladder's ping; false for any other message.
  private func takeClockPong() -> Bool {
    guard let message = current,
      case .pong(let number, let got, let answered) = session.times(
        in: message.payload.readableBytesUInt8Span)
    else { return false }
    let now = clock.now()
    note(ladder.pong(number, got: got, answered: answered, received: readTime(now.monotonic)), now)
    return true
  }

  /// Records a ping's round trip in nanoseconds; nil for an unmatched response.
  private func note(_ trip: Int64?, _ now: ClockReading) {
    if let trip { machine.status.roundTripMicroseconds = trip / 1000 }
    noteDelay(now)
  }

  private func readTime(_ now: MonotonicTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: now.nanoseconds - max(0, transport?.nanosecondsSinceRead ?? 0))
  }
}

extension LatencyLadder {
  fileprivate init(of session: any VenueSession) {
    let answersPings: VenuePings = session.heartbeat.probe == .none ? .none : .frames
    self.init(
      venue: session.venue, pings: session.clockPing(0) == nil ? answersPings : .timed,
      resolution: session.timeResolutionNanoseconds ?? 0)
  }
}
