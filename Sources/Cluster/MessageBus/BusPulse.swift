public import NIOCore

/// The interval and format of pulses: words separated by spaces, a tab, and a sentence.
///
/// A process that works for others sends four a second. Monotonic clocks of two machines are not
/// comparable, so receivers measure the time since the latest pulse by their own clock.
public enum BusPulse {
  /// The interval between two pulses, in milliseconds.
  public static let intervalMilliseconds: Int64 = 250
  /// The silence after which a process is considered dead, in milliseconds.
  public static let deadMilliseconds: Int64 = 800

  /// The parts of a pulse of `count` words; nil if invalid.
  public static func parts(
    of bytes: ByteBuffer, words count: Int
  ) -> (words: [Substring], sentence: String)? {
    guard bytes.readableBytes <= 4096 else { return nil }
    let parts = String(buffer: bytes).split(
      separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ", omittingEmptySubsequences: false)
    return parts.count == 2 && words.count == count ? (words, String(parts[1])) : nil
  }
}
