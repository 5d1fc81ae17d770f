public import MarketModel

/// A WebSocket echo like wss://ws.postman-echo.com/raw, for the price tracker: returns every
/// message to its sender, unchanged and of the same kind.
///
/// It sends no greeting and keeps no state.
public struct SimulatedEcho: SimulatedVenue {
  /// The longest message that is echoed, in bytes; a longer one closes the connection with 1009.
  public static let maximumMessageBytes = 1 << 20

  /// Creates an echo.
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

  /// Does nothing: there is no state.
  public mutating func disconnect(_ client: ClientID) {}

  /// Does nothing.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] { [] }

  /// Always nil.
  public var nextEvent: Timestamp? { nil }
}
