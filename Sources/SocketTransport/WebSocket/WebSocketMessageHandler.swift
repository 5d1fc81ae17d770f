// RFC 6455 above the frames of NIOWebSocket, for both ends: NIO parses and writes frames but leaves
// masks, reserved bits, fragments, text, pings and the closing handshake to its user.

public import NIOCore
public import NIOWebSocket

/// Turns frames into whole messages and keeps the rules of RFC 6455 for a client or a server.
///
/// It stands above a `WebSocketFrameEncoder` and a `WebSocketFrameDecoder` and below the handler
/// that uses the messages; ``WebSocketPipeline`` puts all of them in place. It fires
/// ``WebSocketEvent``, obeys ``WebSocketCommand``, and answers `ChannelShouldQuiesceEvent` with a
/// close 1001. A write after a close fails with `ChannelError.ioOnClosedChannel`. Back pressure is
/// the channel's `isWritable`.
public final class WebSocketMessageHandler: ChannelDuplexHandler, RemovableChannelHandler {
  /// What comes from below.
  public typealias InboundIn = WebSocketFrame
  /// What goes up.
  public typealias InboundOut = WebSocketMessage
  /// What comes from above.
  public typealias OutboundIn = WebSocketMessage
  /// What goes down.
  public typealias OutboundOut = WebSocketFrame

  /// How far the connection is.
  enum State: Equatable {
    case open
    /// Our close frame is out, theirs is not in.
    case closing
    /// Both are done, or the connection has failed; only the socket is left to end.
    case closed
  }

  let role: WebSocketRole
  let limits: WebSocketLimits
  var state = State.open
  var closeDeadline: Scheduled<Void>?
  /// What we said when we closed first; reported when the other end never answers.
  var closureHere: WebSocketClosure?
  private var assembly = MessageAssembly()
  private var pings = PingClock()
  private var controlFrames = ControlFramePace()
  /// The newest ping that could not be answered because the socket was full.
  private var owedPong: ByteBuffer?

  /// Makes a handler for one connection.
  public init(role: WebSocketRole, limits: WebSocketLimits = WebSocketLimits()) {
    self.role = role
    self.limits = limits
  }

  /// Reports the connection as open when the channel is active already.
  public func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { fire(.opened, context) }
  }

  /// Reports the connection as open.
  public func channelActive(context: ChannelHandlerContext) {
    fire(.opened, context)
    context.fireChannelActive()
  }

  /// Takes a frame.
  public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .closed else { return }
    let frame = Self.unwrapInboundIn(data)
    if let violation = violation(in: frame) {
      return fail(1002, violation, context)
    }
    if frame.opcode == .ping || frame.opcode == .pong,
      !controlFrames.allows(at: context.eventLoop.now)
    {
      return fail(1008, "too many pings or pongs", context)
    }
    switch frame.opcode {
    case .ping: answer(ping: frame.unmaskedData, context)
    case .pong:
      if let number = NumberedPing.number(frame.unmaskedData) {
        return fire(.numberedPong(number), context)
      }
      let roundTrip = pings.answered(by: frame.unmaskedData, at: context.eventLoop.now)
      fire(.pong(roundTrip: roundTrip), context)
    case .connectionClose: receiveClose(frame.unmaskedData, context)
    default:
      // Data that was under way when we closed is of no use to anyone.
      if state == .open { receiveData(frame, context) }
    }
  }

  /// The rule of RFC 6455 sections 5.1, 5.2 and 5.5 that a frame breaks; nil for a lawful frame.
  private func violation(in frame: WebSocketFrame) -> String? {
    if frame.reservedBits != [] { return "reserved bits without an extension" }
    if (frame.maskKey != nil) != (role == .server) {
      return role == .server ? "a client's frame must be masked" : "a server's frame was masked"
    }
    switch frame.opcode {
    case .ping, .pong, .connectionClose:
      if !frame.fin || frame.length > 125 { return "a control frame must be short and whole" }
      return nil
    case .text, .binary, .continuation: return nil
    default: return "reserved opcode"
    }
  }

  private func receiveData(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    switch assembly.add(frame, maximumBytes: limits.maximumMessageBytes) {
    case .message(let message): context.fireChannelRead(Self.wrapInboundOut(message))
    case .incomplete: break
    case .failure(let code, let reason): fail(code, reason, context)
    }
  }

  private func answer(ping data: ByteBuffer, _ context: ChannelHandlerContext) {
    if state == .open {
      // Section 5.5.3 lets the newest ping stand for all: no queue can grow behind a full socket.
      if context.channel.isWritable {
        send(.pong, data, context)
      } else {
        owedPong = data
      }
    }
    fire(.ping, context)
  }

  /// Sends the pong that a full socket held back.
  public func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, state == .open, let data = owedPong {
      owedPong = nil
      send(.pong, data, context)
    }
    context.fireChannelWritabilityChanged()
  }

  /// Sends a message as one frame; fails after a close.
  public func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    guard state == .open else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    let frame =
      switch Self.unwrapOutboundIn(data) {
      case .text(let payload):
        WebSocketFrame(fin: true, opcode: .text, maskKey: maskKey, data: payload)
      case .binary(let payload):
        WebSocketFrame(fin: true, opcode: .binary, maskKey: maskKey, data: payload)
      }
    context.write(Self.wrapOutboundOut(frame), promise: promise)
  }

  /// Obeys ``WebSocketCommand``; other events go on down.
  public func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    switch event as? WebSocketCommand {
    case .ping:
      if state == .open {
        send(.ping, pings.next(at: context.eventLoop.now, context.channel.allocator), context)
      }
      promise?.succeed()
    case .numberedPing(let number):
      if state == .open {
        send(.ping, NumberedPing.payload(number, context.channel.allocator), context)
      }
      promise?.succeed()
    case .close(let code, let reason):
      if state == .open { close(code, reason, context) }
      promise?.succeed()
    case nil: context.triggerUserOutboundEvent(event, promise: promise)
    }
  }

  /// A fresh mask for a client's frame; servers never mask.
  var maskKey: WebSocketMaskingKey? { role == .client ? .random() : nil }

  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: maskKey, data: data)
    context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
  }

  func fire(_ event: WebSocketEvent, _ context: ChannelHandlerContext) {
    context.fireUserInboundEventTriggered(event)
  }
}
