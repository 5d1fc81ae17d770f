public import NIOCore
public import NIOWebSocket

/// Converts frames to whole messages and enforces RFC 6455 for a client or a server.
///
/// NIOWebSocket leaves masks, reserved bits, fragments, text, pings and the closing handshake to
/// it. It is above the frame encoder and decoder, which ``WebSocketPipeline`` adds. It fires
/// ``WebSocketEvent``, handles ``WebSocketCommand``, and responds to `ChannelShouldQuiesceEvent`
/// with a close 1001. A write after a close fails with `ChannelError.ioOnClosedChannel`. Back
/// pressure is the channel's `isWritable`.
public final class WebSocketMessageHandler: ChannelDuplexHandler, RemovableChannelHandler {
  /// Frames from below.
  public typealias InboundIn = WebSocketFrame
  /// Messages to the handler above.
  public typealias InboundOut = WebSocketMessage
  /// Messages from above.
  public typealias OutboundIn = WebSocketMessage
  /// Frames to the handler below.
  public typealias OutboundOut = WebSocketFrame

  enum State: Equatable {
    case open
    /// Our close frame was sent; the peer's has not arrived.
    case closing
    /// Both were exchanged, or the connection has failed; only the socket is open.
    case closed
  }

  let role: WebSocketRole
  let limits: WebSocketLimits
  var state = State.open
  private var closeDeadline: Scheduled<Void>?
  /// Our first close, reported if the peer never responds.
  private var closureHere: WebSocketClosure?
  private var assembly = MessageAssembly()
  private var pings = PingClock()
  private var controlFrames = ControlFramePace()
  /// The newest ping without a pong, because the socket was full.
  private var owedPong: ByteBuffer?

  /// Creates a handler for one connection.
  public init(role: WebSocketRole, limits: WebSocketLimits = WebSocketLimits()) {
    self.role = role
    self.limits = limits
  }

  /// Reports an already active channel as open.
  public func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { fire(.opened, context) }
  }

  /// Reports the connection as open.
  public func channelActive(context: ChannelHandlerContext) {
    fire(.opened, context)
    context.fireChannelActive()
  }

  /// Handles a frame.
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
      // Data still in transit after our close is dropped.
      if state == .open { receiveData(frame, context) }
    }
  }

  /// The violated rule of RFC 6455 sections 5.1, 5.2 and 5.5; nil for a valid frame.
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
      // Section 5.5.3 permits answering only the newest ping, so no queue grows.
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

  /// Handles ``WebSocketCommand``; passes other events on.
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

  /// Servers never mask.
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

extension WebSocketMessageHandler {
  func close(_ code: UInt16, _ reason: String, _ context: ChannelHandlerContext) {
    let lawful = WebSocketClosure.mayBeSent(code) ? code : 1000
    let closure = WebSocketClosure(code: lawful, reason: reason, initiator: .here)
    closureHere = closure
    state = .closing
    sendClose(lawful, reason, context)
    endSocketLater(context)
  }

  /// Fails the connection (section 7.1.7): sends the reason and ignores further input.
  ///
  /// After a flood (1008) the socket closes at once, so that the peer's frames need not be read.
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
    // The server closes the TCP connection first (section 7.1.1); a client only after a timeout.
    role == .server ? endSocket(after: written, context) : endSocketLater(context)
    report(isFirst ? closure : closureHere ?? closure, context)
  }

  /// Responds to invalid frames with their close code; other errors close the socket.
  public func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is TextNotUTF8 { return fail(1007, "text must be UTF-8", context) }
    switch error as? NIOWebSocketError {
    case .invalidFrameLength:
      fail(1009, "a message may have \(limits.maximumMessageBytes) bytes", context)
    case .fragmentedControlFrame, .multiByteControlFrameLength:
      fail(1002, "a control frame must be short and whole", context)
    case nil:
      // Resets and broken TLS; the handler above logs the cause.
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  /// Closes with 1001 when the server quiesces, and closes half-closed sockets.
  public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      if state == .open { close(1001, "going away", context) }
    } else if let channelEvent = event as? ChannelEvent, channelEvent == .inputClosed {
      // With half closure allowed, nothing else would close this socket.
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Reports 1006 without a close frame.
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

  /// Cancels the close timeout.
  public func handlerRemoved(context: ChannelHandlerContext) { closeDeadline?.cancel() }

  private func report(_ closure: WebSocketClosure, _ context: ChannelHandlerContext) {
    fire(.closed(closure), context)
  }

  /// Sends a close frame with this code, empty for 1005; done when it is written.
  @discardableResult
  private func sendClose(
    _ code: UInt16, _ reason: String, _ context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    var payload = context.channel.allocator.buffer(capacity: 125)
    if code != 1005 {
      payload.writeInteger(code)
      payload.writeString(CloseFrame.fitting(reason))
    }
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: maskKey, data: payload)
    return context.writeAndFlush(Self.wrapOutboundOut(frame))
  }

  /// Closes our direction after the close frame is written, and the socket when the peer follows.
  ///
  /// Closing at once could destroy it: unread bytes cause a reset, which discards data in transit.
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

  /// The longest prefix of `reason` that fits beside the code: 123 bytes of whole characters.
  static func fitting(_ reason: String) -> String {
    var fitting = String(reason.prefix(123))
    while fitting.utf8.count > 123 { fitting.removeLast() }
    return fitting
  }
}
