// The three words that people read about a connection (PT3); the ten phases stay for the details.

public import MarketModel

/// A connection in one word.
public enum ConnectionWord: String, Hashable, Sendable {
  /// Data can flow.
  case connected
  /// An attempt is under way.
  case connecting
  /// Nothing flows and no attempt is under way at this moment.
  case disconnected

  /// The word for a phase.
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
