import MarketModel
import WireJSON

/// OKX's list of spot instruments: `{"code":"0","msg":"","data":[{"instId":"BTC-USDT",…},…]}`.
enum OKXInstruments {
  static func page(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> ListPage {
    var page = ListPage()
    var (code, text) = ("", "")
    var seen = KeySet()
    let start = cursor.offset
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      switch JSONCursor.keyCode(bytes, key) {
      case OKXKeyCode.code:
        try seen.insert(1, at: key.lowerBound)
        code = try cursor.text(bytes, maximumBytes: 16)
      case OKXKeyCode.message: text = ForeignText.clean(try cursor.cutText(bytes))
      case OKXKeyCode.data:
        try seen.insert(2, at: key.lowerBound)
        page.rows = try InstrumentList.rows(bytes, &cursor) { (cursor) throws(JSONError) in
          try row(bytes, &cursor)
        }
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1, at: start)
    if code != "0" {
      page.refusal = "code \(code): \(text)"
      page.isLimited = code == "50011" || code == "50061"
    } else {
      try seen.require(2, at: start)
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
