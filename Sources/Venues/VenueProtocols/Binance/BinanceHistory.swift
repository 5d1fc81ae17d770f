import MarketModel
import VenueCatalogue
import WireJSON

extension VenueHistory {
  static let binance = VenueHistory(
    publicAddress: "https://data-api.binance.vision", simulatedPath: "/binance",
    intervals: BinanceHistory.intervals, givesTrades: false,
    maximumBytes: BinanceHistory.maximumBytes, nameLists: [], statesCondition: false,
    target: { request, name, now in BinanceHistory.path(request, name, at: now) },
    read: { BinanceHistory.read($0, $1, status: $2, $3) })
}

/// Binance's candles over REST: oldest first, the forming one last, with the number of trades.
///
/// Trades are not requested: `trades` has the latest 1000 alone at the host without an account.
enum BinanceHistory {
  /// 1,000 rows have about 170 kB.
  static let maximumBytes = 1 << 20
  static let maximumRows = 1000
  static let intervals: [CandleInterval] = [
    .minute, .fiveMinutes, .fifteenMinutes, .hour, .fourHours, .day,
  ]

  /// No request names a span: without one the venue sends the latest rows.
  static func path(_ request: HistoryRequest, _ name: String, at now: Timestamp) -> String? {
    guard case .candles(let interval) = request, let text = text(interval), isName(name) else {
      return nil
    }
    return "/api/v3/klines?symbol=\(name)&interval=\(text)&limit=\(maximumRows)"
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    guard body.count <= maximumBytes else { return .failure(.badAnswer("\(body.count) bytes")) }
    guard status == 200 else { return .failure(failure(status, body)) }
    guard case .candles(let interval) = request, text(interval) != nil else {
      return .failure(.unknownInstrument)
    }
    do throws(JSONError) {
      var cursor = JSONCursor()
      let rows = try cursor.list(body, atMost: maximumRows) { (cursor) throws(JSONError) in
        try row(body, interval, &cursor)
      }
      try cursor.finish(body)
      if let problem = CandleRows.problem(in: rows, of: interval, leavesOutEmpty: true) {
        return .failure(.badAnswer(problem))
      }
      // The last row is the forming one.
      return .success(
        .candles(VenueCandles(rows: rows, lastCommitted: rows.dropLast().last?.start)))
    } catch {
      return .failure(.unreadable(error))
    }
  }

  private static func failure(_ status: Int, _ body: Span<UInt8>) -> HistoryFailure {
    let (code, text) = (try? error(body)) ?? (nil, "")
    switch (status, code) {
    case (_, -1121): return .unknownInstrument
    case (418, _), (429, _), (_, -1003): return .rateLimited
    case (451, _): return .unavailable("HTTP 451: Binance rejects this location")
    case (403, _): return .unavailable("HTTP 403: Binance rejects this address or its requests")
    case (400..<500, let code?): return .badAnswer("Binance \(code): \(text)")
    default: return .status(status)
    }
  }

  private static func error(
    _ bytes: Span<UInt8>
  ) throws(JSONError) -> (code: Int64?, text: String) {
    var (code, text): (Int64?, String) = (nil, "")
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "code") {
        code = try cursor.wholeNumber(bytes)
      } else if JSONText.equals(bytes, key, "msg") {
        text = ForeignText.clean(try cursor.cutText(bytes))
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return (code, text)
  }

  private static func text(_ interval: CandleInterval) -> String? {
    switch interval {
    case .minute: "1m"
    case .fiveMinutes: "5m"
    case .fifteenMinutes: "15m"
    case .hour: "1h"
    case .fourHours: "4h"
    case .day: "1d"
    default: nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Symbol.maximumBytes
      && text.utf8.allSatisfy(BookInstrument.isNameByte)
  }

  /// `[1588740120000,"9033.34","9039.99","9032.75","9033.15","31.192968",1588740179999,"…",282,…]`:
  /// open time, open, high, low, close, volume, close time, value, number of trades.
  private static func row(
    _ bytes: Span<UInt8>, _ interval: CandleInterval, _ cursor: inout JSONCursor
  ) throws(JSONError) -> VenueCandle {
    let start = cursor.offset
    try cursor.beginArray(bytes)
    var first = true
    try cursor.requireElement(bytes, first: &first)
    let time = try cursor.integer(bytes)
    let open = try cursor.requireDecimal(bytes, first: &first).trimmed
    let high = try cursor.requireDecimal(bytes, first: &first).trimmed
    let low = try cursor.requireDecimal(bytes, first: &first).trimmed
    let close = try cursor.requireDecimal(bytes, first: &first).trimmed
    let volume = try cursor.requireDecimal(bytes, first: &first).trimmed
    try cursor.requireElement(bytes, first: &first)
    let end = try cursor.integer(bytes)
    try cursor.requireElement(bytes, first: &first)
    try cursor.skipValue(bytes)
    try cursor.requireElement(bytes, first: &first)
    let count = try cursor.count(bytes, upTo: Int64(Int32.max))
    try cursor.skipElements(bytes, first: &first)
    // Another interval's rows have another end.
    guard time >= 0, end &- time == interval.milliseconds - 1 else {
      throw JSONError(.wrongType, at: start)
    }
    return VenueCandle(
      start: time, open: open, high: high, low: low, close: close, volume: volume,
      count: Int32(count))
  }
}
