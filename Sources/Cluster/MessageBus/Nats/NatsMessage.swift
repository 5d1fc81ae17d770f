import NIOCore

struct NatsMessage: Sendable, Equatable {
  let subscription: UInt64
  let subject: String
  let replyTo: String?
  /// nil for MSG.
  let headers: NatsHeaders?
  let payload: ByteBuffer
}

enum NatsOperation: Sendable, Equatable {
  case info(NatsInfo)
  case message(NatsMessage)
  case ping
  case pong
  case ok
  case error(String)
}

struct NatsHeaders: Sendable, Equatable {
  static let maximumBytes = 64 << 10

  /// 503 without subscribers; nil in most messages.
  private(set) var status: Int?
  private(set) var fields: [Field] = []

  struct Field: Sendable, Equatable {
    let name: String
    let value: String
  }

  /// Parses `NATS/1.0[ status[ words]]`, the lines of the fields, and an empty line at the end.
  init(_ bytes: ByteBufferView) throws(NatsError) {
    var lines: [ByteBufferView.SubSequence] = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")), end > start,
        bytes[end - 1] == UInt8(ascii: "\r")
      else { throw .malformedHeaders }
      lines.append(bytes[start..<(end - 1)])
      start = end + 1
    }
    let version = "NATS/1.0".utf8
    guard lines.count >= 2, let first = lines.first, lines.last?.isEmpty == true,
      first.starts(with: version)
    else { throw .malformedHeaders }
    try readStatus(first.dropFirst(version.count))
    for line in lines.dropFirst().dropLast() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
        throw .malformedHeaders
      }
      let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      fields.append(
        Field(
          name: String(decoding: line[..<colon], as: UTF8.self),
          value: String(decoding: value, as: UTF8.self)))
    }
  }

  private mutating func readStatus(_ rest: ByteBufferView) throws(NatsError) {
    guard let first = rest.first else { return }
    guard first == 0x20 else { throw .malformedHeaders }
    let words = rest.drop { $0 == 0x20 }
    if words.isEmpty { return }
    let digits = words.prefix { $0 != 0x20 }
    guard digits.count == 3, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      throw .malformedHeaders
    }
    status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
