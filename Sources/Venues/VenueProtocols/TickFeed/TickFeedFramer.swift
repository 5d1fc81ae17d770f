// TCP keeps no message borders: a read holds part of a line, or several. The venue's one published
// client lost lines and crashed here.

/// Cuts a stream of bytes into lines, bounded.
struct TickFeedFramer: Sendable, Equatable {
  /// More than twice the longest line that six numbers need.
  static let maximumLineBytes = 256

  /// What a byte can complete.
  enum Event: Equatable {
    /// A line without its newline.
    case line([UInt8])
    /// The line became too long; the rest of it is dropped up to the newline.
    case tooLong
  }

  private var partial: [UInt8] = []
  private var isDropping = false

  /// Forgets a half line.
  mutating func reset() {
    partial.removeAll(keepingCapacity: true)
    isDropping = false
  }

  /// Takes bytes from `offset` on, up to the first event, and moves `offset` behind what it took.
  mutating func next(_ bytes: Span<UInt8>, from offset: inout Int) -> Event? {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\n") {
        if isDropping {
          isDropping = false
          continue
        }
        let line = partial
        partial.removeAll(keepingCapacity: true)
        return .line(line)
      }
      if isDropping { continue }
      partial.append(byte)
      if partial.count > TickFeedFramer.maximumLineBytes {
        partial.removeAll(keepingCapacity: true)
        isDropping = true
        return .tooLong
      }
    }
    return nil
  }
}
