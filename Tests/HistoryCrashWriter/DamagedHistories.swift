// Reproduces a crash: reading a damaged history ended the process when its database was closed
// under a reader.

import ChartModel
import Foundation
import HistoryStore
import MarketModel

/// Damages a history 100 times, each in a separate folder, and reads it from six threads while the
/// store sets it aside, closes it, or loses its file.
func readDamagedHistories(folder: String, seed: UInt64) throws {
  let now: @Sendable () -> Timestamp = { Timestamp(milliseconds: 1_790_000_000_000) }
  let sound = HistoryStore(folder: folder + "/sound", now: now)
  sound.record((0..<6000).map(record))
  sound.close()
  let bytes = try Data(contentsOf: URL(fileURLWithPath: sound.path))
  var random = SplitMix64(seed: seed)
  for number in 0..<100 {
    say("damage \(number)")
    let place = URL(fileURLWithPath: folder).appending(path: "\(number)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try damaged(bytes, &random).write(to: place.appending(path: HistoryStore.fileName))
    let store = HistoryStore(folder: place.path, now: now)
    let interruption = random.below(3)
    DispatchQueue.concurrentPerform(iterations: 7) { reader in
      if reader == 6 {
        if interruption == 0 { store.close() }
        if interruption == 1 { try? FileManager.default.removeItem(atPath: store.path) }
        store.record([record(6000)])
        return store.flush()
      }
      for step in Int64(0)..<16 {
        let sample = record(Int64(reader) + step)
        _ = try? store.candles(sample.instrument, sample.interval, limit: 1100)
      }
    }
    store.close()
    try FileManager.default.removeItem(at: place)
  }
}

/// A copy with some bits flipped, a range of zeros, or a page in another's place.
private func damaged(_ bytes: Data, _ random: inout SplitMix64) -> Data {
  var bytes = bytes
  let count = Int64(bytes.count)
  // The header usually stays readable: a file that is not a database is set aside unread.
  let start = Int(random.below(8) == 0 ? 0 : 4096 + random.below(count - 8192))
  switch random.below(4) {
  case 0: for _ in 0..<64 { bytes[Int(4096 + random.below(count - 4096))] ^= 0x55 }
  case 1: bytes.resetBytes(in: start..<min(bytes.count, start + 20_000))
  case 2: bytes.replaceSubrange(start..<start + 4096, with: bytes[0..<4096])
  default: bytes.removeLast(Int(4096 + random.below(count / 2)))
  }
  return bytes
}
