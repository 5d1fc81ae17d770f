// The bus through a NATS broker: who listens and who waits for answers outlives the link, which is
// made anew as long as the bus lives.

public import Logging
import MarketModel
public import NIOCore
public import SocketTransport

/// Messages by subject through a NATS broker of 2.9 or later, leases by its JetStream.
///
/// Everything is called on ``eventLoop``, also ``start()``.
public final class NatsBus: MessageBus, @unchecked Sendable {
  // All state is touched on `eventLoop` only; the loop orders everything.

  /// Where everything happens.
  public let eventLoop: any EventLoop
  /// The largest payload that can be sent, as the broker said last, in bytes.
  public private(set) var maximumPayloadBytes = 1 << 20

  struct Listener {
    let subject: String
    let handler: (BusMessage) -> Void
  }

  struct Question {
    let promise: EventLoopPromise<ByteBuffer>
    let timeout: Scheduled<Void>
  }

  /// The subscription of all answers.
  static let inboxNumber: UInt64 = 1

  private let address: NatsAddress
  private let name: String
  private let tls: TLSSettings
  private let logger: Logger
  private var pause: Backoff<SplitMix64>
  private var link: NatsLink?
  /// Which of the brokers is tried, or linked.
  private var turn = 0
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

  /// Makes a bus that does nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - address: where the brokers are, and who we are there; after a loss the next one is tried.
  ///   - name: what the broker calls us in its own lists.
  ///   - tls: whom to trust, where the broker speaks TLS.
  ///   - logger: gets links and problems, never payloads or credentials.
  ///   - seed: of the pauses between attempts; by chance where it is nil.
  ///   - eventLoop: where everything happens.
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

  /// A bus that is let go without ``shutdown()`` leaves no socket behind either.
  deinit {
    guard !isOver, let link else { return }
    eventLoop.execute { _ = link.finish() }
  }

  /// Connects, and keeps connecting; does nothing the second time.
  public func start() {
    guard !isStarted, !isOver else { return }
    isStarted = true
    problem = "connecting"
    dial()
  }

  // MARK: What a bus does

  /// How long ago the broker's latest bytes were read, in nanoseconds.
  public var nanosecondsSinceRead: Int64 {
    link?.lastRead.map { (eventLoop.now - $0).nanoseconds } ?? 0
  }

  /// Sends a message; lost where the link is down.
  public func publish(_ subject: String, _ payload: ByteBuffer) {
    guard BusError.preventing(subject, payload, on: self, isUp: isUp) == nil else { return }
    write { NatsEncoder.publish(subject, payload, to: &$0) }
  }

  /// Listens to a subject, over losses of the link.
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

  /// Asks, and takes the first answer.
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

  /// Hears whether the link stands.
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
    link = nil
    abandonQuestions()
    return ended
  }

  /// Sends on the link, where there is one.
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
    let machine = NatsProtocol(name: name, address: address)
    let link = NatsLink(machine, to: endpoint, tls, on: eventLoop) {
      [weak self] link, effect in self?.take(effect, from: link)
    }
    self.link = link
    link.open()
  }

  private func take(_ effect: NatsProtocol.Effect, from link: NatsLink) {
    guard link === self.link else { return }
    switch effect {
    case .send, .startTLS: break
    case .info(let info):
      maximumPayloadBytes = info.maximumPayload
      if info.isLeaving { logger.notice("the broker will leave", metadata: broker) }
    case .ready: begin()
    case .message(let message): deliver(message)
    case .notice(let words):
      logger.warning("the broker complains: \(words)", metadata: broker)
    case .end(let error): lose(error)
    }
  }

  private func begin() {
    isUp = true
    pause.reset()
    logger.info("bus up", metadata: broker)
    write { bytes in
      NatsEncoder.subscribe("\(inbox)*", NatsBus.inboxNumber, to: &bytes)
      for (number, listener) in listeners.sorted(by: { $0.key < $1.key }) {
        NatsEncoder.subscribe(listener.subject, number, to: &bytes)
      }
    }
    tell(.up, to: observers.keys.sorted())
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
    link = nil
    buckets = [:]
    turn = (turn + 1) % address.endpoints.count
    redial = eventLoop.scheduleTask(in: .milliseconds(milliseconds)) { [weak self] in
      guard let self, !isOver else { return }
      dial()
    }
    abandonQuestions()
  }

  private func tell(_ state: BusLink, to numbers: [UInt64]) {
    guard !numbers.isEmpty else { return }
    eventLoop.execute { [weak self] in
      for number in numbers { self?.observers[number]?(state) }
    }
  }

  private var endpoint: Endpoint { address.endpoints[turn] }

  /// As many copies of a bucket as brokers are named, up to the three that a cluster can lose one
  /// of.
  var bucketCopies: Int { address.endpoints.count >= 3 ? 3 : 1 }

  private var broker: Logger.Metadata {
    ["broker": "\(address.isSecure ? "tls" : "nats")://\(endpoint.authority)"]
  }
}
