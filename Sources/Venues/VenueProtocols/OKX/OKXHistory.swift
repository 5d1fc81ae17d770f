import MarketModel
import VenueCatalogue
import WireJSON

extension InstrumentList {
  static let okx = InstrumentList(path: "/api/v5/public/instruments?instType=SPOT") {
    (bytes, cursor) throws(JSONError) in try OKXInstruments.page(bytes, &cursor)
  }
}

extension VenueHistory {
  static let okx = VenueHistory(
    publicAddress: "https://www.okx.com", simulatedPath: "/okx", intervals: OKXHistory.intervals,
    givesTrades: true, pagesBackwards: true, maximumBytes: OKXHistory.maximumBytes,
    nameLists: [], statesCondition: false,
    target: { request, name, _ in OKXHistory.path(request, name) },
    read: { OKXHistory.read($0, $1, status: $2, $3) })
}

/// OKX's candles and trades over REST, newest first.
///
/// Every interval has a candle, also without trades; trades are one a fill, numbered without holes.
enum OKXHistory {
  /// 300 rows have about 30 kB.
  static let maximumBytes = 1 << 20
  static let maximumRows = 300
  static let maximumTrades = 100
  /// Without "utc" a day opens at 16:00 UTC.
  private static let bars: [(interval: CandleInterval, text: String)] = [
    (.minute, "1m"), (.fiveMinutes, "5m"), (.fifteenMinutes, "15m"), (.hour, "1H"),
    (.fourHours, "4H"), (.day, "1Dutc"),
  ]
  static let intervals = bars.map(\.interval)

  /// `history-candles` has rows of any age; `candles` responds without rows to older windows.
  static func path(_ request: HistoryRequest, _ name: String) -> String? {
    guard BookInstrument.isName(name[...]) else { return nil }
    switch request {
    case .candles(let interval):
      guard let bar = interval.text(in: bars) else { return nil }
      return "/api/v5/market/history-candles?instId=\(name)&bar=\(bar)&limit=\(maximumRows)"
    case .tradesBefore(let number):
      guard number ?? 1 > 0 else { return nil }
      // Type 1 pages by number; `after` means older than.
      return "/api/v5/market/history-trades?instId=\(name)&type=1&limit=\(maximumTrades)"
        + (number.map { "&after=\($0)" } ?? "")
    case .names, .condition, .trades: return nil
    }
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    guard body.count <= maximumBytes else { return .failure(.badAnswer("\(body.count) bytes")) }
    // Errors of the venue also come with other statuses, and with a reason.
    let response = try? OKXResponse(body)
    if let failure = response?.failure { return .failure(failure) }
    guard status == 200 else { return .failure(.status(status)) }
    do throws(JSONError) {
      guard let data = try OKXResponse(body).data else { return .failure(.badAnswer("no data")) }
      var cursor = JSONCursor(offset: data)
      switch request {
      case .candles(let interval) where interval.text(in: bars) != nil:
        let rows = try cursor.list(body, atMost: maximumRows) { (cursor) throws(JSONError) in
          try row(body, &cursor)
        }
        return candles(rows.reversed(), interval)
      case .tradesBefore(let number):
        var isForeign = false
        let rows = try cursor.list(body, atMost: maximumTrades) { (cursor) throws(JSONError) in
          try trade(of: name, body, &cursor, &isForeign)
        }
        if isForeign { return .failure(.badAnswer("trades of another instrument")) }
        return trades(rows, before: number)
      case .candles, .names, .condition, .trades: return .failure(.unknownInstrument)
      }
    } catch {
      return .failure(.unreadable(error))
    }
  }

  /// Numbers must fall; holes among them stay holes of the history.
  private static func trades(
    _ rows: [VenueTrade], before number: Int64?
  ) -> Result<HistoryResponse, HistoryFailure> {
    var last = number ?? .max
    for trade in rows {
      guard trade.identifier < last else {
        return .failure(.badAnswer("trade \(trade.identifier) is out of order"))
      }
      last = trade.identifier
    }
    return .success(.trades(VenueTrades(trades: rows.reversed())))
  }

  private static func candles(
    _ rows: [(candle: VenueCandle, isClosed: Bool)], _ interval: CandleInterval
  ) -> Result<HistoryResponse, HistoryFailure> {
    let candles = rows.map(\.candle)
    if let problem = CandleRows.problem(in: candles, of: interval) {
      return .failure(.badAnswer(problem))
    }
    if rows.dropLast().contains(where: { !$0.isClosed }) {
      return .failure(.badAnswer("a candle before the last is not closed"))
    }
    let committed = rows.last { $0.isClosed }?.candle.start
    return .success(.candles(VenueCandles(rows: candles, lastCommitted: committed)))
  }

  /// `["1757076000000","112691.9","112762","112628","112628","2.98698034",…,"1"]`: time, open,
  /// high, low, close, volume in the base currency, twice in the quote currency, closed.
  private static func row(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> (candle: VenueCandle, isClosed: Bool) {
    let start = cursor.offset
    try cursor.beginArray(bytes)
    var first = true
    let time = try cursor.requireDecimal(bytes, first: &first)
    let (open, high, low, close) = try cursor.prices(bytes, first: &first)
    let volume = try cursor.requireDecimal(bytes, first: &first)
    for _ in 0..<2 {
      try cursor.requireElement(bytes, first: &first)
      try cursor.skipValue(bytes)
    }
    let confirmation = try cursor.requireDecimal(bytes, first: &first)
    try cursor.skipElements(bytes, first: &first)
    guard let milliseconds = time.exactly(at: .whole)?.units,
      let isClosed = confirmation.exactly(at: .whole)?.units, isClosed == 0 || isClosed == 1
    else { throw JSONError(.numberOutOfRange, at: start) }
    let candle = VenueCandle(
      start: milliseconds, open: open, high: high, low: low, close: close, volume: volume,
      count: nil)
    return (candle, isClosed == 1)
  }
}

// MARK: - Trades

extension OKXHistory {
  /// `{"instId":"BTC-USDT","side":"sell","sz":"0.00013669","px":"102537.9","tradeId":"734864333",
  /// "ts":"1747087163557"}`.
  private static func trade(
    of name: String, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ isForeign: inout Bool
  ) throws(JSONError) -> VenueTrade {
    let start = cursor.offset
    var (identifier, time) = (Int64(0), Timestamp(nanoseconds: 0))
    var (price, quantity): (FixedDecimal?, FixedDecimal?)
    try cursor.object(bytes, required: ["instId", "tradeId", "px", "sz", "ts"]) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "instId": if try cursor.text(bytes, maximumBytes: 256) != name { isForeign = true }
      case "tradeId": identifier = try cursor.looseUnits(bytes, scale: .whole)
      case "px": price = try cursor.looseDecimal(bytes)
      case "sz": quantity = try cursor.looseDecimal(bytes)
      case "ts": time = try cursor.milliseconds(bytes)
      default: break
      }
    }
    guard identifier > 0, let price, let quantity, price.units > 0, quantity.units > 0 else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return VenueTrade(identifier: identifier, time: time, price: price, quantity: quantity)
  }
}

/// The envelope of OKX's REST: `{"code":"0","msg":"","data":[…]}`.
struct OKXResponse {
  /// The meaning of the code; nil for "0".
  let failure: HistoryFailure?
  let data: Int?

  /// Validates the whole body and finds its parts.
  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var (code, text, data): (String?, String, Int?) = (nil, "", nil)
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "code": code = try cursor.text(bytes, maximumBytes: 16)
      case "msg": text = ForeignText.clean(try cursor.cutText(bytes))
      case "data": data = try cursor.placeOfValue(bytes)
      default: break
      }
    }
    try cursor.finish(bytes)
    guard let code else { throw JSONError(.missingKey, at: cursor.offset) }
    failure = code == "0" ? nil : OKXResponse.failure(code, text)
    self.data = data
  }

  private static func failure(_ code: String, _ text: String) -> HistoryFailure {
    switch code {
    case "50011", "50061": .rateLimited
    case "51001": .unknownInstrument
    case "50001", "50004", "50013", "50026": .unavailable("OKX \(code): \(text)")
    default: .badAnswer("OKX \(code): \(text)")
    }
  }
}

/// OKX's list of spot instruments: `{"code":"0","msg":"","data":[{"instId":"BTC-USDT",…},…]}`.
enum OKXInstruments {
  static func page(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> ListPage {
    var page = ListPage()
    var (code, text, hasData) = ("", "", false)
    let start = cursor.offset
    try cursor.object(bytes, required: ["code"]) { (key, cursor) throws(JSONError) in
      switch key {
      case "code": code = try cursor.text(bytes, maximumBytes: 16)
      case "msg": text = ForeignText.clean(try cursor.cutText(bytes))
      case "data":
        hasData = true
        page.rows = try InstrumentList.rows(bytes, &cursor) { (cursor) throws(JSONError) in
          try row(bytes, &cursor)
        }
      default: break
      }
    }
    if code != "0" {
      page.refusal = "code \(code): \(text)"
      page.isLimited = code == "50011" || code == "50061"
    } else if !hasData {
      throw JSONError(.missingKey, at: start)
    }
    return page
  }

  private static func row(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> ListedRow? {
    var texts = ListedTexts()
    let start = cursor.offset
    try texts.read(
      [
        ("instId", .symbol), ("baseCcy", .base), ("quoteCcy", .quote), ("state", .state),
        ("tickSz", .priceStep), ("lotSz", .sizeStep), ("instType", .kind),
      ], bytes, &cursor)
    return texts[.kind] == "SPOT" ? try texts.row(.spot, open: "live", at: start) : nil
  }
}
