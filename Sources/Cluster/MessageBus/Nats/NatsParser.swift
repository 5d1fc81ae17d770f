import NIOCore

/// Parses a broker's bytes, split anywhere, into operations.
///
/// Incomplete input is bounded, and invalid input ends the link.
struct NatsParser: Sendable {
  /// The maximum bytes of a line other than INFO.
  static let maximumLineBytes = 8 << 10
  /// The maximum bytes of a message, whatever the broker allows.
  static let maximumMessageBytes = 64 << 20

  private struct Announced {
    let subscription: UInt64
    let subject: String
    let replyTo: String?
    /// nil for MSG.
    let headerBytes: Int?
    let totalBytes: Int
  }

  private var buffer = ByteBuffer()
  /// Bytes already searched for a line end.
  private var scanned = 0
  /// A message whose line was parsed and whose bytes are incomplete.
  private var announced: Announced?

  /// Whether no incomplete input is buffered.
  var isEmpty: Bool { buffer.readableBytes == 0 && announced == nil }

  mutating func append(_ bytes: ByteBuffer) {
    guard buffer.readableBytes > 0 else {
      buffer = bytes
      return
    }
    buffer.discardReadBytes()
    var bytes = bytes
    buffer.writeBuffer(&bytes)
  }

  /// The next operation; nil if more bytes are needed.
  mutating func next() throws(NatsError) -> NatsOperation? {
    if let announced { return try body(of: announced) }
    guard let line = try nextLine() else { return nil }
    let words = NatsParser.words(line)
    guard let verb = words.first else { throw .malformed("an empty line") }
    let rest = line[verb.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
    let name = verb.count <= 5 ? NatsParser.uppercased(verb) : ""
    switch (name, words.count) {
    case ("MSG", 4...5), ("HMSG", 5...6):
      let message = try NatsParser.announcement(words, hasHeaders: name == "HMSG")
      announced = message
      return try body(of: message)
    case ("PING", 1): return .ping
    case ("PONG", 1): return .pong
    case ("+OK", 1): return .ok
    case ("-ERR", _):
      let text = rest.filter { $0 != UInt8(ascii: "'") }
      return .error(NatsError.shown(text, most: 160))
    case ("INFO", 2...): return .info(try NatsInfo(Array(rest)))
    default: throw .malformed(NatsError.shown(line, most: 40))
    }
  }

  /// The next line without its end; nil if it is incomplete.
  private mutating func nextLine() throws(NatsError) -> ByteBufferView? {
    let view = buffer.readableBytesView
    guard let first = view.first else { return nil }
    let isInfo = first | 0x20 == UInt8(ascii: "i")
    let bound = isInfo ? NatsInfo.maximumBytes : NatsParser.maximumLineBytes
    guard let end = view[(view.startIndex + scanned)...].firstIndex(of: UInt8(ascii: "\n")) else {
      scanned = view.count
      if scanned > bound { throw .lineTooLong(bytes: bound) }
      return nil
    }
    let count = end - view.startIndex
    scanned = 0
    buffer.moveReaderIndex(forwardBy: count + 1)
    if count > bound { throw .lineTooLong(bytes: bound) }
    guard count > 0, view[end - 1] == UInt8(ascii: "\r") else {
      throw .malformed("a line without its end")
    }
    return view[view.startIndex..<(end - 1)]
  }

  /// The announced message; nil if its bytes are incomplete.
  private mutating func body(of message: Announced) throws(NatsError) -> NatsOperation? {
    guard buffer.readableBytes >= message.totalBytes + 2 else { return nil }
    announced = nil
    var headers: NatsHeaders?
    if let count = message.headerBytes {
      guard let slice = buffer.readSlice(length: count) else { return nil }
      headers = try NatsHeaders(slice.readableBytesView)
    }
    guard let payload = buffer.readSlice(length: message.totalBytes - (message.headerBytes ?? 0)),
      buffer.readInteger(as: UInt16.self) == 0x0d0a
    else { throw .malformed("a message without its end") }
    return .message(
      NatsMessage(
        subscription: message.subscription, subject: message.subject, replyTo: message.replyTo,
        headers: headers, payload: payload))
  }

  private static func announcement(
    _ words: [ByteBufferView], hasHeaders: Bool
  ) throws(NatsError) -> Announced {
    let hasReply = words.count == (hasHeaders ? 6 : 5)
    guard let subscription = number(words[2], most: .max), let last = words.last,
      let total = number(last, most: UInt64(Int.max))
    else { throw .malformed("a message without its numbers") }
    guard total <= UInt64(maximumMessageBytes) else { throw .tooLarge(bytes: Int(total)) }
    var headerBytes: Int?
    if hasHeaders {
      guard let count = number(words[words.count - 2], most: total) else {
        throw .malformed("headers longer than their message")
      }
      guard count <= UInt64(NatsHeaders.maximumBytes) else { throw .tooLarge(bytes: Int(count)) }
      headerBytes = Int(count)
    }
    return Announced(
      subscription: subscription, subject: String(decoding: words[1], as: UTF8.self),
      replyTo: hasReply ? String(decoding: words[3], as: UTF8.self) : nil,
      headerBytes: headerBytes, totalBytes: Int(total))
  }

  private static func number(_ digits: ByteBufferView, most bound: UInt64) -> UInt64? {
    guard !digits.isEmpty, digits.count <= 20 else { return nil }
    var value: UInt64 = 0
    for byte in digits {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      let (tens, isOver) = value.multipliedReportingOverflow(by: 10)
      let (sum, isFull) = tens.addingReportingOverflow(UInt64(byte - 0x30))
      if isOver || isFull { return nil }
      value = sum
    }
    return value <= bound ? value : nil
  }

  /// The first words of a line, seven at most: only INFO and -ERR have more than six.
  private static func words(_ line: ByteBufferView) -> [ByteBufferView] {
    var words: [ByteBufferView] = []
    words.reserveCapacity(7)
    var start = line.startIndex
    for index in line.indices where line[index] == 0x20 || line[index] == 0x09 {
      if index > start { words.append(line[start..<index]) }
      start = index + 1
      if words.count == 7 { return words }
    }
    if start < line.endIndex { words.append(line[start...]) }
    return words
  }

  private static func uppercased(_ word: ByteBufferView) -> String {
    String(decoding: word.map { $0 >= 0x61 && $0 <= 0x7a ? $0 - 0x20 : $0 }, as: UTF8.self)
  }
}
