public import SocketTransport

/// `Livetape-Simulated: 1`, sent with every response of a simulated venue, also a WebSocket's 101.
public enum SimulationHeader {
  /// The header's name.
  public static let name = "Livetape-Simulated"
  /// Its only value.
  public static let value = "1"

  /// Whether a response with these headers comes from a simulated venue.
  public static func isIn(_ headers: HeaderFields) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() && $0.value == value }
  }
}
