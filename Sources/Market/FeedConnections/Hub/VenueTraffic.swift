// What a venue has sent, in plain numbers: counted for each message, read when somebody asks.

/// Messages and bytes of one venue since the start of the hub.
package struct VenueTraffic: Equatable, Sendable {
  /// Messages of a WebSocket, reads of a plain TCP stream.
  package var frames: UInt64 = 0
  /// Their bytes, without what the transport adds.
  package var bytes: UInt64 = 0
}
