public import MarketModel
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
    guard bytes.count <= RowTimes.maximumBytes, bytes.count > 0, bytes[0] == UInt8(ascii: "{")
    else { return nil }
    return try? OKXSession.latest(bytes).map(VenueTimes.event)
  }

  private static func latest(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp? {
    var (isBook, isDated, isUpdate) = (false, false, false)
    var latest: Timestamp?
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      switch JSONCursor.keyCode(bytes, key) {
      case OKXKeyCode.arg:
        try cursor.beginObject(bytes)
        var (firstMember, range) = (true, 0..<0)
        while let member = try cursor.nextKey(bytes, first: &firstMember) {
          guard JSONCursor.keyCode(bytes, member) == OKXKeyCode.channel else {
            try cursor.skipValue(bytes)
            continue
          }
          let code = try cursor.shortString(bytes, &range)
          isBook = code == OKXKeyCode.books
          isDated = isBook || code == OKXKeyCode.trades || code == OKXKeyCode.bestLevels
        }
      case OKXKeyCode.action:
        var range = 0..<0
        isUpdate = try cursor.shortString(bytes, &range) == OKXKeyCode.update
      case OKXKeyCode.data where isDated && (!isBook || isUpdate):
        latest = try RowTimes.latest(bytes, &cursor, key: "ts", inMilliseconds: true)
      default: try cursor.skipValue(bytes)
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
