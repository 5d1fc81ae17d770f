public import MarketModel

/// The status of the stored history.
public struct HistoryStoreStatus: Hashable, Sendable {
  /// Since when all records have been written; nil before the first opening and during a failure.
  public internal(set) var writingSince: Timestamp?
  /// Why nothing is written, while it is retried; nil without a failure.
  public internal(set) var failure: HistoryStoreError?
  /// Records dropped because too many waited for the disk.
  public internal(set) var droppedCount: UInt64 = 0
  /// Invalid records: an impossible range, a misaligned start, or an unrepresentable volume.
  public internal(set) var refusedCount: UInt64 = 0
  /// The files' size on disk.
  public internal(set) var bytes: Int64 = 0
  /// The new name of the latest damaged file; nil if there was none.
  public internal(set) var setAside: String?

  /// Creates the status before the first opening.
  public init() {}

  /// Text for the user; nil without a problem.
  public var userMessage: String? {
    failure?.userMessage
      ?? setAside.map {
        "The kept history was damaged. It was set aside as “\($0)”, and a new one has begun."
      }
  }
}
