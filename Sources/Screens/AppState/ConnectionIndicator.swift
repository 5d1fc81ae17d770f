public import MarketModel
import MarketStreams

/// A connection's state as shown to users (PT3); the ten phases are the details.
public enum ConnectionIndicator: String, Hashable, Sendable {
  /// Data can arrive.
  case connected
  /// An attempt is in progress.
  case connecting
  /// No data arrives and no attempt is in progress.
  case disconnected

  /// The state as text for the user.
  public var name: Sentence {
    switch self {
    case .connected: "Connected"
    case .connecting: "Connecting…"
    case .disconnected: "Disconnected"
    }
  }

  /// The indicator for a phase; an open but silent socket is not "connected".
  public init(_ phase: ConnectionPhase) {
    switch phase {
    case .subscribing, .live: self = .connected
    case .connecting, .handshaking, .awaitingReady: self = .connecting
    case .idle, .stale, .backingOff, .stopped, .refused: self = .disconnected
    }
  }
}

extension VenueLink {
  /// The connection's indicator; disconnected before the first status.
  var word: ConnectionIndicator { phase.map(ConnectionIndicator.init) ?? .disconnected }

  /// Whether the connection is down: it was up before, or no attempt is in progress.
  ///
  /// The first attempt is not an outage.
  var isDown: Bool {
    guard let phase, !phase.isConnected else { return false }
    return wasEverUp || (phase != .idle && word == .disconnected)
  }
}
