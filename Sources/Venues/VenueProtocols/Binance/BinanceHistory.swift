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
  private static let texts: [(interval: CandleInterval, text: String)] = [
    (.minute, "1m"), (.fiveMinutes, "5m"), (.fifteenMinutes, "15m"), (.hour, "1h"),
    (.fourHours, "4h"), (.day, "1d"),
  ]
  static let intervals = texts.map(\.interval)

  /// No request names a span: without one the venue sends the latest rows.
  static func path(_ request: HistoryRequest, _ name: String, at now: Timestamp) -> String? {
    guard case .candles(let interval) = request, let text = interval.text(in: texts), isName(name)
    else {
      return nil
    }
    return "/api/v3/klines?symbol=\(name)&interval=\(text)&limit=\(maximumRows)"
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    guard body.count <= maximumBytes else { return .failure(.badAnswer("\(body.count) bytes")) }
    guard status == 200 else { return .failure(failure(status, body)) }
    guard case .candles(let interval) = request, interval.text(in: texts) != nil else {
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
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "code": code = try cursor.wholeNumber(bytes)
      case "msg": text = ForeignText.clean(try cursor.cutText(bytes))
      default: break
      }
    }
    return (code, text)
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

extension InstrumentList {
  /// Markets that can be traded alone; about 1,500 of 3 kB each.
  static let binance = InstrumentList(
    path: "/api/v3/exchangeInfo?permissions=SPOT&symbolStatus=TRADING&showPermissionSets=false",
    maximumBytes: 16 << 20
  ) { (bytes, cursor) throws(JSONError) in try BinanceInstruments.page(bytes, &cursor) }
}

/// Binance's `exchangeInfo`: `{"symbols":[{"symbol":"ETHBTC","status":"TRADING",…},…]}`.
enum BinanceInstruments {
  static func page(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> ListPage {
    var page = ListPage()
    try cursor.object(bytes, required: ["symbols"]) { (key, cursor) throws(JSONError) in
      guard case "symbols" = key else { return }
      page.rows = try InstrumentList.rows(bytes, &cursor) { (cursor) throws(JSONError) in
        let start = cursor.offset
        return try texts(bytes, &cursor).row(.spot, open: "TRADING", at: start)
      }
    }
    return page
  }

  /// One instrument, with the steps of its filters.
  static func texts(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> ListedTexts {
    var texts = ListedTexts()
    // A copy, because the filters are read apart from the other members.
    var filters = cursor
    try texts.read(
      [
        ("symbol", .symbol), ("status", .state), ("baseAsset", .base), ("quoteAsset", .quote),
      ], bytes, &cursor)
    try filters.object(bytes) { (key, filters) throws(JSONError) in
      guard case "filters" = key else { return }
      try filters.elements(bytes) { (filters) throws(JSONError) in
        var filter = ListedTexts()
        try filter.read(
          [("filterType", .kind), ("tickSize", .priceStep), ("stepSize", .sizeStep)], bytes,
          &filters)
        switch filter[.kind] {
        case "PRICE_FILTER": texts.set(.priceStep, filter[.priceStep])
        case "LOT_SIZE": texts.set(.sizeStep, filter[.sizeStep])
        default: break
        }
      }
    }
    return texts
  }
}
