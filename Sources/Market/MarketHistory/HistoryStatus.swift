// How far the past of an instrument is known.

public import MarketModel

/// How the venue's history stands.
public enum HistoryStatus: Hashable, Sendable {
  /// The venue has no history: what is seen is all there is.
  case none
  /// It was asked for and has not come.
  case loading
  /// It is here.
  case ready
  /// It could not be had; it is asked for again. What is seen goes on.
  case failed(HistoryFailure)
}
