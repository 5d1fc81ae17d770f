/// The limits of a stored history.
public struct HistoryLimits: Hashable, Sendable {
  /// The most bytes on disk, without the write-ahead log, which is at most 16 MB when idle.
  ///
  /// Beyond it the oldest minutes are deleted first, then seconds, then the finest of the rest.
  public var maximumBytes: Int64 = 2_000_000_000
  /// How long candles below a minute are kept, in milliseconds.
  public var secondsKept: Int64 = 48 * 3_600_000
  /// How long minutes are kept, in milliseconds; coarser ones are kept forever.
  public var minutesKept: Int64 = 731 * 86_400_000
  /// The most records waiting for the disk; beyond it the oldest are dropped and counted.
  public var maximumWaiting = 65_536

  /// Creates the default limits.
  public init() {}
}
