// Leases as a broker keeps them: a stream whose messages expire by themselves, one a key, and whose
// sequence numbers rise with each write.

import NIOCore
import WireJSON

/// The stream of leases, and what the broker answers about it.
enum LeaseBucket {
  static let name = "KV_LEASE"
  static let subjects = "$KV.LEASE."
  static let creation = "$JS.API.STREAM.CREATE." + name
  /// A write counts only after this one.
  static let expectation: StaticString = "Nats-Expected-Last-Subject-Sequence"

  private static let nameInUse: Int64 = 10_058
  private static let wrongSequence: Int64 = 10_071

  /// What makes the stream.
  ///
  /// On disk, since a stream in memory counts from 1 again when the broker is restarted, and
  /// revisions serve as epochs.
  ///
  /// - Parameter copies: how many brokers of a cluster keep it.
  /// - Returns: the question.
  static func request(copies: Int) -> ByteBuffer {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", name)
    json.key("subjects")
    json.beginArray()
    json.string(subjects + ">")
    json.endArray()
    json.member("retention", "limits")
    json.member("storage", "file")
    json.member("discard", "old")
    json.member("max_age", leaseMilliseconds * 1_000_000)
    json.member("duplicate_window", leaseMilliseconds * 1_000_000)
    json.member("max_msgs_per_subject", 1)
    json.member("num_replicas", copies)
    json.member("allow_direct", true)
    json.member("allow_rollup_hdrs", true)
    json.endObject()
    return ByteBuffer(bytes: json.bytes)
  }

  /// Whether the stream is there now; throws a ``BusError`` otherwise.
  static func checkCreation(_ answer: ByteBuffer) throws(BusError) {
    guard let error = try read(answer).error, error.code != nameInUse else { return }
    throw .refused(error.words)
  }

  /// The revision of a write.
  static func revision(_ answer: ByteBuffer) throws(BusError) -> UInt64 {
    let answer = try read(answer)
    if let error = answer.error {
      throw error.code == wrongSequence ? .wrongRevision : .refused(error.words)
    }
    guard let sequence = answer.sequence, sequence > 0 else {
      throw .refused("an answer without a sequence")
    }
    return sequence
  }

  private struct Answer {
    var sequence: UInt64?
    var error: (code: Int64, words: String)?
  }

  private static func read(_ answer: ByteBuffer) throws(BusError) -> Answer {
    let bytes = Array(answer.readableBytesView)
    do { return try read(bytes) } catch { throw .refused("an answer that can't be read") }
  }

  private static func read(_ json: [UInt8]) throws(JSONError) -> Answer {
    let slice = json[...]
    let bytes = slice.span
    var (answer, cursor, first) = (Answer(), JSONCursor(), true)
    try cursor.beginObject(bytes)
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "seq") {
        answer.sequence = try cursor.unsignedInteger(bytes)
      } else if JSONText.equals(bytes, key, "error") {
        answer.error = try readError(&cursor, bytes)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    try cursor.finish(bytes)
    return answer
  }

  private static func readError(
    _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
  ) throws(JSONError) -> (code: Int64, words: String) {
    var (code, words, first): (Int64, String, Bool) = (0, "", true)
    try cursor.beginObject(bytes)
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "err_code") {
        code = try cursor.integer(bytes)
      } else if JSONText.equals(bytes, key, "description") {
        words = NatsError.shown(try cursor.text(bytes, maximumBytes: 4096).utf8, most: 160)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return (code, words)
  }
}
