// What is known of a venue's connection, and what that does to the freshness of its values: the
// last line of defence against a number that looks live while its venue is gone.

public import MarketModel

/// Follows one venue's connection.
public struct VenueLink: Sendable, Equatable {
  /// What a status changed.
  public enum Change: Equatable, Sendable {
    /// Another venue's status, or nothing that matters here.
    case none
    /// Data can no longer flow.
    case lost
    /// Data can flow again, or for the first time.
    case established
  }

  /// The venue.
  public let venue: Venue
  /// Its connection's phase; nil before the first status.
  public private(set) var phase: ConnectionPhase?
  /// Whether data could ever flow since it is followed.
  public private(set) var wasEverUp = false
  /// When the latest outage began; values confirmed before it are not live after it.
  private var lostAt: MonotonicTime?
  /// How long what the venue says is on its way, in milliseconds, where that is too long to be
  /// live; nil where it is not.
  private var delayMilliseconds: Int64?

  /// Follows a venue of which nothing is known yet.
  public init(_ venue: Venue) { self.venue = venue }

  /// Takes a status of any venue.
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

  /// What a value's own freshness comes to, given the state of the connection.
  ///
  /// A value that has never arrived stays waiting. While the connection is down no value is better
  /// than disconnected; after it is back, a value from before the outage is stale until the venue
  /// confirms it again. What is on its way for long is late, however evenly it comes, and as old as
  /// it may have been when it came.
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
