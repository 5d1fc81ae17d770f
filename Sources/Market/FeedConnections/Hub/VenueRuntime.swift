// One venue inside the hub: its session, its connection's state machine and its transport, brought
// together. Lives on the hub's event loop.

import Logging
import MarketModel
import MarketStreams
import NIOCore
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// Performs what the state machine and the session ask for.
final class VenueRuntime {
  /// What a venue tells the hub.
  struct Outlet {
    /// The value of a stream may have changed.
    var changed: (Subscription) -> Void
    /// A stream brought something new.
    var happened: (Subscription, MarketEvent, ClockReading) -> Void
    /// Every value of the venue may have changed.
    var everythingChanged: () -> Void
    /// The connection's phase has changed.
    var phaseChanged: (ConnectionStatus) -> Void
    /// The connection stands and the session is about to ask for its streams.
    var opening: () -> Void
    /// Something has come and is about to be read.
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
  /// Where the session's data comes from by its address.
  private var addressOrigin: DataOrigin
  private var machine: ConnectionStateMachine
  private var transport: (any FeedTransport)?
  /// Events of transports before the present one carry a smaller number and are dropped.
  private var generation = 0
  private var wake: Scheduled<Void>?
  private var probeSent: ClockReading?
  /// Probes of text without an answer: answers come in order, and carry no number.
  private var textProbes = 0
  private var wanted: Set<Subscription> = []
  private var closing: [EventLoopFuture<Void>] = []
  /// How long messages take from the venue to where they are seen.
  var ladder: LatencyLadder
  /// How long answers take the process that reads for this one, where that is too long.
  private var readerDelay: Int64?
  private var warnings = VenueWarnings()
  /// The message that is being taken in; nil between messages.
  private var current: MessageInHand?
  var outlet: Outlet?
  /// What came since the start.
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
    machine = ConnectionStateMachine(
      settings, venue: name, origin: session.origin, at: clock.now())
  }

  private static func holdToken(_ headers: HeaderFields) -> Bool {
    headers.contains { $0.name.lowercased() == "authorization" }
  }

  /// How the connection is doing.
  var status: ConnectionStatus { machine.status }

  /// The present value of a stream.
  func value(for subscription: Subscription) -> MarketValue? {
    session.value(for: subscription, at: clock.now())
  }

  /// Replaces the set of wanted streams.
  func want(_ subscriptions: Set<Subscription>) {
    guard subscriptions != wanted else { return }
    wanted = subscriptions
    let now = clock.now()
    transport?.want(subscriptions)
    perform(session.handle(.wanted(subscriptions), at: now), now)
  }

  /// Lets time pass in the session; the hub calls it about four times a second.
  func tick() {
    guard machine.isSessionOpen else { return }
    let now = clock.now()
    perform(session.handle(.timer, at: now), now)
    askForTime(now)
    noteDelay(now)
  }

  /// Takes a command or an event of the connection.
  func handle(_ event: ConnectionStateMachine.Event) { handle(event, clock.now()) }

  /// Puts another token or another session in place and connects with it.
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

  /// Stops for good.
  ///
  /// - Returns: done when the sockets are gone.
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
      case .ready:
        handle(.ready(wantsData: !wanted.isEmpty), now)
        askForTime(now)
      case .pong:
        // The answer to another question says nothing of the probe.
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
    // What they say moves with the market: that is for the list of connections.
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
      venue: name, endpoint: configuration.endpoint, headers: headers,
      options: configuration.options)
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
    // Only the newest sockets can still be on their way out: a close takes two seconds at most.
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

  /// A host that says that it is a simulator is believed at any address; none can say that it is
  /// more than its address tells.
  ///
  /// A reader of this installation says what it knows of its own address.
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

  /// Whether a session sends the probe by itself, as those do that must never fall silent.
  private func isProbe(_ message: OutboundMessage) -> Bool {
    guard case .text(let text) = session.heartbeat.probe else { return false }
    return message.bytes.elementsEqual(text.utf8)
  }

  /// From the latest probe to now; nil when there was none.
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
    // A venue that sends nothing but nonsense must not fill the disk: 1, 2, 4, 8 …
    if count & (count - 1) == 0 {
      logger.warning("message rejected: \(problem)", metadata: ["count": "\(count)"])
    }
  }
}

// MARK: - Latency

/// A message between its arrival and what becomes of it.
private struct MessageInHand {
  let payload: ByteBuffer
  /// When it was handed over, which is later than when its bytes were read.
  let taken: MonotonicTime
  /// When the session was done with it, once that was asked for.
  var stamp: MessageStamp?
}

extension VenueRuntime {
  /// Measures the message that is being taken in, once; nil between messages.
  ///
  /// Only for a message that begins a frame: it costs a look at the clock and one at the message.
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

  /// Pings the venue when that is due, and asks for its time where it can be had.
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

  /// Takes note of how long the venue takes to answer; whoever watches is told when that becomes
  /// too long, when it is half a second more or less, and when it is no more.
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

  /// Takes the answer to the ladder's own ping; false when the message in hand is none.
  private func takeClockPong() -> Bool {
    guard let message = current,
      case .pong(let number, let got, let answered) = session.times(
        in: message.payload.readableBytesUInt8Span)
    else { return false }
    let now = clock.now()
    note(
      ladder.pong(number, got: got, answered: answered, received: readTime(now.monotonic)), now)
    return true
  }

  /// Takes note of the round trip of a ping, in nanoseconds; nil for an answer to none.
  private func note(_ trip: Int64?, _ now: ClockReading) {
    if let trip { machine.status.roundTripMicroseconds = trip / 1000 }
    noteDelay(now)
  }

  /// When the bytes were read that hold the message in hand.
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
