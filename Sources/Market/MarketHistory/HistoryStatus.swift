public import MarketModel

/// The state of the venue's history.
public enum HistoryStatus: Hashable, Sendable {
  /// The venue has no history; there is only live data.
  case none
  case loading
  case ready
  /// Loading failed and will be retried; live data continues.
  case failed(HistoryFailure)
}
