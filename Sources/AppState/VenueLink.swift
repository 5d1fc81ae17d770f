// What a screen knows of its venue's connection, and what that does to the freshness of its values:
// the last line of defence against a number that looks live while its venue is gone.

import MarketModel

/// Follows one venue's connection for a screen.
struct VenueLink: Sendable, Equatable {
  /// What a status changed.
  enum Change: Equatable {
    /// Another venue's status, or nothing that matters here.
    case none
    /// Data can no longer flow.
    case lost
    /// Data can flow again, or for the first time.
    case established
  }

  let venue: Venue
  private(set) var phase: ConnectionPhase?
  /// Whether data could ever flow since the screen was opened.
  private(set) var wasEverUp = false
  /// When the latest outage began; values confirmed before it are not live after it.
  private var lostAt: MonotonicTime?

  init(_ venue: Venue) { self.venue = venue }

  /// The connection in one word; disconnected before the first status.
  var word: ConnectionIndicator { phase.map(ConnectionIndicator.init) ?? .disconnected }

  /// Whether the connection is known to be down: it was up before, or there is no attempt to wait
  /// for.
  ///
  /// The first attempt of all is not an outage yet.
  var isDown: Bool {
    guard let phase, !phase.isConnected else { return false }
    return wasEverUp || (phase != .idle && word == .disconnected)
  }

  /// Takes a status of any venue.
  mutating func update(_ status: ConnectionStatus) -> Change {
    guard status.venue == venue else { return .none }
    let (was, isUp) = (phase?.isConnected, status.phase.isConnected)
    phase = status.phase
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
  /// confirms it again.
  func judged(_ freshness: Freshness) -> Freshness {
    guard freshness.state != .waiting, let phase else { return freshness }
    let looksRecent = freshness.state == .live || freshness.state == .late
    if phase == .stale { return looksRecent ? freshness.changed(to: .stale) : freshness }
    guard phase.isConnected else { return freshness.changed(to: .disconnected) }
    if looksRecent, let lostAt, let confirmed = freshness.confirmedAt?.monotonic,
      confirmed <= lostAt
    {
      return freshness.changed(to: .stale)
    }
    return freshness
  }
}
