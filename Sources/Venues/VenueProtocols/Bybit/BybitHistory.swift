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
  private static let texts: [(interval: CandleInterval, text: String)] = [
    (.minute, "1"), (.fiveMinutes, "5"), (.fifteenMinutes, "15"), (.hour, "60"),
    (.fourHours, "240"), (.day, "D"),
  ]
  static let intervals = texts.map(\.interval)

  static func path(_ request: HistoryRequest, _ name: String, category: String) -> String? {
    guard case .candles(let interval) = request, let text = interval.text(in: texts),
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
    return HistoryFailure.read(body, status: status, atMost: maximumBytes) {
      (body) throws(JSONError) in
      guard case .candles(let interval) = request, interval.text(in: texts) != nil else {
        return .failure(.unknownInstrument)
      }
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
    let (open, high, low, close) = try cursor.prices(bytes, first: &first)
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
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "retCode": code = try cursor.integer(bytes)
      case "retMsg": text = ForeignText.clean(try cursor.cutText(bytes))
      case "result": list = try BybitRESTResponse.list(bytes, &cursor)
      case "time": time = try cursor.milliseconds(bytes).milliseconds
      default: break
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
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      if case "list" = key { list = try cursor.placeOfValue(bytes) }
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

extension InstrumentList {
  static let bybit = InstrumentList(
    path: "/v5/market/instruments-info?category=spot"
  ) { (bytes, cursor) throws(JSONError) in
    try BybitInstruments.page(bytes, &cursor, BybitInstruments.spot)
  }

  static let bybitLinear = InstrumentList(
    path: "/v5/market/instruments-info?category=linear&limit=1000"
  ) { (bytes, cursor) throws(JSONError) in
    try BybitInstruments.page(bytes, &cursor, BybitInstruments.perpetual)
  }
}

/// Bybit's lists of instruments:
/// `{"retCode":0,"retMsg":"OK","result":{"list":[{"symbol":"BTCUSDT",…},…],"nextPageCursor":""}}`.
enum BybitInstruments {
  typealias Row = (_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> ListedRow?

  static func page(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ row: Row
  ) throws(JSONError) -> ListPage {
    var page = ListPage()
    var (code, text, hasList) = (Int64(0), "", false)
    let start = cursor.offset
    try cursor.object(bytes, required: ["retCode"]) { (key, cursor) throws(JSONError) in
      switch key {
      case "retCode": code = try cursor.integer(bytes)
      case "retMsg": text = ForeignText.clean(try cursor.cutText(bytes))
      case "result": hasList = try read(&page, bytes, &cursor, row)
      default: break
      }
    }
    if code != 0 {
      page.refusal = "code \(code): \(text)"
      page.isLimited = code == 10_006 || code == 10_018 || code == 10_429
    } else if !hasList {
      throw JSONError(.missingKey, at: start)
    }
    return page
  }

  /// Reads the result; returns whether it has a list.
  private static func read(
    _ page: inout ListPage, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ row: Row
  ) throws(JSONError) -> Bool {
    var hasList = false
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "list":
        hasList = true
        page.rows = try InstrumentList.rows(bytes, &cursor) { (cursor) throws(JSONError) in
          try row(bytes, &cursor)
        }
      case "nextPageCursor": page.next = try cursor.text(bytes, maximumBytes: 1024)
      default: break
      }
    }
    return hasList
  }

  private static let names: [(name: StaticString, field: ListedTexts.Field)] = [
    ("symbol", .symbol), ("baseCoin", .base), ("quoteCoin", .quote), ("status", .state),
    ("tickSize", .priceStep), ("contractType", .kind), ("settleCoin", .settlement),
  ]

  static func spot(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> ListedRow? {
    var texts = ListedTexts()
    let start = cursor.offset
    try texts.read(
      names + [("basePrecision", .sizeStep)], within: ["priceFilter", "lotSizeFilter"], bytes,
      &cursor)
    return try texts.row(.spot, open: "Trading", at: start)
  }

  /// A perpetual that settles in tethers; nil for any other contract.
  static func perpetual(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> ListedRow? {
    var texts = ListedTexts()
    let start = cursor.offset
    try texts.read(
      names + [("qtyStep", .sizeStep)], within: ["priceFilter", "lotSizeFilter"], bytes, &cursor)
    guard texts[.kind] == "LinearPerpetual", texts[.settlement] == "USDT" else { return nil }
    return try texts.row(.perpetual, open: "Trading", at: start)
  }
}
