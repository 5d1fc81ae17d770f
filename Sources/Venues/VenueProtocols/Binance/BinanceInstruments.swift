import MarketModel
import WireJSON

extension InstrumentList {
  /// Markets that can be traded alone; about 1,500 of 3 kB each.
  static let binance = InstrumentList(
    path: "/api/v3/exchangeInfo?permissions=SPOT&symbolStatus=TRADING&showPermissionSets=false",
    maximumBytes: 16 << 20
  ) { (bytes, cursor) throws(JSONError) in try BinanceInstruments.page(bytes, &cursor) }
}

/// Binance's `exchangeInfo`: `{"symbols":[{"symbol":"ETHBTC","status":"TRADING",…},…]}`.
enum BinanceInstruments {
  static func page(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> ListPage {
    var page = ListPage()
    var seen = KeySet()
    let start = cursor.offset
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard JSONText.equals(bytes, key, "symbols") else {
        try cursor.skipValue(bytes)
        continue
      }
      try seen.insert(1, at: key.lowerBound)
      page.rows = try InstrumentList.rows(bytes, &cursor) { (cursor) throws(JSONError) in
        let start = cursor.offset
        return try texts(bytes, &cursor).row(.spot, open: "TRADING", at: start)
      }
    }
    try seen.require(1, at: start)
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
    try filters.beginObject(bytes)
    var first = true
    while let key = try filters.nextKey(bytes, first: &first) {
      guard JSONText.equals(bytes, key, "filters") else {
        try filters.skipValue(bytes)
        continue
      }
      try filters.beginArray(bytes)
      var firstFilter = true
      while try filters.nextElement(bytes, first: &firstFilter) {
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
