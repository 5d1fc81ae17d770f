// How a venue's connection is doing, in the words that screens need.

/// The phases of a connection's life.
public enum ConnectionPhase: String, CaseIterable, Hashable, Sendable {
  /// Not started.
  case idle
  /// Opening the socket.
  case connecting
  /// The socket is open; TLS or the WebSocket upgrade is under way.
  case handshaking
  /// Waiting for the venue's own greeting.
  case awaitingReady
  /// Asking for what is wanted.
  case subscribing
  /// Messages flow.
  case live
  /// Open, but silent for longer than the venue's heartbeat allows.
  case stale
  /// Waiting before the next attempt, whose time is ``ConnectionStatus/nextAttempt``.
  case backingOff
  /// Stopped by the person.
  case stopped
  /// The venue refused for a reason that trying again does not change (a bad token).
  case refused

  /// Connected in the person's sense: data can flow.
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
  /// Where in its life the connection is.
  public var phase: ConnectionPhase
  /// When the phase began.
  public var since: ClockReading
  /// Where the data comes from.
  public var origin: DataOrigin
  /// When the latest message came, of any kind.
  public var lastMessage: ClockReading?
  /// Time from a ping to its answer, in microseconds; nil where none was measured.
  public var roundTripMicroseconds: Int64?
  /// How long the venue takes to answer, in milliseconds, while that is too long for anything that
  /// it says to be live; nil otherwise, and where it is not known.
  ///
  /// Each message may have been on its way as long.
  public var delayMilliseconds: Int64?
  /// Attempts to reconnect since the start.
  public var reconnects: Int
  /// Books found doubtful and fetched anew since the start.
  public var resyncs: Int
  /// Messages that could not be read since the start; each was rejected whole.
  public var rejectedMessages: Int
  /// Instruments of the venue's latest list that are left out: their names can't be written here,
  /// or their rows can't be read.
  public var skippedInstruments = 0
  /// Streams that say other prices than those that are shown, by symbol: at most
  /// ``maximumDissents`` symbols.
  public var dissents: [Symbol: [WitnessDissent]] = [:]
  /// When the next attempt is due; only while backing off.
  public var nextAttempt: ClockReading?
  /// Why the connection is not live, for people: what stopped and what happens next.
  public var reason: String?

  /// Symbols whose dissents are kept.
  public static let maximumDissents = 16

  /// Takes what streams of a symbol say otherwise; without any they agree.
  ///
  /// Symbols beyond those that are kept are left out.
  public mutating func note(_ dissents: [WitnessDissent], of symbol: Symbol) {
    let isKnown = self.dissents[symbol] != nil
    guard isKnown || self.dissents.count < Self.maximumDissents else { return }
    self.dissents[symbol] = dissents.isEmpty ? nil : dissents
  }

  /// A connection that has not been started.
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
