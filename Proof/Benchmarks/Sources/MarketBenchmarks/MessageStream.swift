import Foundation

/// Raw messages of a run in one block of memory, generated or read from a file.
struct MessageStream {
  private(set) var bytes: [UInt8] = []
  private(set) var ranges: [Range<Int>] = []

  mutating func append(_ text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    ranges.append(start..<bytes.count)
  }

  init() {}

  /// One message a line; a receive time and a tab before it are skipped.
  init(file: String) throws {
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    var start = 0
    for index in bytes.indices {
      if bytes[index] == 0x09 { start = index + 1 }
      guard bytes[index] == 0x0a || index == bytes.count - 1 else { continue }
      let end = bytes[index] == 0x0a ? index : index + 1
      if end > start { ranges.append(start..<end) }
      start = index + 1
    }
  }

  func prefix(_ count: Int) -> MessageStream {
    var shorter = MessageStream()
    shorter.ranges = Array(ranges.prefix(count))
    shorter.bytes = Array(bytes.prefix(shorter.ranges.last?.upperBound ?? 0))
    return shorter
  }
}
