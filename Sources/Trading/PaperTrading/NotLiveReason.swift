public import MarketModel

/// Why a market can't be traded on, in more detail than its freshness.
///
/// An unreadable or unusable tick invalidates the previous one at once, whatever its age.
public enum NotLiveReason: String, CaseIterable, Hashable, Sendable {
  // The feed's states by their own names, which are stored.
  case waiting, queued, live, late, stale, resyncing, disconnected, closed
  case unreadable
  /// The latest tick is readable, but its prices break the rules.
  case unusable
  /// The latest tick's price is implausibly far from the previous one.
  case unconfirmed

  /// The reason for a state of the feed.
  public init(_ state: FreshnessState) {
    self =
      switch state {
      case .waiting: .waiting
      case .queued: .queued
      case .live: .live
      case .late: .late
      case .stale: .stale
      case .resyncing: .resyncing
      case .disconnected: .disconnected
      case .closed: .closed
      }
  }

  var words: Sentence {
    switch self {
    case .waiting: "none has arrived yet"
    case .queued: "too many streams are open"
    case .live: "there is none at this moment"
    case .late: "the latest one is late"
    case .stale: "the latest one is stale"
    case .resyncing: "they are being loaded again"
    case .disconnected: "the exchange is disconnected"
    case .closed: "the market is closed"
    case .unreadable: "the last tick was unreadable"
    case .unusable: "the last tick could not be used"
    case .unconfirmed: "the last tick is far from the one before, and not confirmed"
    }
  }
}
