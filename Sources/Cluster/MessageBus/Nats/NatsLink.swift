import NIOCore
import SocketTransport

/// One socket connection to a broker.
final class NatsLink: @unchecked Sendable {
  // Confined to its event loop, including the channel's handlers.

  /// The maximum unsent bytes.
  static let maximumWaitingBytes = 64 << 20
  /// The timeout for opening a socket, in milliseconds: two TCP attempts.
  ///
  /// TCP then waits longer each time, even if the route has long been restored.
  private static let dialMilliseconds: Int64 = 1500

  private(set) var machine: NatsProtocol
  private(set) var lastRead: NIODeadline?
  private let eventLoop: any EventLoop
  private let endpoint: Endpoint
  private let tls: TLSSettings
  private let allocator = ByteBufferAllocator()
  private var channel: (any Channel)?
  private var outgoing = ByteBuffer()
  private var bytesUnderWay = 0
  private var flushes = false
  private var beat: RepeatedTask?
  private var effects: ((NatsLink, NatsProtocol.Effect) -> Void)?
  private var closed: EventLoopFuture<Void>?
  private var isOver = false

  init(
    _ machine: NatsProtocol, to endpoint: Endpoint, _ tls: TLSSettings, on eventLoop: any EventLoop,
    effects: @escaping (NatsLink, NatsProtocol.Effect) -> Void
  ) {
    self.machine = machine
    self.endpoint = endpoint
    self.tls = tls
    self.eventLoop = eventLoop
    self.effects = effects
  }

  // MARK: The socket

  /// Opens the socket; everything else arrives as effects, the last one `end`.
  func open() {
    let options = ClientOptions(deadlineMilliseconds: NatsLink.dialMilliseconds)
    let dialled = TCPClient.connect(to: endpoint, options: options, on: eventLoop) { _ in
      NatsSocketHandler(self)
    }
    closed = dialled.flatMap(\.closeFuture).recover { _ in }
    dialled.whenFailure { error in self.fail(self.error(error)) }
  }

  fileprivate func opened(_ channel: any Channel) {
    guard !isOver else { return channel.close(promise: nil) }
    self.channel = channel
    let pace = TimeAmount.milliseconds(NatsProtocol.beatMilliseconds)
    beat = eventLoop.scheduleRepeatedTask(initialDelay: pace, delay: pace) { _ in
      self.run(self.machine.beat())
    }
  }

  fileprivate func received(_ bytes: ByteBuffer) {
    lastRead = eventLoop.now
    run(machine.received(bytes))
  }

  fileprivate func fail(_ error: NatsError) { run([.end(error)]) }

  fileprivate func error(_ error: any Error) -> NatsError {
    let known = TransportError(error, host: endpoint.host, milliseconds: NatsLink.dialMilliseconds)
    return .transport(known.description)
  }

  private func run(_ steps: [NatsProtocol.Effect]) {
    for step in steps {
      guard !isOver else { return }
      switch step {
      case .send(let bytes): write { $0.writeImmutableBuffer(bytes) }
      case .startTLS: startTLS()
      case .end:
        let last = effects
        end()
        last?(self, step)
      default: effects?(self, step)
      }
    }
  }

  private func startTLS() {
    guard let channel else { return }
    do { try tls.secure(channel, host: endpoint.host) } catch { fail(self.error(error)) }
  }

  // MARK: Sending

  /// Queues bytes, sent at the end of this turn.
  func write(_ body: (inout ByteBuffer) -> Void) {
    guard !isOver, channel != nil else { return }
    body(&outgoing)
    let waiting = outgoing.readableBytes + bytesUnderWay
    if waiting > NatsLink.maximumWaitingBytes {
      // Not from within the call that sends.
      eventLoop.execute { self.fail(.backlog(bytes: waiting)) }
      outgoing.clear()
      return
    }
    guard !flushes else { return }
    flushes = true
    eventLoop.execute { self.flush() }
  }

  private func flush() {
    flushes = false
    guard !isOver, let channel, outgoing.readableBytes > 0 else { return }
    let bytes = outgoing
    outgoing = allocator.buffer(capacity: min(bytes.readableBytes, 256 << 10))
    let count = bytes.readableBytes
    bytesUnderWay += count
    channel.writeAndFlush(bytes).whenComplete { _ in self.bytesUnderWay -= count }
  }

  // MARK: Closing

  /// Closes the socket at once; no more effects.
  private func end() {
    isOver = true
    effects = nil
    beat?.cancel()
    channel?.close(promise: nil)
    channel = nil
  }

  /// Sends queued bytes, within a second, and closes; no more effects.
  func finish() -> EventLoopFuture<Void> {
    guard let channel, !isOver else {
      // A socket that is still opening closes itself once it is open.
      end()
      return closed ?? eventLoop.makeSucceededVoidFuture()
    }
    flush()
    isOver = true
    effects = nil
    beat?.cancel()
    let last = channel.eventLoop.makePromise(of: Void.self)
    let late = eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    last.futureResult.whenComplete { _ in channel.close(promise: nil) }
    channel.writeAndFlush(ByteBuffer(), promise: last)
    self.channel = nil
    return channel.closeFuture.always { _ in late.cancel() }
  }
}

private final class NatsSocketHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let link: NatsLink
  private var problem: NatsError?

  init(_ link: NatsLink) { self.link = link }

  func channelActive(context: ChannelHandlerContext) {
    link.opened(context.channel)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    link.received(unwrapInboundIn(data))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    problem = problem ?? link.error(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    link.fail(problem ?? .transport("the broker closed the connection"))
    context.fireChannelInactive()
  }
}
