public import MarketModel
import VenueCatalogue

/// A venue's connection as drawn.
public struct VenueState: Equatable, Sendable {
  /// The venue's display name.
  public internal(set) var name: String
  /// The connection's phase.
  public internal(set) var phase: ConnectionPhase
  /// Whether data can arrive.
  public internal(set) var connected: Bool
  /// Where the data comes from.
  public internal(set) var origin: DataOrigin
  /// Since when it has been connected, without a connection, or stopped; nil for a closed venue.
  ///
  /// All attempts of one outage count as one period.
  public internal(set) var since: Timestamp?
  /// When the latest message arrived; updated at most once a second.
  public internal(set) var lastMessage: Timestamp?
  /// The round-trip time of a ping, in microseconds.
  public internal(set) var roundTripMicroseconds: Int64?
  /// The venue's response delay in milliseconds, while it makes all data late.
  public internal(set) var delayMilliseconds: Int64?
  /// The number of reconnects since the start.
  public internal(set) var reconnects: Int
  /// The number of books refetched since the start.
  public internal(set) var resyncs: Int
  /// The number of messages rejected since the start.
  public internal(set) var rejected: Int
  /// The number of skipped instruments in the venue's list.
  public internal(set) var skipped = 0
  /// Streams whose prices differ from the displayed ones, by symbol, alphabetically.
  public internal(set) var dissents: [VenueDissent] = []
  /// When the next attempt is due; only during back-off.
  public internal(set) var nextAttempt: Timestamp?
  /// Why the connection is not live, as text for the user.
  public internal(set) var reason: Sentence?
}

/// A stream of a venue whose price differs from the displayed one.
public struct VenueDissent: Hashable, Sendable {
  /// The instrument.
  public let symbol: Symbol
  /// The stream and its price.
  public let dissent: WitnessDissent
}

/// All connections: topic `status` of docs/page-protocol.md.
public struct StatusState: Equatable, Sendable {
  /// The worst indicator of the venues that should be connected; see ``StatusScreen``.
  public internal(set) var worst: ConnectionIndicator
  /// The venues in display order.
  public internal(set) var order: [Venue]
  /// Those of ``order`` that have reported.
  public internal(set) var venues: [Venue: VenueState]
}

/// The status chip and its details: all venues' connections and the worst of them.
///
/// A stopped or never started venue is not a fault: it does not affect the worst indicator while
/// another venue should be connected. If none should, the indicator is "disconnected". On its own
/// screen (``FeedScreen``) a stopped venue always reads "disconnected".
public struct StatusScreen: Screen {
  /// A user action.
  public enum Action: Hashable, Sendable {
    /// Connect now instead of after the back-off.
    case retry(Venue)
  }

  /// The minimum interval between updates of ``VenueState/lastMessage``.
  public static let lastMessageMilliseconds: Int64 = 1000

  /// The current connections.
  public private(set) var state: StatusState
  /// None: statuses arrive without a subscription.
  public let wanted: Set<MarketKey> = []

  private var latest: [Venue: ConnectionStatus] = [:]
  private var shownAt: [Venue: MonotonicTime] = [:]

  /// Creates the list for these venues; statuses of others are ignored.
  ///
  /// A `closed` venue reads as stopped, for the given reason, until it reports.
  public init(venues: [Venue] = Venue.allCases, closed: [Venue: Sentence] = [:]) {
    state = StatusState(worst: .disconnected, order: venues, venues: [:])
    for (venue, reason) in closed {
      state.venues[venue] = VenueState(
        name: venue.displayName, phase: .stopped, connected: false, origin: .venue,
        since: nil, reconnects: 0, resyncs: 0, rejected: 0, reason: reason)
    }
  }

  /// Applies statuses, and timers that update ``VenueState/lastMessage``.
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

  /// Retries a venue that is not connected; ignored for others.
  public mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect] {
    guard case .retry(let venue) = action, let shown = state.venues[venue], !shown.connected else {
      return []
    }
    // A stopped venue is started on its own screen, not by a retry.
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

  /// Connected, meant to be connected, or not meant to be.
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
