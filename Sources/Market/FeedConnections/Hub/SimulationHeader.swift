// How a simulated venue says what it is, wherever it runs: a header of every answer, that of a
// WebSocket's upgrade as well. Hosts and ports tell nothing.

public import SocketTransport

/// `Livetape-Simulated: 1`.
public enum SimulationHeader {
  /// The header's name.
  public static let name = "Livetape-Simulated"
  /// Its only value.
  public static let value = "1"

  /// Whether an answer with these headers comes from a simulated venue.
  public static func isIn(_ headers: HeaderFields) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() && $0.value == value }
  }
}
