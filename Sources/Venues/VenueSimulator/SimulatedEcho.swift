// The WebSocket echo that the price tracker runs on: what wss://ws.postman-echo.com/raw does.

public import MarketModel

/// Sends every message back to its sender, unchanged and of the same kind.
///
/// Greets nobody, keeps nothing.
public struct SimulatedEcho: SimulatedVenue {
  /// The longest message that is echoed, in bytes; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 1 << 20

  /// Makes an echo.
  public init() {}

  /// Sends no greeting.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] { [] }

  /// Echoes the message.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard bytes.count <= SimulatedEcho.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    return [.send(to: [client], bytes: bytes, binary: binary)]
  }

  /// Has nothing to forget.
  public mutating func disconnect(_ client: ClientID) {}

  /// Does nothing by itself.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] { [] }

  /// Always nil.
  public var nextEvent: Timestamp? { nil }
}
