/// Finds `hello` in a TCP stream, in any case and however split, without storing bytes.
public struct HelloMatcher: Sendable {
  private static let word: [UInt8] = Array("hello".utf8)

  private var matched = 0
  /// Whether the word has been received.
  public private(set) var isComplete = false

  /// Creates a matcher at the start of a stream.
  public init() {}

  /// Reads bytes of the stream; after the word, all are ignored.
  public mutating func take(_ bytes: [UInt8]) {
    for byte in bytes {
      if isComplete { return }
      let letter = byte | 0x20
      if letter == HelloMatcher.word[matched] {
        matched += 1
      } else {
        // No proper prefix of "hello" ends in its beginning, so a mismatch falls back to the start.
        matched = letter == HelloMatcher.word[0] ? 1 : 0
      }
      isComplete = matched == HelloMatcher.word.count
    }
  }
}
