public import MarketModel
public import OrderBook
import WireJSON

/// Binance's spot streams, without the socket.
///
/// The venue does not greet: streams are subscribed at once. A request without effect is sent after
/// 5 s of silence, and the connection counts as dead after 5 s more. Snapshots and instruments come
/// over HTTP, one at a time, within half of the venue's budget for an address.
public struct BinanceSession: BookVenueSession {
  typealias Rules = BinanceRules
  var session: BookSession<BinanceRules>

  /// A session that is down and has no streams.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}

/// Market data from recorded Binance messages and responses, without a connection.
///
/// A book whose numbers break is `.resyncing` and keeps its last rows until the recording contains
/// the next snapshot.
public struct BinanceReplay: BookReplay {
  typealias Rules = BinanceRules
  var market: BookMarket<BinanceRules>
  /// Messages processed so far.
  public internal(set) var messages = 0
  /// Unreadable messages so far, each rejected as a whole.
  public internal(set) var rejectedMessages = 0

  /// Creates an empty replay; views state `origin` as the source of the data.
  public init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// The complete book of an instrument with its state hash; nil when it has not occurred.
  public func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.books.states[$0].book }
  }
}

// MARK: - Times

extension BinanceSession {
  /// Milliseconds.
  public var timeResolutionNanoseconds: Int64? { 1_000_000 }

  /// The time of an update of a book, or of a trade.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? {
    RowTimes.event(in: bytes, BinanceSession.eventTime)
  }

  private static func eventTime(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var isDated = false
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      switch JSONCursor.keyCode(bytes, key) {
      case BinanceKeyCode.stream:
        let name = JSONText.decode(bytes, try cursor.string(bytes).prefix(64))
        isDated = name.contains("@depth") || name.hasSuffix("@trade")
      case BinanceKeyCode.data where isDated: return try eventTime(ofData: bytes, &cursor)
      default: try cursor.skipValue(bytes)
      }
    }
    return nil
  }

  private static func eventTime(
    ofData bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Timestamp? {
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard JSONCursor.keyCode(bytes, key) == BinanceKeyCode.eventTime else {
        try cursor.skipValue(bytes)
        continue
      }
      let time = try cursor.integer(bytes)
      return (0...100_000_000_000_000).contains(time) ? Timestamp(milliseconds: time) : nil
    }
    return nil
  }
}

extension VenueAdapter {
  static let binance = VenueAdapter(
    history: .binance, numbersTrades: true, fetchesSnapshots: true,
    numbers: StreamNumberPlace(stream: "stream", rows: "data", numbers: ["u", "t", "E"]),
    replay: .allInstruments { BinanceReplay() },
    session: { BinanceSession(origin: $0.origin) })
}
