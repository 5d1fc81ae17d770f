public import MarketModel

extension ConnectionPhase {
  /// The phase as text for the user.
  public var word: String {
    switch self {
    case .idle: "Not started"
    case .connecting: "Connecting"
    case .handshaking: "Securing connection"
    case .awaitingReady: "Waiting for the venue"
    case .subscribing: "Subscribing"
    case .live: "Connected"
    case .stale: "No data"
    case .backingOff: "Disconnected"
    case .stopped: "Stopped"
    case .refused: "Refused"
    }
  }

  /// Whether it is an outage; a feed that was never started or was stopped has none.
  public var isOutage: Bool { !isConnected && self != .idle && self != .stopped }
}

extension DataOrigin {
  /// The badge beside values; nil for a real venue.
  public var badge: String? {
    switch self {
    case .venue: nil
    case .simulated: "Simulated"
    case .replay: "Replay"
    case .custom: "Custom address"
    }
  }

  /// The badge inside of a line.
  public var note: Sentence? {
    switch self {
    case .venue: nil
    case .simulated: "simulated"
    case .replay: "replay"
    case .custom: "custom address"
    }
  }

  /// An explanation of the badge if the word is not enough.
  public var explanation: String? {
    switch self {
    case .venue, .replay: nil
    case .simulated: "Made by Livetape's own simulator: not a real market"
    case .custom: "From an address that was given, not the venue's public one"
    }
  }
}

extension FreshnessState {
  /// The state as text for the user.
  public var word: String {
    switch self {
    case .waiting: "Waiting"
    case .queued: "Waiting: too many streams open"
    case .live: "Live"
    case .late: "Late"
    case .stale: "Stale"
    case .resyncing: "Resyncing"
    case .disconnected: "Disconnected"
    case .closed: "Market closed"
    }
  }

  /// The state inside of a sentence.
  public var phrase: Sentence {
    switch self {
    case .waiting: "waiting"
    case .queued: "waiting: too many streams open"
    case .live: "live"
    case .late: "late"
    case .stale: "stale"
    case .resyncing: "resyncing"
    case .disconnected: "disconnected"
    case .closed: "market closed"
    }
  }

  /// Whether an arrow and a flash may accompany the value: only while it is in time.
  public var showsMovement: Bool { self == .live || self == .late }

  /// Whether to dim the value because it may be outdated.
  public var isDimmed: Bool {
    switch self {
    case .live, .late, .closed: false
    case .waiting, .queued, .stale, .resyncing, .disconnected: true
    }
  }

  var showsAge: Bool { isDimmed && self != .waiting && self != .queued || self == .late }
}

extension Side {
  /// The word on buttons and in titles.
  public var word: String {
    switch self {
    case .buy: "Buy"
    case .sell: "Sell"
    }
  }
}
