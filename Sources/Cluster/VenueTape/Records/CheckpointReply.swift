import NIOCore

/// The reader's reply to a checkpoint request; the checkpoint's records were published before.
struct CheckpointReply: Equatable {
  let epoch: UInt64
  /// The latest tape record contained in the checkpoint.
  let number: UInt64
  let count: Int
  /// Whether this venue has checkpoints; otherwise a stream's next message is its whole state.
  let hasSnapshots: Bool

  /// "epoch number count hasSnapshots".
  var bytes: ByteBuffer {
    ByteBuffer(string: "\(epoch) \(number) \(count) \(hasSnapshots ? 1 : 0)")
  }

  init(epoch: UInt64, number: UInt64, count: Int, hasSnapshots: Bool) {
    (self.epoch, self.number, self.count) = (epoch, number, count)
    self.hasSnapshots = hasSnapshots
  }

  /// Parses a reply; nil if invalid, or if the reader has no session.
  init?(_ bytes: ByteBuffer) {
    guard bytes.readableBytes <= 128 else { return nil }
    let words = String(buffer: bytes).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, let epoch = UInt64(words[0]), let number = UInt64(words[1]),
      let count = Int(words[2]), (0...(1 << 20)).contains(count),
      words[3] == "0" || words[3] == "1"
    else { return nil }
    self.init(epoch: epoch, number: number, count: count, hasSnapshots: words[3] == "1")
  }
}
