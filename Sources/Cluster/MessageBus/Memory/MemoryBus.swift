public import NIOCore

/// A process's handle of an in-memory bus, made by ``MemoryBusHub/makeBus()``; its link can be cut.
public final class MemoryBus: MessageBus, @unchecked Sendable {
  // All state is confined to the hub's loop.

  /// The loop of all callbacks.
  public let eventLoop: any EventLoop

  private let hub: MemoryBusHub
  private var problem: String?
  private var isOver = false
  private var observers: [UInt64: (BusLink) -> Void] = [:]
  private var subscribed: [UInt64: String] = [:]
  /// Failure callbacks of requests that the broker has not answered.
  private var waiting: [UInt64: () -> Void] = [:]

  init(hub: MemoryBusHub) {
    self.hub = hub
    eventLoop = hub.eventLoop
  }

  /// The maximum payload in bytes.
  public var maximumPayloadBytes: Int { hub.maximumPayloadBytes }

  /// Always 0.
  public var nanosecondsSinceRead: Int64 { 0 }

  var isUp: Bool { problem == nil && !isOver }

  private var link: BusLink { problem.map(BusLink.down) ?? .up }

  /// Sends a message; lost if the link is down.
  public func publish(_ subject: String, _ payload: ByteBuffer) {
    guard isUp, BusSubject.isPublishable(subject), payload.readableBytes <= maximumPayloadBytes
    else { return }
    hub.publish(BusMessage(subject: subject, payload: payload))
  }

  /// Subscribes to a subject, across link losses.
  public func subscribe(
    _ subject: String, _ handler: @escaping (BusMessage) -> Void
  ) -> BusSubscription {
    guard !isOver, BusSubject.isPattern(subject) else { return BusSubscription {} }
    let number = hub.listen(self, subject, handler)
    subscribed[number] = subject
    return onLoopAtEnd { $0.forget(number) }
  }

  /// Sends a request; the first response counts.
  public func request(
    _ subject: String, _ payload: ByteBuffer, timeoutMilliseconds: Int64
  ) -> EventLoopFuture<ByteBuffer> {
    if let error = BusError.preventing(subject, payload, on: self, isUp: isUp) {
      return eventLoop.makeFailedFuture(error)
    }
    let promise = eventLoop.makePromise(of: ByteBuffer.self)
    let number = hub.ask(self, subject, payload) { result in
      promise.completeWith(result.mapError { $0 })
    }
    let timeout = eventLoop.scheduleTask(in: .milliseconds(timeoutMilliseconds)) { [hub] in
      hub.answer(number, .failure(.timeout))
    }
    return promise.futureResult.always { _ in timeout.cancel() }
  }

  /// Observes whether the link is up.
  public func observeLink(_ handler: @escaping (BusLink) -> Void) -> BusSubscription {
    guard !isOver else { return BusSubscription {} }
    let number = hub.nextIdentifier()
    let link = link
    hub.later { [weak self] in
      // A change that arrived meanwhile is delivered after this, in order.
      self?.observers[number]?(link)
    }
    observers[number] = handler
    return onLoopAtEnd { $0.observers[number] = nil }
  }

  /// Writes a lease.
  public func hold(
    _ key: String, _ value: ByteBuffer, expecting: UInt64
  ) -> EventLoopFuture<UInt64> {
    atBroker(key, value) { $0.hold(key, expecting: expecting) }
  }

  /// Loads a lasting value.
  public func load(_ key: String) -> EventLoopFuture<BusValue?> {
    atBroker(key, ByteBuffer()) { .success($0.load(key)) }
  }

  /// Stores a lasting value.
  public func store(
    _ key: String, _ value: ByteBuffer, expecting: UInt64
  ) -> EventLoopFuture<UInt64> {
    atBroker(key, value) { $0.store(key, value, expecting: expecting) }
  }

  /// A request to the hub with a delay in both directions.
  private func atBroker<Value: Sendable>(
    _ key: String, _ value: ByteBuffer,
    _ body: @escaping (MemoryBusHub) -> Result<Value, BusError>
  ) -> EventLoopFuture<Value> {
    if let error = BusError.preventing(key, value, on: self, isUp: isUp) {
      return eventLoop.makeFailedFuture(error)
    }
    let number = hub.nextIdentifier()
    let promise = eventLoop.makePromise(of: Value.self)
    waiting[number] = { promise.fail(BusError.disconnected) }
    hub.later { [self] in
      // Cut before it arrived: not done.
      guard waiting[number] != nil else { return }
      let result = body(hub)
      hub.later {
        guard self.waiting.removeValue(forKey: number) != nil else { return }
        promise.completeWith(result.mapError { $0 })
      }
    }
    return promise.futureResult
  }

  /// Ends everything.
  public func shutdown() -> EventLoopFuture<Void> {
    guard !isOver else { return eventLoop.makeSucceededVoidFuture() }
    isOver = true
    observers = [:]
    for (number, subject) in subscribed { hub.forget(number, subject) }
    subscribed = [:]
    abandon()
    return eventLoop.makeSucceededVoidFuture()
  }

  // MARK: The cable

  /// Cuts the link in both directions; messages in transit are lost.
  public func cutLink(_ reason: String = "cut") {
    guard isUp else { return }
    problem = reason
    abandon()
    tell(.down(reason))
  }

  /// Restores the link; subscriptions continue.
  public func healLink() {
    guard problem != nil, !isOver else { return }
    problem = nil
    tell(.up)
  }

  private func tell(_ link: BusLink) {
    let numbers = observers.keys.sorted()
    hub.later { [weak self] in for number in numbers { self?.observers[number]?(link) } }
  }

  private func abandon() {
    hub.abandonQuestions(of: self)
    let failures = waiting.sorted { $0.key < $1.key }.map(\.value)
    waiting = [:]
    for fail in failures { fail() }
  }

  private func forget(_ number: UInt64) {
    if let subject = subscribed.removeValue(forKey: number) { hub.forget(number, subject) }
  }

  private func onLoopAtEnd(_ body: @escaping @Sendable (MemoryBus) -> Void) -> BusSubscription {
    BusSubscription { [weak self, eventLoop] in
      eventLoop.assumeIsolatedOrLater { [weak self] in if let self { body(self) } }
    }
  }
}
