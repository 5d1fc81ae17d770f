// What a process says of itself four times a second, as long as it works for others. Monotonic
// clocks of two machines do not compare, so whoever listens counts its own time since the latest
// pulse.

public import NIOCore

/// The rhythm and the text of pulses: words with spaces between them, a tab, and a sentence.
public enum BusPulse {
  /// Between two pulses, in milliseconds.
  public static let intervalMilliseconds: Int64 = 250
  /// Silence after which a process is not believed any more, in milliseconds.
  public static let deadMilliseconds: Int64 = 800

  /// The parts of a pulse of `count` words; nil when it is none.
  public static func parts(
    of bytes: ByteBuffer, words count: Int
  ) -> (words: [Substring], sentence: String)? {
    guard bytes.readableBytes <= 1024 else { return nil }
    let parts = String(buffer: bytes).split(
      separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ", omittingEmptySubsequences: false)
    return parts.count == 2 && words.count == count ? (words, String(parts[1])) : nil
  }
}
