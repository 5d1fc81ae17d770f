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
    guard bytes.count <= RowTimes.maximumBytes, bytes.count > 0, bytes[0] == UInt8(ascii: "{")
    else { return nil }
    return try? BitMEXSession.latest(bytes).map(VenueTimes.event)
  }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var (isChange, isDated) = (false, false)
    var latest: Timestamp?
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "table") {
        let table = try cursor.string(bytes)
        isDated =
          JSONText.equals(bytes, table, "orderBookL2") || JSONText.equals(bytes, table, "trade")
          || JSONText.equals(bytes, table, "quote")
      } else if JSONText.equals(bytes, key, "action") {
        let action = try cursor.string(bytes)
        isChange =
          JSONText.equals(bytes, action, "insert") || JSONText.equals(bytes, action, "update")
      } else if JSONText.equals(bytes, key, "data"), isDated, isChange {
        latest = try RowTimes.latest(bytes, &cursor)
      } else {
        try cursor.skipValue(bytes)
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
