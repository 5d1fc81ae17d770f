import NIOCore

/// Validates only text, byte by byte, because the frame decoder only delivers whole frames.
struct EarlyTextCheck {
  /// Two bytes, a length of eight, a mask of four.
  private static let longestHeader = 14

  private var header: [UInt8] = []
  private var headerBytes = 2
  /// Bytes of the current payload still to come.
  private var remaining: UInt64 = 0
  private var isPayload = false
  private var isFinal = false
  /// Whether the current payload is text, and whether the message is.
  private var isText = false
  private var isTextMessage = false
  /// The payload's mask and the bytes received; nil if it is not masked.
  private var mask: (key: UInt32, offset: UInt64)?
  private var checker = UTF8Checker()

  init() { header.reserveCapacity(EarlyTextCheck.longestHeader) }

  /// Checks the next bytes, O(n); false when a text can't become UTF-8.
  ///
  /// Must not be called again after false.
  mutating func accepts(_ bytes: RawSpan) -> Bool {
    var index = 0
    while index < bytes.byteCount {
      if !isPayload {
        header.append(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
        index += 1
        if !headerGrew() { return false }
        continue
      }
      let count = Int(min(UInt64(bytes.byteCount - index), remaining))
      if isText, !check(bytes.extracting(index..<index + count)) { return false }
      index += count
      remaining -= UInt64(count)
      if remaining == 0, !payloadEnded() { return false }
    }
    return true
  }

  private mutating func headerGrew() -> Bool {
    if header.count == 2 {
      let length = header[1] & 0x7f
      headerBytes += length == 126 ? 2 : length == 127 ? 8 : 0
      headerBytes += header[1] & 0x80 == 0 ? 0 : 4
    }
    guard header.count == headerBytes else { return true }
    let isMasked = header[1] & 0x80 != 0
    let length = header[2..<headerBytes - (isMasked ? 4 : 0)]
    remaining =
      length.isEmpty ? UInt64(header[1] & 0x7f) : length.reduce(0) { $0 << 8 | UInt64($1) }
    let key = header.suffix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    mask = isMasked ? (key, 0) : nil
    isFinal = header[0] & 0x80 != 0
    switch header[0] & 0x0f {
    case 0: isText = isTextMessage
    case 1:
      isText = true
      isTextMessage = true
      checker = UTF8Checker()
    case 2:
      isText = false
      isTextMessage = false
    // Control frames may be between the fragments of a message.
    default: isText = false
    }
    header.removeAll(keepingCapacity: true)
    headerBytes = 2
    isPayload = true
    return remaining > 0 || payloadEnded()
  }

  private mutating func payloadEnded() -> Bool {
    isPayload = false
    return !isText || !isFinal || checker.isComplete
  }

  private mutating func check(_ bytes: RawSpan) -> Bool {
    guard let (key, start) = mask else { return checker.accepts(bytes) }
    var offset = start
    for index in 0..<bytes.byteCount {
      let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      let part = UInt8(truncatingIfNeeded: key >> (24 - 8 * UInt32(offset & 3)))
      if !checker.accepts(byte: byte ^ part) { return false }
      offset += 1
    }
    mask = (key, offset)
    return true
  }
}

struct TextNotUTF8: Error {}

/// Below the frame decoder; passes bytes on before an error, to deliver the valid messages.
final class EarlyTextHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var check = EarlyTextCheck()
  private var isOver = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    let isText = isOver || check.accepts(bytes.readableBytesSpan)
    context.fireChannelRead(data)
    guard !isText else { return }
    isOver = true
    context.fireErrorCaught(TextNotUTF8())
  }
}
