// Questions and leases: what waits for an answer of the broker or of whoever listens there.

import NIOCore

extension NatsBus {
  /// How long the broker may take to write a lease, in milliseconds.
  private static let leaseTimeoutMilliseconds: Int64 = 1000

  /// Sends what `body` writes, with its answer coming here.
  func ask(
    _ timeoutMilliseconds: Int64, _ body: (_ replyTo: String, inout ByteBuffer) -> Void
  ) -> EventLoopFuture<ByteBuffer> {
    let number = nextNumber()
    let promise = eventLoop.makePromise(of: ByteBuffer.self)
    let pause = TimeAmount.milliseconds(timeoutMilliseconds)
    let timeout = eventLoop.scheduleTask(in: pause) { [weak self] () -> Void in
      self?.finish(number, .failure(BusError.timeout))
    }
    questions[number] = Question(promise: promise, timeout: timeout)
    write { body("\(inbox)\(number)", &$0) }
    return promise.futureResult
  }

  /// An answer has come.
  func answer(_ message: NatsMessage) {
    guard message.subject.hasPrefix(inbox),
      let number = UInt64(message.subject.dropFirst(inbox.count))
    else { return }
    let nobody = message.headers?.status == 503
    finish(number, nobody ? .failure(BusError.noResponders) : .success(message.payload))
  }

  /// The link is gone: no answer comes.
  func abandonQuestions() {
    for number in questions.keys.sorted() { finish(number, .failure(BusError.disconnected)) }
  }

  private func finish(_ number: UInt64, _ result: Result<ByteBuffer, any Error>) {
    guard let question = questions.removeValue(forKey: number) else { return }
    question.timeout.cancel()
    question.promise.completeWith(result)
  }

  // MARK: Leases

  /// Writes a lease, once its bucket is there.
  func write(
    lease key: String, _ value: ByteBuffer, expecting: UInt64
  ) -> EventLoopFuture<UInt64> {
    leaseBucket().flatMap { [self] in
      ask(NatsBus.leaseTimeoutMilliseconds) { replyTo, bytes in
        NatsEncoder.publish(
          LeaseBucket.subjects + key, replyTo: replyTo,
          header: (LeaseBucket.expectation, expecting), value, to: &bytes)
      }
    }.flatMapThrowing { try LeaseBucket.revision($0) }
      .always { [weak self] result in
        // The bucket is gone: it is made again next time.
        if case .failure(BusError.noResponders) = result { self?.bucket = nil }
      }
  }

  /// The bucket, made once a link.
  private func leaseBucket() -> EventLoopFuture<Void> {
    if let bucket { return bucket }
    let made = ask(NatsBus.leaseTimeoutMilliseconds) { replyTo, bytes in
      NatsEncoder.publish(
        LeaseBucket.creation, replyTo: replyTo, LeaseBucket.request(copies: leaseCopies),
        to: &bytes)
    }.flatMapThrowing { try LeaseBucket.checkCreation($0) }
      .flatMapErrorThrowing { error in
        throw error as? BusError == .noResponders ? BusError.refused("JetStream is off") : error
      }
    bucket = made
    made.whenFailure { [weak self] _ in self?.bucket = nil }
    return made
  }
}
