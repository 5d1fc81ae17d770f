public import MarketModel
public import OrderBook
import WireJSON

/// OKX's public WebSocket v5, without the socket.
///
/// The venue does not greet: streams are subscribed at once. A text `ping` is sent after 5 s of
/// silence, and the connection counts as dead after 5 s more. The venue's notice of an upgrade
/// leads to a new connection.
public struct OKXSession: BookVenueSession {
  typealias Rules = OKXRules
  var session: BookSession<OKXRules>

  /// A session that is down and has no streams.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}

// MARK: - Times

extension OKXSession {
  /// Milliseconds.
  public var timeResolutionNanoseconds: Int64? { 1_000_000 }

  /// The time of an update of a book, or of trades.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? {
    RowTimes.event(in: bytes, OKXSession.latest)
  }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var (isBook, isDated, isUpdate) = (false, false, false)
    var latest: Timestamp?
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "arg":
        try cursor.object(bytes) { (key, cursor) throws(JSONError) in
          guard case "channel" = key else { return }
          var range = 0..<0
          let code = try cursor.shortString(bytes, &range)
          isBook = code == OKXKeyCode.books
          isDated = isBook || code == OKXKeyCode.trades || code == OKXKeyCode.bestLevels
        }
      case "action":
        var range = 0..<0
        isUpdate = try cursor.shortString(bytes, &range) == OKXKeyCode.update
      case "data" where isDated && (!isBook || isUpdate):
        latest = try RowTimes.latest(bytes, &cursor, key: "ts", inMilliseconds: true)
      default: break
      }
    }
    return latest
  }
}

extension VenueAdapter {
  static let okx = VenueAdapter(
    history: .okx, fetchesSnapshots: true,
    traits: [
      MessageTrait(name: "snapshot in the stream", text: #""action":"snapshot""#),
      MessageTrait(name: "checksum key", text: #""checksum":"#),
    ],
    numbers: StreamNumberPlace(stream: "arg", rows: "data", numbers: ["ts"]),
    replay: .allInstruments { OKXReplay() },
    session: { OKXSession(origin: $0.origin) })
}

/// Market data from recorded OKX messages, without a connection.
///
/// A book whose chain of numbers breaks is `.resyncing` and keeps its last rows until the recording
/// contains the next snapshot. Updates without numbers, as before 2023, are checked by their
/// checksums.
public struct OKXReplay: BookReplay {
  typealias Rules = OKXRules
  var market: BookMarket<OKXRules>
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
