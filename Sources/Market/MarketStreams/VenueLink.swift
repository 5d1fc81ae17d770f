public import MarketModel

/// Limits the freshness of a venue's values, so that none looks live while it is disconnected.
public struct VenueLink: Sendable, Equatable {
  /// The effect of a status.
  public enum Change: Equatable, Sendable {
    /// Another venue's status, or no relevant change.
    case none
    /// Data can no longer flow.
    case lost
    /// Data can flow, again or for the first time.
    case established
  }

  /// The venue.
  public let venue: Venue
  /// Its connection's phase; nil before the first status.
  public private(set) var phase: ConnectionPhase?
  /// Whether data could ever flow.
  public private(set) var wasEverUp = false
  /// The start of the latest outage; values confirmed before it are not live after it.
  private var lostAt: MonotonicTime?
  /// The venue's delay in milliseconds while too long for live data; else nil.
  private var delayMilliseconds: Int64?

  /// Creates a link before any status.
  public init(_ venue: Venue) { self.venue = venue }

  /// Applies a status of any venue.
  public mutating func update(_ status: ConnectionStatus) -> Change {
    guard status.venue == venue else { return .none }
    let (was, isUp) = (phase?.isConnected, status.phase.isConnected)
    phase = status.phase
    delayMilliseconds = status.delayMilliseconds
    if isUp {
      wasEverUp = true
      return was == true ? .none : .established
    }
    guard was != false else { return .none }
    lostAt = status.since.monotonic
    return .lost
  }

  /// Limits a value's freshness by the connection.
  ///
  /// Waiting stays. While disconnected, no value is better; afterwards, one from before the outage
  /// is stale until the venue confirms it. Delayed data is late, and older by the delay.
  public func judged(_ freshness: Freshness) -> Freshness {
    guard freshness.state != .waiting, let phase else { return freshness }
    let looksRecent = freshness.state == .live || freshness.state == .late
    if phase == .stale { return looksRecent ? freshness.changed(to: .stale) : freshness }
    guard phase.isConnected else { return freshness.changed(to: .disconnected) }
    if looksRecent, let lostAt, let confirmed = freshness.confirmedAt?.monotonic,
      confirmed <= lostAt
    {
      return freshness.changed(to: .stale)
    }
    guard looksRecent, let delayMilliseconds else { return freshness }
    return freshness.changed(to: .late).aged(byMilliseconds: delayMilliseconds)
  }
}
