// BitMEX's realtime protocol without the socket: the kernel of book venues under BitMEX's rules.

public import MarketModel

/// The BitMEX realtime WebSocket, without the socket.
///
/// The venue greets with a welcome and needs no keep-alive but a text `ping` after 5 s of silence;
/// it is dead after 5 s more (the venue's rule). A stream that it does not know has no value.
public struct BitMEXSession: BookVenueSession {
  typealias Rules = BitMEXRules
  var session: BookSession<BitMEXRules>

  /// A session that is down and wants nothing.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}
