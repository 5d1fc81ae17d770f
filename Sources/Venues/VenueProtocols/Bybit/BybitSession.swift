public import MarketModel
public import OrderBook
import WireJSON

/// Bybit's public WebSocket v5 of spot pairs, without the socket.
///
/// The venue does not greet: streams are subscribed at once. A JSON ping is sent after 5 s of
/// silence, and the connection counts as dead after 5 s more.
public struct BybitSession: BookVenueSession {
  typealias Rules = BybitRules
  var session: BookSession<BybitRules>

  /// A session that is down and has no streams.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}

/// Market data from recorded Bybit messages, without a connection.
///
/// A book whose numbers break is `.resyncing` and keeps its last rows until the recording contains
/// the next snapshot.
public struct BybitReplay: BookReplay {
  typealias Rules = BybitRules
  var market: BookMarket<BybitRules>
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

extension BybitSession {
  /// Milliseconds.
  public var timeResolutionNanoseconds: Int64? { 1_000_000 }

  /// The engine's time of an update of a book (`cts`), or the venue's of trades (`ts`).
  public func times(in bytes: Span<UInt8>) -> VenueTimes? {
    guard bytes.count <= RowTimes.maximumBytes, bytes.count > 0, bytes[0] == UInt8(ascii: "{")
    else { return nil }
    return try? BybitSession.latest(bytes).map(VenueTimes.event)
  }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var (isTrade, isDelta) = (false, false)
    var (sent, made): (Timestamp?, Timestamp?)
    var range = 0..<0
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "topic") {
        let topic = try cursor.string(bytes)
        isTrade = topic.count > 12 && JSONText.equals(bytes, topic.prefix(12), "publicTrade.")
      } else if JSONText.equals(bytes, key, "type") {
        isDelta = try cursor.shortString(bytes, &range) == BybitKeyCode.delta
      } else if JSONText.equals(bytes, key, "ts") {
        sent = try cursor.milliseconds(bytes)
      } else if JSONText.equals(bytes, key, "cts") {
        made = try cursor.milliseconds(bytes)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return isTrade ? sent : isDelta ? made : nil
  }
}

extension VenueAdapter {
  static let bybit = VenueAdapter(
    history: .bybit,
    traits: [MessageTrait(name: "restart of a book's numbers", text: #""u":1,"#)],
    numbers: StreamNumberPlace(stream: "topic", numbers: ["ts"]),
    replay: .allInstruments { BybitReplay() },
    session: { BybitSession(origin: $0.origin) })
}
