import NIOCore
import WireJSON

/// The relevant parts of a JetStream response.
struct BucketAnswer {
  /// Longer than any stored value in Base64.
  private static let maximumDataBytes = 64 << 10

  /// The sequence number of a write, or of the requested message.
  var sequence: UInt64?
  var data = ByteBuffer()
  var error: (code: Int64, words: String)?
  var settings = BucketSettings()

  /// Parses the JSON; unknown keys are skipped.
  init(_ answer: ByteBuffer) throws(BusError) {
    let json = Array(answer.readableBytesView)
    do { try read(json) } catch { throw .refused("an answer that can't be read") }
  }

  private mutating func read(_ json: [UInt8]) throws(JSONError) {
    let slice = json[...]
    let bytes = slice.span
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "seq": sequence = try cursor.unsignedInteger(bytes)
      case "error": try readError(&cursor, bytes)
      case "message": try readMessage(&cursor, bytes)
      case "config": try settings.read(&cursor, bytes)
      default: break
      }
    }
    try cursor.finish(bytes)
  }

  private mutating func readError(
    _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    var (code, words): (Int64, String) = (0, "")
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "err_code": code = try cursor.integer(bytes)
      case "description":
        words = NatsError.shown(try cursor.text(bytes, maximumBytes: 4096).utf8, most: 160)
      default: break
      }
    }
    error = (code, words)
  }

  private mutating func readMessage(
    _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "seq": sequence = try cursor.unsignedInteger(bytes)
      case "data":
        let text = try cursor.text(bytes, maximumBytes: BucketAnswer.maximumDataBytes)
        data = ByteBuffer(bytes: BucketAnswer.bytes(base64: text))
      default: break
      }
    }
  }
}

extension BucketAnswer {
  /// Decodes Base64 up to the first invalid character.
  fileprivate static func bytes(base64 text: String) -> [UInt8] {
    var (bytes, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return bytes
      }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }
}

/// The settings that decide whether a stream can be a bucket.
struct BucketSettings: Equatable {
  /// Settings that a bucket leaves at zero, unlimited or false.
  private static let unset = [
    "max_msgs", "max_bytes", "max_msg_size", "no_ack", "sealed", "discard_new_per_subject",
    "mirror", "sources",
  ]

  private var texts: [String: String] = [:]
  private var numbers: [String: Int64] = [:]
  private var subjects: [String] = []
  private var more: [String] = []

  mutating func read(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      let name = JSONText.decode(bytes, key.range)
      switch name {
      case "subjects": try readSubjects(&cursor, bytes)
      case "retention", "storage": texts[name] = try cursor.text(bytes, maximumBytes: 64)
      case "max_age", "max_msgs_per_subject": numbers[name] = try cursor.integer(bytes)
      case _ where BucketSettings.unset.contains(name):
        if try BucketSettings.isSet(&cursor, bytes) { more.append(name) }
      default: break
      }
    }
  }

  private mutating func readSubjects(
    _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      let subject = try cursor.text(bytes, maximumBytes: 4096)
      // One is valid; the first few of many show that there are more.
      if subjects.count < 3 { subjects.append(subject) }
    }
  }

  private static func isSet(
    _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Bool {
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try cursor.boolean(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try cursor.skipValue(bytes)
      return true
    case UInt8(ascii: "n"):
      try cursor.skipValue(bytes)
      return false
    default: return try cursor.integer(bytes) > 0
    }
  }

  /// The settings that would break a bucket, each in a few words; the number of replicas does not
  /// matter.
  func differences(from bucket: NatsBucket) -> [String] {
    var wrong: [String] = []
    func expect(_ name: String, _ found: String, _ expected: String) {
      if found != expected {
        let shown = NatsError.shown(found.utf8, most: 40)
        wrong.append("\(name) \(shown) instead of \(expected)")
      }
    }
    expect("subjects", subjects.joined(separator: " "), bucket.subjects + ">")
    expect("retention", texts["retention"] ?? "limits", "limits")
    expect("storage", texts["storage"] ?? "file", "file")
    expect("max_age", "\(numbers["max_age"] ?? 0)", "\(bucket.maximumAge)")
    expect("max_msgs_per_subject", "\(numbers["max_msgs_per_subject"] ?? -1)", "1")
    return wrong + more.map { "\($0) is set" }
  }
}
