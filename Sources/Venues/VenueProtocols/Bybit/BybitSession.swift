import MarketModel
import OrderBook
import WireJSON

/// Bybit's public WebSocket v5 of one kind of markets, without the socket.
///
/// The venue does not greet: streams are subscribed at once. A JSON ping is sent after 5 s of
/// silence, and the connection counts as dead after 5 s more.
struct BybitSession<Rules: BybitRules>: BookVenueSession {
  var session: BookSession<Rules>

  /// A session that is down and has no streams.
  init(origin: DataOrigin) { session = BookSession(origin: origin) }
}

/// Market data from recorded Bybit messages, without a connection.
///
/// A book whose numbers break is `.resyncing` and keeps its last rows until the recording contains
/// the next snapshot.
struct BybitReplay<Rules: BybitRules>: BookReplay {
  var market: BookMarket<Rules>
  /// Messages processed so far.
  var messages = 0
  /// Unreadable messages so far, each rejected as a whole.
  var rejectedMessages = 0

  /// Creates an empty replay; views state `origin` as the source of the data.
  init(origin: DataOrigin = .replay) { market = Self.market(origin) }

  /// The complete book of an instrument with its state hash; nil when it has not occurred.
  func book(for symbol: Symbol) -> OrderBook? {
    market.known(symbol).map { market.books.states[$0].book }
  }
}

// MARK: - Times

extension BybitSession {
  /// Milliseconds.
  var timeResolutionNanoseconds: Int64? { 1_000_000 }

  /// The engine's time of an update of a book (`cts`), or the venue's of trades (`ts`).
  func times(in bytes: Span<UInt8>) -> VenueTimes? { RowTimes.event(in: bytes, Self.latest) }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var (isTrade, isDelta) = (false, false)
    var (sent, made): (Timestamp?, Timestamp?)
    var range = 0..<0
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "topic":
        let topic = try cursor.string(bytes)
        isTrade = topic.count > 12 && JSONText.equals(bytes, topic.prefix(12), "publicTrade.")
      case "type": isDelta = try cursor.shortString(bytes, &range) == BybitKeyCode.delta
      case "ts": sent = try cursor.milliseconds(bytes)
      case "cts": made = try cursor.milliseconds(bytes)
      default: break
      }
    }
    return isTrade ? sent : isDelta ? made : nil
  }
}

extension VenueAdapter {
  static let bybit = bybit(BybitSpot.self, history: .bybit)
  static let bybitLinear = bybit(BybitLinear.self, history: .bybitLinear)

  private static func bybit<Rules: BybitRules>(
    _ rules: Rules.Type, history: VenueHistory
  ) -> VenueAdapter {
    VenueAdapter(
      history: history,
      traits: [MessageTrait(name: "restart of a book's numbers", text: #""u":1,"#)],
      numbers: StreamNumberPlace(stream: "topic", numbers: ["ts"]),
      replay: .allInstruments { BybitReplay<Rules>() },
      session: { BybitSession<Rules>(origin: $0.origin) })
  }
}
