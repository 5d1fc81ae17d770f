/// Cuts a stream of bytes into lines of bounded length.
///
/// TCP keeps no message boundaries: a read holds part of a line, or several. The venue's only
/// published client lost lines and crashed here.
struct TickFeedFramer: Sendable, Equatable {
  /// More than twice the longest line that six numbers need.
  static let maximumLineBytes = 256

  enum Event: Equatable {
    /// A line without its newline.
    case line([UInt8])
    /// The line became too long; the rest of it is dropped up to the newline.
    case tooLong
  }

  private var partial: [UInt8] = []
  private var isDropping = false

  /// Discards a partial line.
  mutating func reset() {
    partial.removeAll(keepingCapacity: true)
    isDropping = false
  }

  /// Reads bytes from `offset` up to the first event, and moves `offset` behind them.
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
