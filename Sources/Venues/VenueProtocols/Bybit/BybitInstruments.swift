import MarketModel
import WireJSON

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
    var seen = KeySet()
    let start = cursor.offset
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "retCode") {
        try seen.insert(1, at: key.lowerBound)
        code = try cursor.integer(bytes)
      } else if JSONText.equals(bytes, key, "retMsg") {
        text = ForeignText.clean(try cursor.cutText(bytes))
      } else if JSONText.equals(bytes, key, "result") {
        try seen.insert(2, at: key.lowerBound)
        hasList = try read(&page, bytes, &cursor, row)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    try seen.require(1, at: start)
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
    var seen = KeySet()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "list") {
        try seen.insert(1, at: key.lowerBound)
        page.rows = try InstrumentList.rows(bytes, &cursor) { (cursor) throws(JSONError) in
          try row(bytes, &cursor)
        }
      } else if JSONText.equals(bytes, key, "nextPageCursor") {
        try seen.insert(2, at: key.lowerBound)
        page.next = try cursor.text(bytes, maximumBytes: 1024)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return seen.holds(1)
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
