import NIOCore

enum NumberedPing {
  /// The first byte; no other ping from this end has the same length.
  private static let mark = UInt8(ascii: "#")

  /// The mark and eight bytes, the highest first.
  static func payload(_ number: Int64, _ allocator: ByteBufferAllocator) -> ByteBuffer {
    var payload = allocator.buffer(capacity: 9)
    payload.writeInteger(mark)
    payload.writeInteger(number)
    return payload
  }

  static func number(_ payload: ByteBuffer) -> Int64? {
    let start = payload.readerIndex
    guard payload.readableBytes == 9, payload.getInteger(at: start) == mark else { return nil }
    return payload.getInteger(at: start + 1)
  }
}

/// Measures the round trip of pings; each has a number, only the newest counts.
struct PingClock {
  private var number: UInt64 = 0
  private var sentAt: NIODeadline?

  mutating func next(at now: NIODeadline, _ allocator: ByteBufferAllocator) -> ByteBuffer {
    number &+= 1
    sentAt = now
    var payload = allocator.buffer(capacity: 8)
    payload.writeInteger(number)
    return payload
  }

  /// The round trip that this pong ends; nil for an unmatched pong.
  mutating func answered(by payload: ByteBuffer, at now: NIODeadline) -> TimeAmount? {
    guard let sent = sentAt, payload.readableBytes == 8,
      payload.getInteger(at: payload.readerIndex, as: UInt64.self) == number
    else { return nil }
    sentAt = nil
    return now - sent
  }
}
