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
  private var closeDeadline: Scheduled<Void>?
  /// What we said when we closed first; reported when the other end never answers.
  private var closureHere: WebSocketClosure?
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
  private var maskKey: WebSocketMaskingKey? { role == .client ? .random() : nil }

  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: maskKey, data: data)
    context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
  }

  func fire(_ event: WebSocketEvent, _ context: ChannelHandlerContext) {
    context.fireUserInboundEventTriggered(event)
  }
}

// MARK: - Closing

// The closing handshake and every other end of a connection; each fires one `closed` event and
// closes the socket.

extension WebSocketMessageHandler {
  /// Sends our close frame and waits for the answer, but not for ever.
  func close(_ code: UInt16, _ reason: String, _ context: ChannelHandlerContext) {
    let lawful = WebSocketClosure.mayBeSent(code) ? code : 1000
    let closure = WebSocketClosure(code: lawful, reason: reason, initiator: .here)
    closureHere = closure
    state = .closing
    sendClose(lawful, reason, context)
    endSocketLater(context)
  }

  /// Fails the connection (section 7.1.7): sends the reason and ignores what the other end sends.
  ///
  /// After a flood (1008) the socket closes without waiting for the other end, whose frames would
  /// still have to be read.
  func fail(_ code: UInt16, _ reason: String, _ context: ChannelHandlerContext) {
    guard state != .closed else { return }
    let wasOpen = state == .open
    state = .closed
    if wasOpen {
      let written = sendClose(code, reason, context)
      code == 1008 ? closeSocket(after: written, context) : endSocket(after: written, context)
    } else {
      context.close(promise: nil)
    }
    report(WebSocketClosure(code: code, reason: reason, initiator: .here), context)
  }

  /// The other end's close frame.
  private func receiveClose(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
    let closure: WebSocketClosure
    switch CloseFrame.parse(data) {
    case .success(let parsed): closure = parsed
    case .failure(let problem): return fail(problem.code, problem.reason, context)
    }
    let isFirst = state == .open
    state = .closed
    let written =
      isFirst ? sendClose(closure.code, "", context) : context.eventLoop.makeSucceededVoidFuture()
    // The server ends the TCP connection first (section 7.1.1); a client only if it does not.
    role == .server ? endSocket(after: written, context) : endSocketLater(context)
    report(isFirst ? closure : closureHere ?? closure, context)
  }

  /// Answers broken frames with the close code they deserve; other errors end the socket.
  public func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is TextNotUTF8 { return fail(1007, "text must be UTF-8", context) }
    switch error as? NIOWebSocketError {
    case .invalidFrameLength:
      fail(1009, "a message may have \(limits.maximumMessageBytes) bytes", context)
    case .fragmentedControlFrame, .multiByteControlFrameLength:
      fail(1002, "a control frame must be short and whole", context)
    case nil:
      // Resets and broken TLS end the socket; the cause is for the log of the listener.
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  /// Closes with 1001 when the server quiesces, and ends half-closed sockets.
  public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      if state == .open { close(1001, "going away", context) }
    } else if let channelEvent = event as? ChannelEvent, channelEvent == .inputClosed {
      // With half closure allowed, nothing else would ever close this socket.
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Reports 1006 when there was no close frame.
  public func channelInactive(context: ChannelHandlerContext) {
    let before = state
    state = .closed
    switch before {
    case .open: report(.abnormal, context)
    case .closing: report(closureHere ?? .abnormal, context)
    case .closed: break
    }
    closeDeadline?.cancel()
    context.fireChannelInactive()
  }

  /// Forgets the deadline.
  public func handlerRemoved(context: ChannelHandlerContext) {
    closeDeadline?.cancel()
  }

  private func report(_ closure: WebSocketClosure, _ context: ChannelHandlerContext) {
    fire(.closed(closure), context)
  }

  /// Sends a close frame with this code, or an empty one for 1005; done when it is on its way.
  @discardableResult
  private func sendClose(
    _ code: UInt16, _ reason: String, _ context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    var payload = context.channel.allocator.buffer(capacity: 125)
    if code != 1005 {
      payload.writeInteger(code)
      payload.writeString(CloseFrame.fitting(reason))
    }
    let frame = WebSocketFrame(
      fin: true, opcode: .connectionClose, maskKey: maskKey, data: payload)
    return context.writeAndFlush(Self.wrapOutboundOut(frame))
  }

  /// Ends our direction once the close frame is out, and the socket when the other end follows.
  ///
  /// Closing at once could destroy the close frame: the kernel answers unread bytes with
  /// a reset, and a reset discards what the other end has not read yet.
  private func endSocket(after written: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
    endSocketLater(context)
    let channel = context.channel
    written.whenComplete { _ in channel.close(mode: .output, promise: nil) }
  }

  private func closeSocket(after written: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
    endSocketLater(context)
    let channel = context.channel
    written.whenComplete { _ in channel.close(promise: nil) }
  }

  private func endSocketLater(_ context: ChannelHandlerContext) {
    closeDeadline?.cancel()
    let channel = context.channel
    closeDeadline = context.eventLoop.scheduleTask(
      in: .milliseconds(limits.closeTimeoutMilliseconds)
    ) { channel.close(promise: nil) }
  }
}

/// The payload of a close frame (section 5.5.1).
enum CloseFrame {
  /// A close frame that breaks a rule, and the code to answer with.
  struct Violation: Error, Equatable {
    let code: UInt16
    let reason: String
  }

  /// Code and reason; 1005 for an empty payload.
  static func parse(_ payload: ByteBuffer) -> Result<WebSocketClosure, Violation> {
    var payload = payload
    if payload.readableBytes == 0 {
      return .success(WebSocketClosure(code: 1005, reason: "", initiator: .there))
    }
    guard let code = payload.readInteger(as: UInt16.self), WebSocketClosure.mayBeSent(code) else {
      return .failure(Violation(code: 1002, reason: "not a close code"))
    }
    var checker = UTF8Checker()
    guard checker.accepts(payload.readableBytesSpan), checker.isComplete else {
      return .failure(Violation(code: 1007, reason: "a close reason must be UTF-8"))
    }
    let reason = String(buffer: payload)
    return .success(WebSocketClosure(code: code, reason: reason, initiator: .there))
  }

  /// The longest start of `reason` that fits beside the code: 123 bytes of whole characters.
  static func fitting(_ reason: String) -> String {
    var fitting = String(reason.prefix(123))
    while fitting.utf8.count > 123 { fitting.removeLast() }
    return fitting
  }
}
