import NIOCore
import WireJSON

/// A stream that stores leases or persistent values by key: one message per key, with rising
/// sequence numbers.
///
/// It is a NATS key-value bucket, so NATS' own tools show it.
struct NatsBucket: Hashable, Sendable {
  /// Leases, whose messages expire.
  static let leases = NatsBucket(name: "LEASE", maximumAge: leaseMilliseconds * 1_000_000)
  static let values = NatsBucket(name: "LIVETAPE", maximumAge: 0)
  static let all = [leases, values]

  /// The header that makes a write conditional on the previous sequence number.
  static let expectation: StaticString = "Nats-Expected-Last-Subject-Sequence"

  private static let nameInUse: Int64 = 10_058
  private static let wrongSequence: Int64 = 10_071
  private static let noMessage: Int64 = 10_037

  let stream: String
  /// The prefix of its keys' subjects.
  let subjects: String
  /// The lifetime of a message in nanoseconds; 0 is unlimited.
  let maximumAge: Int64

  private init(name: String, maximumAge: Int64) {
    (stream, subjects) = ("KV_\(name)", "$KV.\(name).")
    self.maximumAge = maximumAge
  }

  // MARK: The stream

  var creation: String { "$JS.API.STREAM.CREATE.\(stream)" }
  var information: String { "$JS.API.STREAM.INFO.\(stream)" }
  var loading: String { "$JS.API.STREAM.MSG.GET.\(stream)" }

  /// The request that creates the stream.
  ///
  /// On disk, since a memory stream restarts at 1 with the broker, and revisions serve as epochs.
  ///
  /// - Parameter copies: the number of replicas in a cluster.
  /// - Returns: the request.
  func request(copies: Int) -> ByteBuffer {
    var json = JSONWriter()
    json.object { json in
      json.member("name", stream)
      json.array("subjects") { json in
        json.string(subjects + ">")
      }
      json.member("retention", "limits")
      json.member("storage", "file")
      json.member("discard", "old")
      if maximumAge > 0 {
        json.member("max_age", maximumAge)
        json.member("duplicate_window", maximumAge)
      }
      json.member("max_msgs_per_subject", 1)
      json.member("num_replicas", copies)
      json.member("allow_direct", true)
      json.member("allow_rollup_hdrs", true)
    }
    return ByteBuffer(bytes: json.bytes)
  }

  /// Whether the stream was created with these settings; false if one of its name exists with
  /// others.
  static func isCreated(_ answer: ByteBuffer) throws(BusError) -> Bool {
    guard let error = try BucketAnswer(answer).error else { return true }
    guard error.code == nameInUse else { throw .refused(error.words) }
    return false
  }

  /// Throws if the existing stream's settings would break the bucket.
  func check(_ information: ByteBuffer) throws(BusError) {
    let answer = try BucketAnswer(information)
    if let error = answer.error { throw .refused(error.words) }
    let wrong = answer.settings.differences(from: self)
    guard !wrong.isEmpty else { return }
    throw .refused(
      "the stream \(stream) was not made by Livetape (\(wrong.joined(separator: ", "))); "
        + "delete it, or use another account of the broker")
  }

  // MARK: Keys

  func question(_ key: String) -> ByteBuffer {
    var json = JSONWriter()
    json.object { json in
      json.member("last_by_subj", subjects + key)
    }
    return ByteBuffer(bytes: json.bytes)
  }

  /// The latest value of a key; nil if never written.
  static func value(_ answer: ByteBuffer) throws(BusError) -> BusValue? {
    let answer = try BucketAnswer(answer)
    if let error = answer.error {
      guard error.code == noMessage else { throw .refused(error.words) }
      return nil
    }
    guard let sequence = answer.sequence, sequence > 0 else {
      throw .refused("an answer without a sequence")
    }
    // NATS' own tools delete with an empty message.
    return BusValue(revision: sequence, bytes: answer.data)
  }

  static func revision(_ answer: ByteBuffer) throws(BusError) -> UInt64 {
    let answer = try BucketAnswer(answer)
    if let error = answer.error {
      throw error.code == wrongSequence ? .wrongRevision : .refused(error.words)
    }
    guard let sequence = answer.sequence, sequence > 0 else {
      throw .refused("an answer without a sequence")
    }
    return sequence
  }
}
