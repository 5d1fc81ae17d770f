import MarketModel
import VenueCatalogue
import WireJSON

extension VenueHistory {
  static let bitmex = VenueHistory(
    publicAddress: nil, simulatedPath: "/bitmex", intervals: BitMEXHistory.intervals,
    givesTrades: false, maximumBytes: BitMEXHistory.maximumBytes, nameLists: [],
    statesCondition: false,
    target: { request, name, _ in BitMEXHistory.path(request, name) },
    read: { BitMEXHistory.read($0, $1, status: $2, $3) })
}

/// The simulated venue's history over REST (`trade/bucketed`): candles dated by their end.
enum BitMEXHistory {
  /// A thousand buckets have about 300 kB.
  static let maximumBytes = 2 << 20
  private static let bins: [(interval: CandleInterval, text: String)] = [
    (.minute, "1m"), (.fiveMinutes, "5m"), (.hour, "1h"), (.day, "1d"),
  ]
  static let intervals = bins.map(\.interval)
  private static let maximumRows = 1000

  static func path(_ request: HistoryRequest, _ name: String) -> String? {
    guard case .candles(let interval) = request, let bin = interval.text(in: bins),
      BookInstrument.isName(name[...])
    else {
      return nil
    }
    return "/api/v1/trade/bucketed?binSize=\(bin)&partial=false&symbol=\(name)"
      + "&count=\(maximumRows)&reverse=true"
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    if status == 404 { return .failure(.unknownInstrument) }
    return HistoryFailure.read(body, status: status, atMost: maximumBytes) {
      (body) throws(JSONError) in
      guard case .candles(let interval) = request, interval.text(in: bins) != nil else {
        return .failure(.unknownInstrument)
      }
      var rows = try rows(interval, name, body)
      if let first = rows.first, let last = rows.last, first.start > last.start { rows.reverse() }
      if let problem = CandleRows.problem(in: rows, of: interval, mayBeNegative: true) {
        return .failure(.badAnswer(problem))
      }
      return .success(.candles(VenueCandles(rows: rows, lastCommitted: rows.last?.start)))
    }
  }

  private static func rows(
    _ interval: CandleInterval, _ name: String, _ bytes: Span<UInt8>
  ) throws(JSONError) -> [VenueCandle] {
    var cursor = JSONCursor()
    let rows = try cursor.list(bytes, atMost: maximumRows) { (cursor) throws(JSONError) in
      let start = cursor.offset
      var fields = BucketFields()
      try fields.read(bytes, &cursor)
      guard let row = fields.candle(of: interval, name) else {
        throw JSONError(.missingKey, at: start)
      }
      return row
    }
    try cursor.finish(bytes)
    return rows
  }
}

private struct BucketFields {
  private var symbol: String?
  private var end: Timestamp?
  private var (open, high, low, close): (FixedDecimal?, FixedDecimal?, FixedDecimal?, FixedDecimal?)
  private var volume: FixedDecimal?
  private var count: Int64?

  init() {}

  mutating func read(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "open": open = try cursor.looseDecimal(bytes)
      case "high": high = try cursor.looseDecimal(bytes)
      case "low": low = try cursor.looseDecimal(bytes)
      case "close": close = try cursor.looseDecimal(bytes)
      case "timestamp": end = try cursor.timestamp(bytes)
      case "symbol": symbol = try cursor.text(bytes, maximumBytes: 256)
      case "volume": volume = try cursor.looseDecimal(bytes)
      case "trades": count = try cursor.count(bytes, upTo: Int64(Int32.max))
      default: break
      }
    }
  }

  /// The bucket, which is dated by its end; nil where a member is missing or another instrument's.
  func candle(of interval: CandleInterval, _ name: String) -> VenueCandle? {
    guard symbol == name, let end, let open, let high, let low, let close, let volume, let count,
      end.nanoseconds % 1_000_000 == 0
    else { return nil }
    return VenueCandle(
      start: end.milliseconds - interval.milliseconds, open: open, high: high, low: low,
      close: close, volume: volume, count: Int32(clamping: count))
  }
}
