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
  static let intervals: [CandleInterval] = [.minute, .fiveMinutes, .hour, .day]
  private static let maximumRows = 1000

  static func path(_ request: HistoryRequest, _ name: String) -> String? {
    guard case .candles(let interval) = request, let bin = bin(interval),
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
    guard status == 200 else { return .failure(.status(status)) }
    guard body.count <= maximumBytes else { return .failure(.badAnswer("\(body.count) bytes")) }
    guard case .candles(let interval) = request, bin(interval) != nil else {
      return .failure(.unknownInstrument)
    }
    do throws(JSONError) {
      var rows = try rows(interval, name, body)
      if let first = rows.first, let last = rows.last, first.start > last.start { rows.reverse() }
      if let problem = CandleRows.problem(in: rows, of: interval, mayBeNegative: true) {
        return .failure(.badAnswer(problem))
      }
      return .success(.candles(VenueCandles(rows: rows, lastCommitted: rows.last?.start)))
    } catch {
      return .failure(.unreadable(error))
    }
  }

  private static func bin(_ interval: CandleInterval) -> String? {
    switch interval {
    case .minute: "1m"
    case .fiveMinutes: "5m"
    case .hour: "1h"
    case .day: "1d"
    default: nil
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
  private var prices: [FixedDecimal?] = [nil, nil, nil, nil]
  private var volume: FixedDecimal?
  private var count: Int64?

  init() {}

  mutating func read(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    var seen = KeySet()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if let place = BucketFields.pricePlace(bytes, key) {
        try seen.insert(1 << UInt16(place), at: key.lowerBound)
        prices[place] = try cursor.looseDecimal(bytes)
      } else if JSONText.equals(bytes, key, "timestamp") {
        try seen.insert(16, at: key.lowerBound)
        end = try cursor.timestamp(bytes)
      } else if JSONText.equals(bytes, key, "symbol") {
        try seen.insert(32, at: key.lowerBound)
        symbol = try cursor.text(bytes, maximumBytes: 256)
      } else if JSONText.equals(bytes, key, "volume") {
        try seen.insert(64, at: key.lowerBound)
        volume = try cursor.looseDecimal(bytes)
      } else if JSONText.equals(bytes, key, "trades") {
        try seen.insert(128, at: key.lowerBound)
        count = try cursor.count(bytes, upTo: Int64(Int32.max))
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }

  private static func pricePlace(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Int? {
    if JSONText.equals(bytes, key, "open") { return 0 }
    if JSONText.equals(bytes, key, "high") { return 1 }
    if JSONText.equals(bytes, key, "low") { return 2 }
    return JSONText.equals(bytes, key, "close") ? 3 : nil
  }

  /// The bucket, which is dated by its end; nil where a member is missing or another instrument's.
  func candle(of interval: CandleInterval, _ name: String) -> VenueCandle? {
    guard symbol == name, let end, let open = prices[0], let high = prices[1],
      let low = prices[2], let close = prices[3], let volume, let count,
      end.nanoseconds % 1_000_000 == 0
    else { return nil }
    return VenueCandle(
      start: end.milliseconds - interval.milliseconds, open: open, high: high, low: low,
      close: close, volume: volume, count: Int32(clamping: count))
  }
}
