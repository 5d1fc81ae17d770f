package import MarketModel
package import NIOCore
package import VenueProtocols

/// A raw message for relaying to other processes, after the session has applied it.
package struct HeardMessage {
  /// The payload as received.
  package let payload: ByteBuffer
  package let kind: MessageKind
  /// Whether it was the venue's welcome message.
  package let isGreeting: Bool
  /// How long before its handling its bytes were read.
  package let nanosecondsSinceRead: Int64

  init(_ payload: ByteBuffer, _ kind: MessageKind, greets: Bool, nanosecondsSinceRead: Int64) {
    (self.payload, self.kind, isGreeting) = (payload, kind, greets)
    self.nanosecondsSinceRead = max(0, nanosecondsSinceRead)
  }
}

/// Receives a connection's events for relaying, on the hub's event loop, after the session.
package struct VenueTap: Sendable {
  /// The transport is open; the session is notified next.
  package let opened: @Sendable (DataOrigin, ClockReading) -> Void
  /// A message was applied.
  package let heard: @Sendable (HeardMessage, ClockReading) -> Void
  /// The transport ended or was closed.
  package let closed: @Sendable (ClockReading) -> Void

  package init(
    opened: @escaping @Sendable (DataOrigin, ClockReading) -> Void,
    heard: @escaping @Sendable (HeardMessage, ClockReading) -> Void,
    closed: @escaping @Sendable (ClockReading) -> Void
  ) {
    (self.opened, self.heard, self.closed) = (opened, heard, closed)
  }
}
