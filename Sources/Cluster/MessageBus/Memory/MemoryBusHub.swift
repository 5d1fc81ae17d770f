public import NIOCore

/// The shared part of an in-memory bus: subscriptions, messages in transit, leases.
///
/// It acts as the broker, so that a single process needs none and a simulation can cut its links.
/// Everything happens on one event loop, in the order of the calls, each in a later turn. Create a
/// handle for each simulated process: ``makeBus()``.
public final class MemoryBusHub: @unchecked Sendable {
  // All state is confined to `eventLoop`, which orders everything.

  /// The loop of all callbacks.
  public let eventLoop: any EventLoop
  /// The maximum payload in bytes.
  public let maximumPayloadBytes: Int

  private struct Listener {
    let bus: MemoryBus
    let pattern: [Substring]?
    let handler: (BusMessage) -> Void
  }

  private struct Lease {
    let revision: UInt64
    let writtenAt: Int64
  }

  private enum Delivery {
    case message(BusMessage, listeners: [UInt64])
    case answer(UInt64, Result<ByteBuffer, BusError>)
    case call(() -> Void)
  }

  private let milliseconds: @Sendable () -> Int64
  private var listeners: [UInt64: Listener] = [:]
  private var exact: [String: [UInt64]] = [:]
  private var wild: [UInt64] = []
  private var leases: [String: Lease] = [:]
  private var values: [String: BusValue] = [:]
  private var revision: UInt64 = 0
  private var identifier: UInt64 = 0
  private var deliveries: [Delivery] = []
  private var questions: [UInt64: (bus: MemoryBus, end: (Result<ByteBuffer, BusError>) -> Void)] =
    [:]

  /// Creates a hub without handles.
  ///
  /// - Parameters:
  ///   - eventLoop: real, embedded or a test loop.
  ///   - maximumPayloadBytes: the maximum payload.
  ///   - milliseconds: the clock of lease expiry; the loop's own by default.
  public init(
    on eventLoop: any EventLoop, maximumPayloadBytes: Int = 1 << 20,
    milliseconds: (@Sendable () -> Int64)? = nil
  ) {
    self.eventLoop = eventLoop
    self.maximumPayloadBytes = maximumPayloadBytes
    self.milliseconds =
      milliseconds ?? { Int64(eventLoop.now.uptimeNanoseconds / 1_000_000) }
  }

  /// Creates a handle with a separate link; callable from any thread.
  public func makeBus() -> MemoryBus { MemoryBus(hub: self) }

  // MARK: Listening and sending

  func nextIdentifier() -> UInt64 {
    identifier += 1
    return identifier
  }

  func listen(_ bus: MemoryBus, _ subject: String, _ handler: @escaping (BusMessage) -> Void)
    -> UInt64
  {
    let number = nextIdentifier()
    let isWild = BusSubject.hasWildcard(subject)
    listeners[number] = Listener(
      bus: bus, pattern: isWild ? BusSubject.tokens(subject) : nil, handler: handler)
    if isWild { wild.append(number) } else { exact[subject, default: []].append(number) }
    return number
  }

  func forget(_ number: UInt64, _ subject: String) {
    guard let listener = listeners.removeValue(forKey: number) else { return }
    if listener.pattern != nil {
      wild.removeAll { $0 == number }
    } else {
      exact[subject]?.removeAll { $0 == number }
      if exact[subject]?.isEmpty == true { exact[subject] = nil }
    }
  }

  func publish(_ message: BusMessage) {
    if let question = MemoryBusHub.question(of: message.subject) {
      enqueue(.answer(question, .success(message.payload)))
      return
    }
    let numbers = reached(message.subject)
    if !numbers.isEmpty { enqueue(.message(message, listeners: numbers)) }
  }

  /// The current receivers of a message, in order of subscription.
  private func reached(_ subject: String) -> [UInt64] {
    var numbers = exact[subject] ?? []
    if !wild.isEmpty {
      let tokens = BusSubject.tokens(subject)
      numbers += wild.filter { number in
        listeners[number]?.pattern.map { BusSubject.matches($0, tokens) } ?? false
      }
      numbers.sort()
    }
    return numbers.filter { listeners[$0]?.bus.isUp == true }
  }

  // MARK: Questions

  /// Sends a request; calls `end` once in a later turn.
  func ask(
    _ bus: MemoryBus, _ subject: String, _ payload: ByteBuffer,
    end: @escaping (Result<ByteBuffer, BusError>) -> Void
  ) -> UInt64 {
    let number = nextIdentifier()
    questions[number] = (bus, end)
    let numbers = reached(subject)
    if numbers.isEmpty {
      enqueue(.answer(number, .failure(.noResponders)))
    } else {
      let reply = MemoryBusHub.inbox + String(number)
      enqueue(
        .message(
          BusMessage(subject: subject, payload: payload, replyTo: reply), listeners: numbers))
    }
    return number
  }

  /// Completes a request; does nothing if it is already complete.
  func answer(_ number: UInt64, _ result: Result<ByteBuffer, BusError>) {
    questions.removeValue(forKey: number)?.end(result)
  }

  func abandonQuestions(of bus: MemoryBus) {
    let numbers = questions.filter { $0.value.bus === bus }.keys.sorted()
    for number in numbers { answer(number, .failure(.disconnected)) }
  }

  private static let inbox = "_INBOX.memory."

  private static func question(of subject: String) -> UInt64? {
    subject.hasPrefix(inbox) ? UInt64(subject.dropFirst(inbox.count)) : nil
  }

  // MARK: Leases

  func hold(_ key: String, expecting: UInt64) -> Result<UInt64, BusError> {
    let now = milliseconds()
    let current = leases[key].flatMap { lease in
      now - lease.writtenAt < leaseMilliseconds ? lease.revision : nil
    }
    guard current ?? 0 == expecting else { return .failure(.wrongRevision) }
    revision += 1
    leases[key] = Lease(revision: revision, writtenAt: now)
    return .success(revision)
  }

  // MARK: Values

  func load(_ key: String) -> BusValue? { values[key] }

  func store(_ key: String, _ value: ByteBuffer, expecting: UInt64) -> Result<UInt64, BusError> {
    guard values[key]?.revision ?? 0 == expecting else { return .failure(.wrongRevision) }
    revision += 1
    values[key] = BusValue(revision: revision, bytes: value)
    return .success(revision)
  }

  /// Deletes leases and values, like a broker that has lost its store.
  public func loseStore() { (leases, values) = ([:], [:]) }

  // MARK: Event loop turns

  /// Runs a body in a later turn, after everything in transit.
  func later(_ body: @escaping () -> Void) { enqueue(.call(body)) }

  private func enqueue(_ delivery: Delivery) {
    deliveries.append(delivery)
    if deliveries.count == 1 { eventLoop.execute { [self] in deliver() } }
  }

  private func deliver() {
    let turn = deliveries
    deliveries = []
    for delivery in turn {
      switch delivery {
      case .message(let message, let numbers):
        for number in numbers {
          // Cancelled or cut meanwhile: lost.
          guard let listener = listeners[number], listener.bus.isUp else { continue }
          listener.handler(message)
        }
      case .answer(let number, let result): answer(number, result)
      case .call(let body): body()
      }
    }
  }
}
