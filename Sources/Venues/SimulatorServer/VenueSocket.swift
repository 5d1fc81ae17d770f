import MarketModel
import NIOCore
import NIOWebSocket
import SimulatorHost
import SocketTransport
import VenueSimulator

/// Connects a WebSocket client to its venue.
final class VenueSocket: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage

  /// A venue's snapshot of about 1 MB must fit before a client counts as too slow.
  static let highWaterMark = 8 << 20

  private let venue: Venue
  private let request: VenueRequest
  private let venues: SimulatedVenueHost
  private var client: ClientID?

  init(_ request: VenueRequest, venue: Venue, venues: SimulatedVenueHost) {
    self.request = request
    self.venue = venue
    self.venues = venues
  }

  /// Adds the handlers to an upgraded channel; call on its event loop.
  static func install(
    on channel: any NIOCore.Channel, _ request: VenueRequest, venue: Venue,
    venues: SimulatedVenueHost
  ) throws {
    try channel.syncOptions?.setOption(
      .writeBufferWaterMark, value: .init(low: highWaterMark / 2, high: highWaterMark))
    let socket = VenueSocket(request, venue: venue, venues: venues)
    try WebSocketPipeline.add(socket, to: channel, role: .server, limits: limits)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(
      PongDelay { [weak socket] in socket?.pongDelay ?? 0 },
      position: .before(try pipeline.handler(type: WebSocketMessageHandler.self)))
  }

  private var pongDelay: Int64 { client.map { venues.pongDelay(of: $0) } ?? 0 }

  /// A client's message may be up to 1 MB; real ones have a few hundred bytes.
  static let limits = WebSocketLimits(maximumMessageBytes: 1 << 20)

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event as? WebSocketEvent {
    case .opened:
      client = venues.connect(
        ChannelClient(channel: context.channel, isStream: false), request, venue: venue)
    case .closed:
      if let client { venues.disconnect(client) }
      client = nil
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let client else { return }
    switch unwrapInboundIn(data) {
    case .text(let buffer):
      venues.receive(Array(buffer.readableBytesView), binary: false, from: client)
    case .binary(let buffer):
      venues.receive(Array(buffer.readableBytesView), binary: true, from: client)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Delays pongs, between the socket and the handler that sends them.
final class PongDelay: ChannelOutboundHandler {
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The maximum pongs held; later ones are dropped, as without a reader.
  static let maximumHeld = 64

  private let milliseconds: () -> Int64
  private var held = 0

  /// `milliseconds` returns the delay of each pong; it is called on the channel's event loop.
  init(_ milliseconds: @escaping () -> Int64) { self.milliseconds = milliseconds }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let frame = Self.unwrapOutboundIn(data)
    let delay = frame.opcode == .pong ? milliseconds() : 0
    guard delay > 0 else { return context.write(data, promise: promise) }
    promise?.succeed()
    guard held < PongDelay.maximumHeld else { return }
    held += 1
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(delay)) {
      self.held -= 1
      guard context.channel.isActive else { return }
      context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
    }
  }
}

/// A client behind a socket.
struct ChannelClient: VenueClient {
  let channel: any NIOCore.Channel
  let isStream: Bool

  func send(_ bytes: ByteBuffer, binary: Bool) {
    // Disconnected as real venues do, to bound the memory.
    guard channel.isWritable else { return drop() }
    if isStream {
      channel.writeAndFlush(bytes, promise: nil)
    } else {
      let message: WebSocketMessage = binary ? .binary(bytes) : .text(bytes)
      channel.writeAndFlush(message, promise: nil)
    }
  }

  func end(code: UInt16, reason: String) {
    guard !isStream else { return drop() }
    channel.triggerUserOutboundEvent(
      WebSocketCommand.close(code: code, reason: reason), promise: nil)
  }

  func drop() { channel.close(promise: nil) }

  func setReading(_ isReading: Bool) {
    channel.setOption(.autoRead, value: isReading).whenSuccess { [channel] in
      if isReading { channel.read() }
    }
  }
}

/// Closes a connection of the tick feed that does not send `hello`, its only message, in time.
final class GreetingGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let time: TimeAmount
  private let onHello: () -> Void
  private var greeting = HelloMatcher()
  private var deadline: Scheduled<Void>?

  /// Creates a guard; `onHello` is called once, after the word.
  init(milliseconds: Int64, onHello: @escaping () -> Void) {
    time = .milliseconds(milliseconds)
    self.onHello = onHello
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let here = NIOLoopBound(context, eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: time) { here.value.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !greeting.isComplete {
      greeting.take(Array(Self.unwrapInboundIn(data).readableBytesView))
      if greeting.isComplete {
        deadline?.cancel()
        onHello()
      }
    }
    context.fireChannelRead(data)
  }
}
