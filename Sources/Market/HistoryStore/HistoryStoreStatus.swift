// What the kept history says of itself.

public import MarketModel

/// Whether history is kept, since when, and what it takes.
public struct HistoryStoreStatus: Hashable, Sendable {
  /// Since when everything recorded has been written; nil before the first opening and while it
  /// can't be.
  public internal(set) var writingSince: Timestamp?
  /// Why nothing is written, though it is tried again; nil when all is well.
  public internal(set) var failure: HistoryStoreError?
  /// Records that were dropped because too many waited for the disk.
  public internal(set) var droppedCount: UInt64 = 0
  /// Records that are no candles: an impossible range, a start beside its interval, or a volume
  /// that the instrument's scale can't hold.
  public internal(set) var refusedCount: UInt64 = 0
  /// What the files take on disk.
  public internal(set) var bytes: Int64 = 0
  /// The name that the last damaged file was given; nil when there was none.
  public internal(set) var setAside: String?

  /// Nothing has been opened yet.
  public init() {}

  /// What people read; nil when all is well.
  public var userMessage: String? {
    failure?.userMessage
      ?? setAside.map {
        "The kept history was damaged. It was set aside as “\($0)”, and a new one has begun."
      }
  }
}
