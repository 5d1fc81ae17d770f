public import MarketModel

/// The state of the venue's history.
public enum HistoryStatus: Hashable, Sendable {
  /// The venue has no history; there is only live data.
  case none
  /// It is being loaded.
  case loading
  /// It is loaded.
  case ready
  /// Loading failed and will be retried; live data continues.
  case failed(HistoryFailure)
}
