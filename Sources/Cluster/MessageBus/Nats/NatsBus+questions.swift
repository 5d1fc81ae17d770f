import NIOCore

extension NatsBus {
  private static let bucketTimeoutMilliseconds: Int64 = 1000

  /// Sends what `body` writes, with the response subject.
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

  func answer(_ message: NatsMessage) {
    guard message.subject.hasPrefix(inbox),
      let number = UInt64(message.subject.dropFirst(inbox.count))
    else { return }
    let nobody = message.headers?.status == 503
    finish(number, nobody ? .failure(BusError.noResponders) : .success(message.payload))
  }

  /// Fails all requests after the link is lost.
  func abandonQuestions() {
    for number in questions.keys.sorted() { finish(number, .failure(BusError.disconnected)) }
  }

  private func finish(_ number: UInt64, _ result: Result<ByteBuffer, any Error>) {
    guard let question = questions.removeValue(forKey: number) else { return }
    question.timeout.cancel()
    question.promise.completeWith(result)
  }

  // MARK: Buckets

  /// Writes a key of a bucket, creating the bucket if needed, unless the key was written since.
  func write(
    _ key: String, of bucket: NatsBucket, _ value: ByteBuffer, expecting: UInt64
  ) -> EventLoopFuture<UInt64> {
    using(bucket) { [self] in
      ask(NatsBus.bucketTimeoutMilliseconds) { replyTo, bytes in
        NatsEncoder.publish(
          bucket.subjects + key, replyTo: replyTo,
          header: (NatsBucket.expectation, expecting), value, to: &bytes)
      }.flatMapThrowing { try NatsBucket.revision($0) }
    }
  }

  /// Reads a key of a bucket, creating the bucket if needed.
  func read(_ key: String, of bucket: NatsBucket) -> EventLoopFuture<BusValue?> {
    using(bucket) { [self] in
      ask(NatsBus.bucketTimeoutMilliseconds) { replyTo, bytes in
        NatsEncoder.publish(bucket.loading, replyTo: replyTo, bucket.question(key), to: &bytes)
      }.flatMapThrowing { try NatsBucket.value($0) }
    }
  }

  private func using<Value: Sendable>(
    _ bucket: NatsBucket, _ body: @escaping @Sendable () -> EventLoopFuture<Value>
  ) -> EventLoopFuture<Value> {
    ready(bucket).flatMap(body).always { [weak self] result in
      // The stream is missing: it is created again next time.
      if case .failure(BusError.noResponders) = result { self?.buckets[bucket] = nil }
    }
  }

  /// The bucket's stream, created or checked once per link.
  private func ready(_ bucket: NatsBucket) -> EventLoopFuture<Void> {
    if let known = buckets[bucket] { return known }
    let ready = askJetStream(bucket.creation, bucket.request(copies: bucketCopies))
      .flatMapThrowing { try NatsBucket.isCreated($0) }
      .flatMap { [self] isCreated in
        guard !isCreated else { return eventLoop.makeSucceededVoidFuture() }
        return askJetStream(bucket.information, ByteBuffer())
          .flatMapThrowing { try bucket.check($0) }
      }
    buckets[bucket] = ready
    ready.whenFailure { [weak self] _ in self?.buckets[bucket] = nil }
    return ready
  }

  private func askJetStream(
    _ subject: String, _ question: ByteBuffer
  ) -> EventLoopFuture<ByteBuffer> {
    ask(NatsBus.bucketTimeoutMilliseconds) { replyTo, bytes in
      NatsEncoder.publish(subject, replyTo: replyTo, question, to: &bytes)
    }.flatMapErrorThrowing { error in
      throw error as? BusError == .noResponders ? BusError.refused("JetStream is off") : error
    }
  }
}
