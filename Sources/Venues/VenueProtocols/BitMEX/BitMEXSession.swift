public import MarketModel
import WireJSON

/// The BitMEX realtime WebSocket, without the socket.
///
/// The venue greets with a welcome. A text `ping` follows after 5 s of silence, the only
/// keep-alive; the connection counts as dead after 5 s more (the venue's rule). Unknown streams
/// have no value.
public struct BitMEXSession: BookVenueSession {
  typealias Rules = BitMEXRules
  var session: BookSession<BitMEXRules>

  /// A session that is down and has no streams.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}

// MARK: - Times

// From the rows of the tables.

extension BitMEXSession {
  /// Milliseconds.
  public var timeResolutionNanoseconds: Int64? { 1_000_000 }

  /// The times of changed rows of books, trades and quotes; older forms of the book have none.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? {
    RowTimes.event(in: bytes, BitMEXSession.latest)
  }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var (isChange, isDated) = (false, false)
    var latest: Timestamp?
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "table":
        let table = try cursor.string(bytes)
        isDated =
          JSONText.equals(bytes, table, "orderBookL2") || JSONText.equals(bytes, table, "trade")
          || JSONText.equals(bytes, table, "quote")
      case "action":
        let action = try cursor.string(bytes)
        isChange =
          JSONText.equals(bytes, action, "insert") || JSONText.equals(bytes, action, "update")
      case "data" where isDated && isChange: latest = try RowTimes.latest(bytes, &cursor)
      default: break
      }
    }
    return latest
  }
}

extension VenueAdapter {
  static let bitmex = VenueAdapter(
    history: .bitmex,
    numbers: StreamNumberPlace(
      stream: "table", rows: "data", symbol: "symbol", numbers: ["timestamp"]),
    replay: .allInstruments { BitMEXReplay() },
    session: { BitMEXSession(origin: $0.origin) })
}
