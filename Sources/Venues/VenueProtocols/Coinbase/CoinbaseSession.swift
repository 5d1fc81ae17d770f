public import MarketModel
public import OrderBook
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
    RowTimes.event(in: bytes, CoinbaseSession.latest)
  }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var isDated = false
    var latest: Timestamp?
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "channel":
        let channel = try cursor.string(bytes)
        isDated =
          JSONText.equals(bytes, channel, "l2_data")
          || JSONText.equals(bytes, channel, "market_trades")
      case "events" where isDated:
        try cursor.elements(bytes) { (cursor) throws(JSONError) in
          guard let time = try event(bytes, &cursor) else { return }
          latest = latest.map { max($0, time) } ?? time
        }
      default: break
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
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "type": isUpdate = JSONText.equals(bytes, try cursor.string(bytes), "update")
      case "updates": latest = try RowTimes.latest(bytes, &cursor, key: "event_time")
      case "trades": latest = try RowTimes.latest(bytes, &cursor, key: "time")
      default: break
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

/// Market data from recorded Coinbase messages, without a connection.
///
/// The number 0 starts a new connection: books and tapes wait for their snapshots again. After
/// missing numbers a book continues to apply updates, because no new snapshot can be requested; its
/// status is `.resyncing` until the recording contains the next one.
public struct CoinbaseReplay: BookReplay {
  typealias Rules = CoinbaseRules
  var market: BookMarket<CoinbaseRules>
  /// Messages processed so far.
  public internal(set) var messages = 0
  /// Unreadable messages so far, each rejected as a whole.
  public internal(set) var rejectedMessages = 0

  /// Creates an empty replay; views state `origin` as the source of the data.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// The complete book of a product with its state hash; nil when the product has not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.books.states[$0].book }
  }
}
