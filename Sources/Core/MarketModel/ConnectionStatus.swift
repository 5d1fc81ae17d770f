/// The phases of a connection.
public enum ConnectionPhase: String, CaseIterable, Hashable, Sendable {
  case idle
  case connecting
  /// The socket is open; TLS or the WebSocket upgrade is under way.
  case handshaking
  /// Waiting for the venue's welcome message.
  case awaitingReady
  case subscribing
  case live
  /// Open, but silent for longer than the venue's heartbeat allows.
  case stale
  /// Waiting before the next attempt, whose time is ``ConnectionStatus/nextAttempt``.
  case backingOff
  /// Stopped by the user.
  case stopped
  /// Refused by the venue for a reason that retrying does not change (a bad token).
  case refused

  /// Whether data can flow.
  public var isConnected: Bool {
    switch self {
    case .subscribing, .live: true
    default: false
    }
  }
}

/// One venue's connection at one moment.
public struct ConnectionStatus: Equatable, Sendable {
  /// The venue.
  public var venue: Venue
  /// The current phase.
  public var phase: ConnectionPhase
  /// When the phase began.
  public var since: ClockReading
  /// Where the data comes from.
  public var origin: DataOrigin
  /// When the latest message of any kind arrived.
  public var lastMessage: ClockReading?
  /// Time from a ping to its pong, in microseconds; nil until measured.
  public var roundTripMicroseconds: Int64?
  /// The response time in milliseconds while too long for live data; else nil.
  public var delayMilliseconds: Int64?
  /// Attempts to reconnect since the start.
  public var reconnects: Int
  /// Books found in doubt and refetched since the start.
  public var resyncs: Int
  /// Unreadable messages since the start; each was rejected whole.
  public var rejectedMessages: Int
  /// Instruments left out of the venue's latest list because their names or rows are invalid.
  public var skippedInstruments = 0
  /// Streams that contradict the displayed prices, by symbol; at most ``maximumDissents`` symbols.
  public var dissents: [Symbol: [WitnessDissent]] = [:]
  /// Whether the venue's latest answer to an attempt was that it rejects this location or address.
  public var rejectsLocation = false
  /// When the next attempt is due; only while backing off.
  public var nextAttempt: ClockReading?
  /// Why the connection is not live, for the user: what happened and what happens next.
  public var reason: Sentence?

  /// The limit of symbols in ``dissents``.
  public static let maximumDissents = 16

  /// Replaces a symbol's dissents; ignores new symbols beyond ``maximumDissents``.
  public mutating func note(_ dissents: [WitnessDissent], of symbol: Symbol) {
    let isKnown = self.dissents[symbol] != nil
    guard isKnown || self.dissents.count < Self.maximumDissents else { return }
    self.dissents[symbol] = dissents.isEmpty ? nil : dissents
  }

  /// Creates the status of a connection that has not been started.
  public init(venue: Venue, origin: DataOrigin, since: ClockReading) {
    self.venue = venue
    self.origin = origin
    self.since = since
    phase = .idle
    reconnects = 0
    resyncs = 0
    rejectedMessages = 0
  }
}
