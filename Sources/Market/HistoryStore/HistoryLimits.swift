// How much of the past is kept, and how much may wait for the disk.

/// The bounds of a kept history.
public struct HistoryLimits: Hashable, Sendable {
  /// The most bytes that candles take on disk; above it the oldest minutes go first, then the
  /// oldest seconds, then the finest of the rest.
  ///
  /// The write-ahead log, at most 16 MB when nothing is written, comes on top.
  public var maximumBytes: Int64 = 2_000_000_000
  /// How long candles below a minute are kept, milliseconds.
  public var secondsKept: Int64 = 48 * 3_600_000
  /// How long minutes are kept, milliseconds; coarser ones are kept for ever.
  public var minutesKept: Int64 = 731 * 86_400_000
  /// The most records that wait for the disk; above it the oldest are dropped and counted.
  public var maximumWaiting = 65_536

  /// The product's own bounds.
  public init() {}
}
