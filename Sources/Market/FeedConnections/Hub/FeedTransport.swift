package import MarketModel
package import MarketStreams
package import NIOCore
package import SocketTransport
package import VenueProtocols

/// An event of a transport; ``ended(_:)`` is the last.
package enum TransportEvent: Sendable {
  case connected
  /// The peer has accepted the connection and declared its origin; nil for the address's origin.
  case accepted(DataOrigin?)
  case opened
  /// A message, or any bytes for TCP.
  case message(ByteBuffer, MessageKind)
  /// A sign of life that is not a message.
  case alive
  /// The remote reader's clock reading.
  case readerTime(ReaderTime)
  case pong(roundTripMicroseconds: Int64?)
  case numberedPong(Int64)
  /// The venue's response time to its reader, in milliseconds, while too long; else nil.
  case readerDelay(Int64?)
  /// The transport ended, or was never opened.
  case ended(ConnectionProblem)
}

/// A connection or a connection attempt; used on the hub's event loop only.
package protocol FeedTransport: AnyObject {
  /// Sends a message; dropped unless the transport is open.
  func send(_ message: OutboundMessage)
  func ping()
  /// Sends a WebSocket ping, for ``TransportEvent/numberedPong(_:)``; ignored by other transports.
  func ping(number: Int64)
  /// Closes the transport and completes when its socket is closed; no event follows, not even
  /// `ended`.
  func close(code: UInt16, reason: String) -> EventLoopFuture<Void>
  /// How long ago the latest bytes were read, in nanoseconds; 0 if nothing is read.
  var nanosecondsSinceRead: Int64 { get }
  /// The origin of the message being delivered.
  var way: MessageWay { get }
  /// Requests over HTTP; the outcome follows as a text message (``FetchedResponse``).
  func fetch(_ request: FetchRequest)
  /// Sets the session's streams, for a shared transport; called after creation and on each change.
  func want(_ subscriptions: Set<Subscription>)
}

extension FeedTransport {
  package func want(_ subscriptions: Set<Subscription>) {}
  package func fetch(_ request: FetchRequest) {}
  package func ping(number: Int64) {}
  package var nanosecondsSinceRead: Int64 { 0 }
  package var way: MessageWay { .direct }
}

/// How a message arrived.
package enum MessageWay: Sendable {
  /// From the venue, over this process's connection.
  case direct
  /// From a reader's checkpoint; the venue's send time is unknown.
  case copied
  /// From a reader, which received it from the venue.
  case relayed(RelayedMessage)

  /// Whether this process has the venue's connection.
  var isDirect: Bool { if case .direct = self { true } else { false } }
}

/// The parameters of a transport.
package struct TransportRequest: Sendable {
  package let venue: Venue
  package let endpoint: Endpoint
  /// The base address of the session's requests over HTTP; nil without one.
  package let requests: Endpoint?
  package let headers: HeaderFields
  package let options: ClientOptions
}

/// Opens a transport on the event loop, which receives all events, but never within the call.
package typealias FeedConnector =
  @Sendable (
    TransportRequest, any EventLoop, @escaping (TransportEvent) -> Void
  ) -> any FeedTransport
