// The status chip and what it opens (UX "connection"): every venue's connection, and the worst of
// them in one word.

public import MarketModel
import VenueCatalogue

/// One venue's connection as it is drawn.
public struct VenueState: Equatable, Sendable {
  /// The venue's name for people.
  public internal(set) var name: String
  /// Where in its life the connection is.
  public internal(set) var phase: ConnectionPhase
  /// Whether data can flow.
  public internal(set) var connected: Bool
  /// Where the data comes from.
  public internal(set) var origin: DataOrigin
  /// Since when it has been connected, or without a connection, or stopped; nil for a venue that is
  /// closed.
  ///
  /// The attempts of one outage are one stretch of time.
  public internal(set) var since: Timestamp?
  /// When the latest message came; moves at most once a second.
  public internal(set) var lastMessage: Timestamp?
  /// From a ping to its answer, in microseconds.
  public internal(set) var roundTripMicroseconds: Int64?
  /// How long the venue takes to answer, in milliseconds, while that makes all that it says late.
  public internal(set) var delayMilliseconds: Int64?
  /// Attempts to reconnect since the start.
  public internal(set) var reconnects: Int
  /// Books fetched anew since the start.
  public internal(set) var resyncs: Int
  /// Messages rejected since the start.
  public internal(set) var rejected: Int
  /// Instruments of the venue's list that are left out.
  public internal(set) var skipped = 0
  /// Streams that say other prices than those that are shown, by symbol, alphabetically.
  public internal(set) var dissents: [VenueDissent] = []
  /// When the next attempt is due; only while backing off.
  public internal(set) var nextAttempt: Timestamp?
  /// Why the connection is not live, for people.
  public internal(set) var reason: String?
}

/// A stream of a venue that says another price than the one that is shown.
public struct VenueDissent: Hashable, Sendable {
  /// The instrument.
  public let symbol: Symbol
  /// Who says what.
  public let dissent: WitnessDissent
}

/// All connections: topic `status` of docs/page-protocol.md.
public struct StatusState: Equatable, Sendable {
  /// The worst of the venues that should be connected; see ``StatusScreen``.
  public internal(set) var worst: ConnectionIndicator
  /// The venues, in order of display.
  public internal(set) var order: [Venue]
  /// Those of ``order`` that have reported.
  public internal(set) var venues: [Venue: VenueState]
}

/// The connections of all venues.
///
/// A venue that a person stopped, or that nobody started, is no fault: it does not count for the
/// worst word as long as another venue should be connected. Where none should, the word is
/// "disconnected", for that is what is true. On a screen of its own (``FeedScreen``) a stopped
/// venue always reads "disconnected".
public struct StatusScreen: Screen {
  /// What can be done for a venue.
  public enum Action: Hashable, Sendable {
    /// Connect now instead of at the end of the back-off.
    case retry(Venue)
  }

  /// How often ``VenueState/lastMessage`` moves at most.
  public static let lastMessageMilliseconds: Int64 = 1000

  /// The connections now.
  public private(set) var state: StatusState
  /// Nothing: statuses come without being subscribed.
  public let wanted: Set<MarketKey> = []

  private var latest: [Venue: ConnectionStatus] = [:]
  private var shownAt: [Venue: MonotonicTime] = [:]

  /// Makes the list for these venues; statuses of others are ignored.
  ///
  /// A venue of `closed` reads as stopped, with the reason given here, until it reports.
  public init(venues: [Venue] = Venue.allCases, closed: [Venue: String] = [:]) {
    state = StatusState(worst: .disconnected, order: venues, venues: [:])
    for (venue, reason) in closed {
      state.venues[venue] = VenueState(
        name: venue.displayName, phase: .stopped, connected: false, origin: .venue,
        since: nil, reconnects: 0, resyncs: 0, rejected: 0, reason: reason)
    }
  }

  /// Takes statuses, and timers to move ``VenueState/lastMessage``.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    switch input {
    case .connection(let status) where state.order.contains(status.venue):
      latest[status.venue] = status
      show(status, at: now)
      state.worst = worst()
    case .timer:
      for venue in state.order {
        if let status = latest[venue] { show(status, at: now) }
      }
    default: break
    }
    return []
  }

  /// Retries a venue that is not connected; does nothing for others.
  public mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect] {
    guard case .retry(let venue) = action, let shown = state.venues[venue], !shown.connected else {
      return []
    }
    // A stopped venue is started by its own screen, not by a retry.
    return shown.phase == .stopped ? [] : [.retryVenue(venue)]
  }

  private mutating func show(_ status: ConnectionStatus, at now: ClockReading) {
    let venue = status.venue
    var lastMessage = state.venues[venue]?.lastMessage
    let isDue = shownAt[venue].map {
      now.monotonic.milliseconds(since: $0) >= StatusScreen.lastMessageMilliseconds
    }
    if isDue ?? true, lastMessage != status.lastMessage?.wall {
      lastMessage = status.lastMessage?.wall
      shownAt[venue] = now.monotonic
    }
    state.venues[venue] = VenueState(
      name: venue.displayName, phase: status.phase,
      connected: status.phase.isConnected, origin: status.origin, since: since(status),
      lastMessage: lastMessage, roundTripMicroseconds: status.roundTripMicroseconds,
      delayMilliseconds: status.delayMilliseconds, reconnects: status.reconnects,
      resyncs: status.resyncs, rejected: status.rejectedMessages,
      skipped: status.skippedInstruments,
      dissents: status.dissents.sorted { $0.key < $1.key }.flatMap { symbol, dissents in
        dissents.map { VenueDissent(symbol: symbol, dissent: $0) }
      },
      nextAttempt: status.nextAttempt?.wall, reason: status.reason)
  }

  private func since(_ status: ConnectionStatus) -> Timestamp {
    guard let shown = state.venues[status.venue], let since = shown.since,
      StatusScreen.condition(shown.phase) == StatusScreen.condition(status.phase)
    else { return status.since.wall }
    return since
  }

  /// What a person would call the same: connected, meant to be connected, or not meant to be.
  private static func condition(_ phase: ConnectionPhase) -> Int {
    phase.isConnected ? 0 : phase.isOutage ? 1 : 2
  }

  private func worst() -> ConnectionIndicator {
    let words = latest.values.lazy.filter { $0.phase != .stopped && $0.phase != .idle }
      .map { ConnectionIndicator($0.phase) }
    if words.isEmpty || words.contains(.disconnected) { return .disconnected }
    return words.contains(.connecting) ? .connecting : .connected
  }
}
