/// Messages and bytes received from one venue since the start of the hub.
package struct VenueTraffic: Equatable, Sendable {
  /// WebSocket messages, or reads of a TCP stream.
  package var frames: UInt64 = 0
  /// Their bytes, without transport overhead.
  package var bytes: UInt64 = 0
}
