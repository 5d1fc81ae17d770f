// Kraken's WebSocket v2 without the socket: the kernel of book venues under Kraken's rules.

public import MarketModel

/// Kraken's WebSocket v2, without the socket.
///
/// The venue greets with its status; maintenance closes all streams until it ends, and then all is
/// asked for anew. Books and trades are asked for once the instrument channel has named their
/// precision, without which no checksum can be computed. A ping is sent after 5 s of silence, dead
/// after 5 s more: heartbeats come every second.
public struct KrakenSession: BookVenueSession {
  typealias Rules = KrakenRules
  var session: BookSession<KrakenRules>

  /// A session that is down and wants nothing.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}
