import NIOCore
import NIOEmbedded
import NIOWebSocket
import SocketTransport
import Testing

/// A frame as it is on the wire.
struct RawFrame: Equatable, CustomStringConvertible {
  var firstByte: UInt8
  var payload: [UInt8]
  var isMasked = false

  static func text(_ text: String, fin: Bool = true) -> RawFrame {
    RawFrame(firstByte: (fin ? 0x80 : 0) | 1, payload: Array(text.utf8))
  }

  static func continuation(_ text: String, fin: Bool) -> RawFrame {
    RawFrame(firstByte: fin ? 0x80 : 0, payload: Array(text.utf8))
  }

  static func close(_ code: UInt16, _ reason: String = "") -> RawFrame {
    RawFrame(firstByte: 0x88, payload: [UInt8(code >> 8), UInt8(code & 0xff)] + Array(reason.utf8))
  }

  static func ping(_ text: String) -> RawFrame {
    RawFrame(firstByte: 0x89, payload: Array(text.utf8))
  }

  static func pong(_ payload: [UInt8]) -> RawFrame { RawFrame(firstByte: 0x8a, payload: payload) }

  /// The frame's bytes, masked if it is a masked one.
  var bytes: [UInt8] {
    let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
    let flag: UInt8 = isMasked ? 0x80 : 0
    var bytes = [firstByte]
    if payload.count < 126 {
      bytes.append(flag | UInt8(payload.count))
    } else if payload.count < 65536 {
      bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    } else {
      bytes.append(flag | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8((payload.count >> shift) & 0xff))
      }
    }
    if isMasked { bytes += mask }
    return bytes
      + payload.enumerated().map { isMasked ? $0.element ^ mask[$0.offset % 4] : $0.element }
  }

  func masked(_ masked: Bool = true) -> RawFrame {
    var copy = self
    copy.isMasked = masked
    return copy
  }

  /// The close code; nil without one.
  var closeCode: UInt16? { payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil }

  var description: String {
    "frame(\(String(firstByte, radix: 16)), \(payload.prefix(40)), masked: \(isMasked))"
  }

  /// All frames in `bytes`, unmasked; fails on an incomplete frame.
  static func parse(_ bytes: [UInt8]) throws -> [RawFrame] {
    var rest = bytes[...]
    var frames: [RawFrame] = []
    while let first = rest.popFirst() {
      let next = rest.popFirst()
      let second = try #require(next)
      var count = Int(second & 0x7f)
      if count >= 126 {
        let width = count == 126 ? 2 : 8
        count = rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(width)
      }
      let isMasked = second & 0x80 != 0
      let mask = Array(rest.prefix(isMasked ? 4 : 0))
      rest = rest.dropFirst(mask.count)
      try #require(rest.count >= count)
      let payload = rest.prefix(count).enumerated()
        .map { isMasked ? $0.element ^ mask[$0.offset % 4] : $0.element }
      rest = rest.dropFirst(count)
      frames.append(RawFrame(firstByte: first, payload: payload, isMasked: isMasked))
    }
    return frames
  }
}

/// Records what reaches the application.
final class Recorder: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage
  var messages: [WebSocketMessage] = []
  var events: [WebSocketEvent] = []

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    messages.append(Self.unwrapInboundIn(data))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? WebSocketEvent { events.append(event) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  var texts: [String] {
    messages.compactMap { if case .text(let text) = $0 { String(buffer: text) } else { nil } }
  }

  var closures: [WebSocketClosure] {
    events.compactMap { if case .closed(let closure) = $0 { closure } else { nil } }
  }
}

/// One end of a WebSocket connection without a socket: bytes in, bytes out, manual time.
final class Wire {
  let channel = EmbeddedChannel()
  let recorder = Recorder()
  let role: WebSocketRole

  init(_ role: WebSocketRole, limits: WebSocketLimits = WebSocketLimits()) throws {
    self.role = role
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(WebSocketFrameEncoder())
    try pipeline.addHandler(
      ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.maximumMessageBytes)))
    try WebSocketPipeline.add(recorder, to: channel, role: role, limits: limits)
  }

  /// Receives bytes from the other end as they are.
  func receive(bytes: [UInt8]) {
    // A broken frame makes the channel throw an error that the handler has already handled.
    _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
  }

  /// Receives valid frames from the other end: masked when it is a client.
  func receive(_ frames: RawFrame...) {
    for frame in frames { receive(bytes: frame.masked(role == .server).bytes) }
  }

  func sent() throws -> [RawFrame] {
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
      bytes += Array(buffer.readableBytesView)
    }
    return try RawFrame.parse(bytes)
  }

  func command(_ command: WebSocketCommand) {
    channel.pipeline.triggerUserOutboundEvent(command, promise: nil)
  }

  func advance(milliseconds: Int64) {
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds))
  }
}
