import MarketModel
import VenueCatalogue
import WireJSON

extension VenueHistory {
  static let bybit = bybit(.bybit, category: "spot")
  static let bybitLinear = bybit(.bybitLinear, category: "linear")

  private static func bybit(_ venue: Venue, category: String) -> VenueHistory {
    VenueHistory(
      publicAddress: "https://api.bybit.com", simulatedPath: venue.simulatedPrefix,
      intervals: BybitHistory.intervals, givesTrades: false,
      maximumBytes: BybitHistory.maximumBytes, nameLists: [], statesCondition: false,
      target: { request, name, _ in BybitHistory.path(request, name, category: category) },
      read: { BybitHistory.read($0, $1, status: $2, $3) })
  }
}

/// Bybit's candles over REST: newest first, the forming one included; past trades are not offered.
enum BybitHistory {
  /// 1,000 rows have about 100 kB.
  static let maximumBytes = 1 << 20
  static let maximumRows = 1000
  static let intervals: [CandleInterval] = [
    .minute, .fiveMinutes, .fifteenMinutes, .hour, .fourHours, .day,
  ]

  static func path(_ request: HistoryRequest, _ name: String, category: String) -> String? {
    guard case .candles(let interval) = request, let text = text(interval),
      BookInstrument.isName(name[...])
    else {
      return nil
    }
    return "/v5/market/kline?category=\(category)&symbol=\(name)&interval=\(text)"
      + "&limit=\(maximumRows)"
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    if status == 403 {
      return .failure(.unavailable("HTTP 403: Bybit rejects this location or its requests"))
    }
    guard status == 200 else { return .failure(.status(status)) }
    guard body.count <= maximumBytes else { return .failure(.badAnswer("\(body.count) bytes")) }
    guard case .candles(let interval) = request, text(interval) != nil else {
      return .failure(.unknownInstrument)
    }
    do throws(JSONError) {
      let response = try BybitRESTResponse(body)
      if let failure = response.failure { return .failure(failure) }
      guard let list = response.list, let time = response.time else {
        return .failure(.badAnswer("no list or time"))
      }
      var cursor = JSONCursor(offset: list)
      let rows = try cursor.list(body, atMost: maximumRows) { (cursor) throws(JSONError) in
        try row(body, &cursor)
      }
      let candles = Array(rows.reversed())
      if let problem = CandleRows.problem(in: candles, of: interval) {
        return .failure(.badAnswer(problem))
      }
      let committed = candles.last { $0.start <= time - interval.milliseconds }?.start
      return .success(.candles(VenueCandles(rows: candles, lastCommitted: committed)))
    } catch {
      return .failure(.unreadable(error))
    }
  }

  private static func text(_ interval: CandleInterval) -> String? {
    switch interval {
    case .minute: "1"
    case .fiveMinutes: "5"
    case .fifteenMinutes: "15"
    case .hour: "60"
    case .fourHours: "240"
    case .day: "D"
    default: nil
    }
  }

  /// `["1786820400000","63027.8","63032.3","63027.7","63032.3","4.591","289363.9178"]`: time, open,
  /// high, low, close, volume in the base currency, value.
  private static func row(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> VenueCandle {
    let start = cursor.offset
    try cursor.beginArray(bytes)
    var first = true
    let time = try cursor.requireDecimal(bytes, first: &first)
    let open = try cursor.requireDecimal(bytes, first: &first)
    let high = try cursor.requireDecimal(bytes, first: &first)
    let low = try cursor.requireDecimal(bytes, first: &first)
    let close = try cursor.requireDecimal(bytes, first: &first)
    let volume = try cursor.requireDecimal(bytes, first: &first)
    try cursor.skipElements(bytes, first: &first)
    guard let milliseconds = time.exactly(at: .whole)?.units else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return VenueCandle(
      start: milliseconds, open: open, high: high, low: low, close: close, volume: volume,
      count: nil)
  }
}

/// The envelope of Bybit's REST: `{"retCode":0,"retMsg":"OK","result":{"list":[…]},"time":…}`.
struct BybitRESTResponse {
  /// The meaning of the code; nil for 0.
  let failure: HistoryFailure?
  let list: Int?
  /// The venue's time of the response, in milliseconds since 1970.
  let time: Int64?

  /// Validates the whole body and finds its parts.
  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var (code, text, list, time): (Int64?, String, Int?, Int64?) = (nil, "", nil, nil)
    var seen = KeySet()
    var cursor = JSONCursor()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "retCode") {
        try seen.insert(1, at: key.lowerBound)
        code = try cursor.integer(bytes)
      } else if JSONText.equals(bytes, key, "retMsg") {
        try seen.insert(2, at: key.lowerBound)
        text = ForeignText.clean(try cursor.cutText(bytes))
      } else if JSONText.equals(bytes, key, "result") {
        try seen.insert(4, at: key.lowerBound)
        list = try BybitRESTResponse.list(bytes, &cursor)
      } else if JSONText.equals(bytes, key, "time") {
        try seen.insert(8, at: key.lowerBound)
        time = try cursor.milliseconds(bytes).milliseconds
      } else {
        try cursor.skipValue(bytes)
      }
    }
    try cursor.finish(bytes)
    guard let code else { throw JSONError(.missingKey, at: cursor.offset) }
    failure = code == 0 ? nil : BybitRESTResponse.failure(code, text)
    (self.list, self.time) = (list, time)
  }

  private static func list(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int? {
    var list: Int?
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "list") {
        guard list == nil else { throw JSONError(.duplicateKey, at: key.lowerBound) }
        _ = try cursor.peek(bytes)
        list = cursor.offset
      }
      try cursor.skipValue(bytes)
    }
    return list
  }

  private static func failure(_ code: Int64, _ text: String) -> HistoryFailure {
    switch code {
    case 10006, 10018, 10429: .rateLimited
    case 10000, 10016: .unavailable("Bybit \(code): \(text)")
    case 10001: .unknownInstrument
    default: .badAnswer("Bybit \(code): \(text)")
    }
  }
}
