// What a connection brings, for whoever hands it on to other processes.

package import MarketModel
package import NIOCore
package import VenueProtocols

/// A message that a session has taken.
package struct HeardMessage {
  /// As it came.
  package let payload: ByteBuffer
  package let kind: MessageKind
  /// Whether it was the venue's greeting.
  package let isGreeting: Bool
  /// How long before it was taken its bytes were read.
  package let nanosecondsSinceRead: Int64

  init(_ payload: ByteBuffer, _ kind: MessageKind, greets: Bool, nanosecondsSinceRead: Int64) {
    (self.payload, self.kind, isGreeting) = (payload, kind, greets)
    self.nanosecondsSinceRead = max(0, nanosecondsSinceRead)
  }
}

/// Hears a venue's connection on the hub's event loop, in order; each call after the session.
package struct VenueTap: Sendable {
  /// The transport is open, and the session about to be told.
  package let opened: @Sendable (DataOrigin, ClockReading) -> Void
  /// A message has been taken.
  package let heard: @Sendable (HeardMessage, ClockReading) -> Void
  /// The transport is gone, or given up.
  package let closed: @Sendable (ClockReading) -> Void

  package init(
    opened: @escaping @Sendable (DataOrigin, ClockReading) -> Void,
    heard: @escaping @Sendable (HeardMessage, ClockReading) -> Void,
    closed: @escaping @Sendable (ClockReading) -> Void
  ) {
    (self.opened, self.heard, self.closed) = (opened, heard, closed)
  }
}
