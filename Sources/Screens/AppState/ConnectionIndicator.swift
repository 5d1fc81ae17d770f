// Connected, connecting or disconnected, as shown to users (PT3); the ten phases are the details.

public import MarketModel
import MarketStreams

/// A connection's state as shown to users.
public enum ConnectionIndicator: String, Hashable, Sendable {
  /// Data can flow.
  case connected
  /// An attempt is under way.
  case connecting
  /// Nothing flows and no attempt is under way at this moment.
  case disconnected

  /// The indicator for a phase.
  ///
  /// An open but silent socket brings nothing, so it is not "connected".
  public init(_ phase: ConnectionPhase) {
    switch phase {
    case .subscribing, .live: self = .connected
    case .connecting, .handshaking, .awaitingReady: self = .connecting
    case .idle, .stale, .backingOff, .stopped, .refused: self = .disconnected
    }
  }
}

extension VenueLink {
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
}
