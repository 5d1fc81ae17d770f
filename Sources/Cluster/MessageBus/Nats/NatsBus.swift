public import Logging
import MarketModel
public import NIOCore
public import SocketTransport

/// A bus through a NATS broker of 2.9 or later; leases use its JetStream.
///
/// Subscriptions outlive the link, which is reopened as long as the bus exists. All calls,
/// including ``start()``, must be made on ``eventLoop``.
public final class NatsBus: MessageBus, @unchecked Sendable {
  // All state is confined to `eventLoop`, which orders everything.

  /// The loop of all calls and handlers.
  public let eventLoop: any EventLoop
  /// The broker's latest maximum payload in bytes.
  public private(set) var maximumPayloadBytes = 1 << 20

  struct Listener {
    let subject: String
    let handler: (BusMessage) -> Void
  }

  struct Question {
    let promise: EventLoopPromise<ByteBuffer>
    let timeout: Scheduled<Void>
  }

  /// The subscription of all responses.
  static let inboxNumber: UInt64 = 1

  private let address: NatsAddress
  private let name: String
  private let tls: TLSSettings
  private let logger: Logger
  private var pause: Backoff<SplitMix64>
  private var link: NatsLink?
  /// Index of the broker that is tried or connected.
  private var turn = 0
  /// The link to another broker that replaces ``link``, whose broker is about to close it.
  private var successor: (link: NatsLink, turn: Int)?
  /// The replaced link, while it may deliver responses.
  private var former: NatsLink?
  private var isUp = false
  private var isStarted = false
  private var isOver = false
  private var problem = "not started"
  private var redial: Scheduled<Void>?
  private var observers: [UInt64: (BusLink) -> Void] = [:]
  private var listeners: [UInt64: Listener] = [:]
  private var number = NatsBus.inboxNumber
  let inbox: String
  var questions: [UInt64: Question] = [:]
  /// The buckets that this link has created or checked.
  var buckets: [NatsBucket: EventLoopFuture<Void>] = [:]

  /// Creates a bus that is inactive before ``start()``.
  ///
  /// - Parameters:
  ///   - address: the brokers and credentials; after a loss the next broker is tried.
  ///   - name: the client's name in the broker's lists.
  ///   - tls: the trust settings, if the broker uses TLS.
  ///   - logger: receives links and problems, never payloads or credentials.
  ///   - seed: of the pauses between attempts; random if nil.
  ///   - eventLoop: the loop of all calls and handlers.
  public init(
    address: NatsAddress, name: String = "livetape", tls: TLSSettings = .system, logger: Logger,
    seed: UInt64? = nil, on eventLoop: any EventLoop
  ) {
    self.address = address
    self.name = name
    self.tls = tls
    self.logger = logger
    self.eventLoop = eventLoop
    var chance = SystemRandomNumberGenerator()
    pause = Backoff(
      firstMilliseconds: 100, capMilliseconds: 1000,
      chance: SplitMix64(seed: seed ?? chance.next()))
    let (first, second) = (chance.next(), chance.next())
    inbox = "_INBOX.\(String(first, radix: 36))\(String(second, radix: 36))."
  }

  /// A bus released without ``shutdown()`` must not leave a socket open.
  deinit {
    guard !isOver else { return }
    for link in [link, successor?.link, former].compactMap({ $0 }) {
      eventLoop.execute { _ = link.finish() }
    }
  }

  /// Connects and keeps connecting; a second call does nothing.
  public func start() {
    guard !isStarted, !isOver else { return }
    isStarted = true
    problem = "connecting"
    dial()
  }

  // MARK: MessageBus

  /// Nanoseconds since the broker's latest bytes were read.
  public var nanosecondsSinceRead: Int64 {
    link?.lastRead.map { (eventLoop.now - $0).nanoseconds } ?? 0
  }

  /// Sends a message; lost if the link is down.
  public func publish(_ subject: String, _ payload: ByteBuffer) {
    guard BusError.preventing(subject, payload, on: self, isUp: isUp) == nil else { return }
    write { NatsEncoder.publish(subject, payload, to: &$0) }
  }

  /// Subscribes to a subject, across link losses.
  public func subscribe(
    _ subject: String, _ handler: @escaping (BusMessage) -> Void
  ) -> BusSubscription {
    guard !isOver, BusSubject.isPattern(subject) else { return BusSubscription {} }
    let number = nextNumber()
    listeners[number] = Listener(subject: subject, handler: handler)
    if isUp { write { NatsEncoder.subscribe(subject, number, to: &$0) } }
    return BusSubscription { [weak self, eventLoop] in
      eventLoop.assumeIsolatedOrLater { [weak self] in self?.unsubscribe(number) }
    }
  }

  /// Sends a request; the first response counts.
  public func request(
    _ subject: String, _ payload: ByteBuffer, timeoutMilliseconds: Int64
  ) -> EventLoopFuture<ByteBuffer> {
    if let error = BusError.preventing(subject, payload, on: self, isUp: isUp) {
      return eventLoop.makeFailedFuture(error)
    }
    return ask(timeoutMilliseconds) { replyTo, bytes in
      NatsEncoder.publish(subject, replyTo: replyTo, payload, to: &bytes)
    }
  }

  /// Writes a lease.
  public func hold(
    _ key: String, _ value: ByteBuffer, expecting: UInt64
  ) -> EventLoopFuture<UInt64> {
    if let error = BusError.preventing(key, value, on: self, isUp: isUp) {
      return eventLoop.makeFailedFuture(error)
    }
    return write(key, of: .leases, value, expecting: expecting)
  }

  /// Loads a lasting value.
  public func load(_ key: String) -> EventLoopFuture<BusValue?> {
    if let error = BusError.preventing(key, ByteBuffer(), on: self, isUp: isUp) {
      return eventLoop.makeFailedFuture(error)
    }
    return read(key, of: .values)
  }

  /// Stores a lasting value.
  public func store(
    _ key: String, _ value: ByteBuffer, expecting: UInt64
  ) -> EventLoopFuture<UInt64> {
    if let error = BusError.preventing(key, value, on: self, isUp: isUp) {
      return eventLoop.makeFailedFuture(error)
    }
    return write(key, of: .values, value, expecting: expecting)
  }

  /// Observes whether the link is up.
  public func observeLink(_ handler: @escaping (BusLink) -> Void) -> BusSubscription {
    guard !isOver else { return BusSubscription {} }
    let number = nextNumber()
    observers[number] = handler
    tell(linkState, to: [number])
    return BusSubscription { [weak self, eventLoop] in
      eventLoop.assumeIsolatedOrLater { [weak self] in self?.observers[number] = nil }
    }
  }

  /// Ends everything.
  public func shutdown() -> EventLoopFuture<Void> {
    guard !isOver else { return eventLoop.makeSucceededVoidFuture() }
    isOver = true
    isUp = false
    redial?.cancel()
    listeners = [:]
    observers = [:]
    let ended = link?.finish() ?? eventLoop.makeSucceededVoidFuture()
    _ = successor?.link.finish()
    _ = former?.finish()
    (link, successor, former) = (nil, nil, nil)
    abandonQuestions()
    return ended
  }

  func write(_ body: (inout ByteBuffer) -> Void) { link?.write(body) }

  func nextNumber() -> UInt64 {
    number += 1
    return number
  }

  private func unsubscribe(_ number: UInt64) {
    guard listeners.removeValue(forKey: number) != nil, isUp else { return }
    write { NatsEncoder.unsubscribe(number, to: &$0) }
  }

  // MARK: The link

  private var linkState: BusLink { isUp ? .up : .down(problem) }

  private func dial() {
    let link = makeLink(turn)
    self.link = link
    link.open()
  }

  private func makeLink(_ turn: Int) -> NatsLink {
    let machine = NatsProtocol(name: name, address: address)
    return NatsLink(machine, to: address.endpoints[turn], tls, on: eventLoop) {
      [weak self] link, effect in self?.receive(effect, from: link)
    }
  }

  private func receive(_ effect: NatsProtocol.Effect, from link: NatsLink) {
    guard link === self.link else { return receive(effect, besides: link) }
    switch effect {
    case .send, .startTLS: break
    case .info(let info):
      maximumPayloadBytes = info.maximumPayload
      if info.isLeaving { leave() }
    case .ready: begin()
    case .message(let message): deliver(message)
    case .notice(let words): logger.warning("the broker complains: \(words)", metadata: broker)
    case .end(let error): lose(error)
    }
  }

  // MARK: Lame-duck mode

  /// Connects to the cluster's next broker, and switches once it is ready.
  private func leave() {
    logger.notice("the broker is about to close the connection", metadata: broker)
    guard isUp, successor == nil else { return }
    dialSuccessor((turn + 1) % address.endpoints.count)
  }

  /// Tries a broker, and after a pause the others, until the current link is closed.
  private func dialSuccessor(_ turn: Int) {
    guard turn == self.turn else {
      let link = makeLink(turn)
      successor = (link, turn)
      return link.open()
    }
    guard address.endpoints.count > 1 else { return }
    let leaving = link
    eventLoop.scheduleTask(in: .milliseconds(NatsBus.successorMilliseconds)) { [weak self] in
      guard let self, !isOver, isUp, link === leaving, successor == nil else { return }
      dialSuccessor((turn + 1) % address.endpoints.count)
    }
  }

  /// Handles effects of the former link or the successor.
  private func receive(_ effect: NatsProtocol.Effect, besides link: NatsLink) {
    switch effect {
    case .message(let message) where link === former && message.subscription == NatsBus.inboxNumber:
      answer(message)
    case .end where link === former: former = nil
    case .ready where link === successor?.link: changeOver()
    case .end(let error):
      guard let failed = successor, link === failed.link else { return }
      logger.warning("another broker can't be used either: \(error)")
      successor = nil
      dialSuccessor((failed.turn + 1) % address.endpoints.count)
    default: break
    }
  }

  /// Makes the successor the current link; the former one still delivers responses to its requests.
  private func changeOver() {
    guard let next = successor else { return }
    _ = former?.finish()
    (former, link, turn, successor) = (link, next.link, next.turn, nil)
    buckets = [:]
    begin()
    eventLoop.scheduleTask(in: .milliseconds(NatsBus.formerMilliseconds)) { [weak self, former] in
      _ = former?.finish()
      if self?.former === former { self?.former = nil }
    }
  }

  private func begin() {
    let wasUp = isUp
    isUp = true
    pause.reset()
    logger.info("bus up", metadata: broker)
    write { bytes in
      NatsEncoder.subscribe("\(inbox)*", NatsBus.inboxNumber, to: &bytes)
      for (number, listener) in listeners.sorted(by: { $0.key < $1.key }) {
        NatsEncoder.subscribe(listener.subject, number, to: &bytes)
      }
    }
    if !wasUp { tell(.up, to: observers.keys.sorted()) }
  }

  private func deliver(_ message: NatsMessage) {
    if message.subscription == NatsBus.inboxNumber { return answer(message) }
    listeners[message.subscription]?.handler(
      BusMessage(subject: message.subject, payload: message.payload, replyTo: message.replyTo))
  }

  private func lose(_ error: NatsError) {
    let milliseconds = pause.next()
    let words = error.description
    if isUp || problem != words {
      logger.warning("bus down: \(words)", metadata: broker)
      problem = words
      tell(.down(words), to: observers.keys.sorted())
    }
    isUp = false
    buckets = [:]
    abandonQuestions()
    if let next = successor {
      // It is already connecting.
      (link, turn, successor) = (next.link, next.turn, nil)
      return
    }
    link = nil
    turn = (turn + 1) % address.endpoints.count
    redial = eventLoop.scheduleTask(in: .milliseconds(milliseconds)) { [weak self] in
      guard let self, !isOver else { return }
      dial()
    }
  }

  private func tell(_ state: BusLink, to numbers: [UInt64]) {
    guard !numbers.isEmpty else { return }
    eventLoop.execute { [weak self] in
      for number in numbers { self?.observers[number]?(state) }
    }
  }

  private var endpoint: Endpoint { address.endpoints[turn] }
  /// How long a replaced link may deliver responses, in milliseconds; longer than any request's
  /// timeout.
  private static let formerMilliseconds: Int64 = 5000
  /// Between two rounds of attempts to replace a link, in milliseconds.
  private static let successorMilliseconds: Int64 = 500

  /// Replicas of a bucket: three if the cluster has enough brokers, so that it can lose one.
  var bucketCopies: Int { address.endpoints.count >= 3 ? 3 : 1 }

  private var broker: Logger.Metadata {
    ["broker": "\(address.isSecure ? "tls" : "nats")://\(endpoint.authority)"]
  }
}
