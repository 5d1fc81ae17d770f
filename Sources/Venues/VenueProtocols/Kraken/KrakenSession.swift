public import MarketModel
import WireJSON

/// Kraken's WebSocket v2, without the socket.
///
/// The venue greets with its status. Maintenance closes all streams until it ends, and then all are
/// resubscribed. Books and trades are subscribed once the instrument channel has listed their
/// precision, without which no checksum can be computed. A ping is sent after 5 s of silence, and
/// the connection counts as dead after 5 s more, because heartbeats come every second.
public struct KrakenSession: BookVenueSession {
  typealias Rules = KrakenRules
  var session: BookSession<KrakenRules>

  /// A session that is down and has no streams.
  public init(origin: DataOrigin) { session = BookSession(origin: origin) }
}

// MARK: - Times

// From book and trade updates and from pongs.

extension KrakenSession {
  /// Microseconds.
  public var timeResolutionNanoseconds: Int64? { 1000 }

  /// `{"method":"ping","req_id":N}`: its response has the number, `time_in` and `time_out`.
  public func clockPing(_ number: Int64) -> OutboundMessage? {
    OutboundMessage(text: #"{"method":"ping","req_id":\#(number)}"#)
  }

  /// The times in an update of books or trades, or in a response to ``clockPing(_:)``.
  public func times(in bytes: Span<UInt8>) -> VenueTimes? {
    guard bytes.count <= RowTimes.maximumBytes else { return nil }
    return try? KrakenTimes(bytes).times
  }
}

private struct KrakenTimes {
  private var isPong = false
  private var number: Int64?
  private var got: Timestamp?
  private var answered: Timestamp?
  private var isUpdate = false
  private var isDated = false
  private var latest: Timestamp?

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "method": isPong = JSONText.equals(bytes, try cursor.string(bytes), "pong")
      case "channel":
        let channel = try cursor.string(bytes)
        isDated =
          JSONText.equals(bytes, channel, "book") || JSONText.equals(bytes, channel, "trade")
      case "type": isUpdate = JSONText.equals(bytes, try cursor.string(bytes), "update")
      case "data" where isDated: latest = try RowTimes.latest(bytes, &cursor)
      case "req_id": number = try cursor.integer(bytes)
      case "time_in": got = try cursor.timestamp(bytes)
      case "time_out": answered = try cursor.timestamp(bytes)
      default: break
      }
    }
  }

  var times: VenueTimes? {
    if isPong {
      guard let number, let got, let answered else { return nil }
      return .pong(number: number, got: got, answered: answered)
    }
    return isUpdate && isDated ? latest.map(VenueTimes.event) : nil
  }
}

extension VenueAdapter {
  static let kraken = VenueAdapter(
    history: .kraken, warnings: { KrakenResponse.warnings($0) }, tickers: .kraken,
    numbers: StreamNumberPlace(
      stream: "channel", rows: "data", symbol: "symbol", numbers: ["timestamp"]),
    replay: .allInstruments { KrakenReplay() }, session: { KrakenSession(origin: $0.origin) })
}
