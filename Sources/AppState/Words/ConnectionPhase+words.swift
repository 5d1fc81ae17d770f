// What the phases of a connection are called.

public import MarketModel

extension ConnectionPhase {
  /// The phase for people.
  public var word: String {
    switch self {
    case .idle: "Not started"
    case .connecting: "Connecting"
    case .handshaking: "Handshaking"
    case .awaitingReady: "Waiting for welcome"
    case .subscribing: "Subscribing"
    case .live: "Connected"
    case .stale: "No data"
    case .backingOff: "Disconnected"
    case .stopped: "Stopped"
    case .refused: "Refused"
    }
  }

  /// Whether it means an outage: what nobody started or somebody stopped is none.
  public var isOutage: Bool { !isConnected && self != .idle && self != .stopped }
}
