public import MarketModel
import WireJSON

/// Coinbase's Advanced Trade WebSocket, without the socket.
///
/// The venue sends nothing before the first request, so the session subscribes to the heartbeats as
/// soon as the connection is open; the first numbered message is the greeting. All messages of a
/// connection are numbered in one count. After a gap, or a message that can't be read and may have
/// been a book's, the session reconnects, because any book may have lost a change.
public struct CoinbaseSession: BookVenueSession {
  typealias Rules = CoinbaseRules
  var session: BookSession<CoinbaseRules>

  /// A session that is down and has no streams.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}

// MARK: - Times

// From updates of books and from trades.

extension CoinbaseSession {
  /// Microseconds.
  public var timeResolutionNanoseconds: Int64? { 1000 }

  /// The times in an update of books or trades; nil for snapshots and other messages.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? {
    guard bytes.count <= RowTimes.maximumBytes else { return nil }
    return try? CoinbaseSession.latest(bytes).map(VenueTimes.event)
  }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var isDated = false
    var latest: Timestamp?
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "channel") {
        let channel = try cursor.string(bytes)
        isDated =
          JSONText.equals(bytes, channel, "l2_data")
          || JSONText.equals(bytes, channel, "market_trades")
      } else if JSONText.equals(bytes, key, "events"), isDated {
        try cursor.beginArray(bytes)
        var firstEvent = true
        while try cursor.nextElement(bytes, first: &firstEvent) {
          guard let time = try event(bytes, &cursor) else { continue }
          latest = latest.map { max($0, time) } ?? time
        }
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return latest
  }

  /// The latest time of an event's rows; nil for a snapshot.
  private static func event(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Timestamp? {
    var isUpdate = false
    var latest: Timestamp?
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "type") {
        isUpdate = JSONText.equals(bytes, try cursor.string(bytes), "update")
      } else if JSONText.equals(bytes, key, "updates") {
        latest = try RowTimes.latest(bytes, &cursor, key: "event_time")
      } else if JSONText.equals(bytes, key, "trades") {
        latest = try RowTimes.latest(bytes, &cursor, key: "time")
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return isUpdate ? latest : nil
  }
}

extension VenueAdapter {
  static let coinbase = VenueAdapter(
    history: .coinbase, tickers: .coinbase,
    numbers: StreamNumberPlace(stream: "channel", numbers: ["sequence_num"]),
    replay: .allInstruments { CoinbaseReplay() },
    session: { CoinbaseSession(origin: $0.origin) })
}
