// The reader's answer to a question for a checkpoint; the records of it have been published before.

import NIOCore

/// What was published as a checkpoint.
struct CheckpointReply: Equatable {
  let epoch: UInt64
  /// The latest record of the tape that the checkpoint holds the effects of.
  let number: UInt64
  /// How many records it has.
  let count: Int
  /// Whether there will be checkpoints of this venue, or the next message of a stream is all there
  /// is to know.
  let hasSnapshots: Bool

  /// "epoch number count hasSnapshots".
  var bytes: ByteBuffer {
    ByteBuffer(string: "\(epoch) \(number) \(count) \(hasSnapshots ? 1 : 0)")
  }

  init(epoch: UInt64, number: UInt64, count: Int, hasSnapshots: Bool) {
    (self.epoch, self.number, self.count) = (epoch, number, count)
    self.hasSnapshots = hasSnapshots
  }

  /// Reads an answer; nil when it is none, or the reader has no session to tell of.
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
