// Finds the greeting in a TCP stream without keeping any of the stream.

/// Looks for `hello`, in any case, however the bytes are split; what comes before it is ignored.
public struct HelloMatcher: Sendable {
  private static let word: [UInt8] = Array("hello".utf8)

  private var matched = 0
  /// Whether the word has been seen.
  public private(set) var isComplete = false

  /// Nothing has come yet.
  public init() {}

  /// Takes bytes of the stream.
  ///
  /// After the word, everything is ignored.
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
