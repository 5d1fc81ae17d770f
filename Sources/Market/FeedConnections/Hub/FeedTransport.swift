// The seam between the hub and its sockets, so that the hub runs in tests without any.

package import MarketModel
package import MarketStreams
package import NIOCore
package import SocketTransport
package import VenueProtocols

/// What happens on a transport; nothing follows ``ended(_:)``.
package enum TransportEvent: Sendable {
  /// TCP is connected.
  case connected
  /// The other side has accepted us and said where its data comes from; nil where it did not: then
  /// the address tells.
  case accepted(DataOrigin?)
  /// Messages can be sent.
  case opened
  /// A message, or for TCP any bytes.
  case message(ByteBuffer, MessageKind)
  /// Some sign of life that is no message.
  case alive
  /// The process that reads for this one has said what its time is.
  case readerTime(ReaderTime)
  /// A heartbeat was answered.
  case pong(roundTripMicroseconds: Int64?)
  /// A numbered ping was answered.
  case numberedPong(Int64)
  /// How long the venue's answers take its reader, in milliseconds, where that is too long for
  /// anything to be live; nil where it is not.
  case readerDelay(Int64?)
  /// The transport is gone, or was never made.
  case ended(ConnectionProblem)
}

/// A connection or an attempt at one; used on the hub's event loop only.
package protocol FeedTransport: AnyObject {
  /// Sends a message; dropped when the transport is not open.
  func send(_ message: OutboundMessage)
  /// Sends a WebSocket ping; nothing where there is no such thing.
  func ping()
  /// Sends a WebSocket ping with a number, which ``TransportEvent/numberedPong(_:)`` tells; nothing
  /// where there is no such thing.
  func ping(number: Int64)
  /// Ends it. No event follows, not even `ended`.
  ///
  /// - Returns: done when the socket is gone.
  func close(code: UInt16, reason: String) -> EventLoopFuture<Void>
  /// How long ago the latest bytes were read, in nanoseconds; 0 where nothing is read.
  var nanosecondsSinceRead: Int64 { get }
  /// How the message came here that is being delivered.
  var way: MessageWay { get }
  /// The streams that the session is to have from now on, for a transport that others share: told
  /// once it is made, and whenever they change.
  func want(_ subscriptions: Set<Subscription>)
}

extension FeedTransport {
  package func want(_ subscriptions: Set<Subscription>) {}
  package func ping(number: Int64) {}
  package var nanosecondsSinceRead: Int64 { 0 }
  package var way: MessageWay { .direct }
}

/// How a message came here.
package enum MessageWay: Sendable {
  /// From the venue, by a connection of this process.
  case direct
  /// From a reader, as part of what it knows: when the venue said it is not known.
  case copied
  /// From a reader, which read it at the venue.
  case relayed(RelayedMessage)

  /// Whether this process has the venue's connection.
  var isDirect: Bool { if case .direct = self { true } else { false } }
}

/// What a transport needs to know.
package struct TransportRequest: Sendable {
  package let venue: Venue
  package let endpoint: Endpoint
  let headers: HeaderFields
  package let options: ClientOptions
}

/// Opens a transport; called on the event loop, to which all its events are delivered, never from
/// within the call itself.
package typealias FeedConnector =
  @Sendable (
    TransportRequest, any EventLoop, @escaping (TransportEvent) -> Void
  ) -> any FeedTransport
