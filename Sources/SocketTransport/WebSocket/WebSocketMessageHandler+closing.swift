// The closing handshake and every other way in which a WebSocket connection ends. Each of them
// fires one `closed` event and leaves no socket behind.

public import NIOCore
import NIOWebSocket

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
  func receiveClose(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
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
      // Resets and broken TLS end the socket; what they were is for the log of whoever listens.
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  /// Closes with 1001 when the server quiesces, and ends half-closed sockets.
  public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      if state == .open { close(1001, "going away", context) }
    } else if let channelEvent = event as? ChannelEvent, channelEvent == .inputClosed {
      // With half closure allowed, nobody else would ever end this socket.
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
  /// Closing at once could destroy the close frame: the kernel answers bytes that nobody read with
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
