// Trades, figures and products. Data for charts and tapes is strictly checked, descriptive data is
// not.

import MarketModel
import WireJSON

extension CoinbaseDecoder {
  static let maximumTrades = 10_000

  /// Reads events of `{"type":…,KEY:[…]}`; `row` reads one element of the array.
  private mutating func readParts(
    _ name: UInt64, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, count: (Self) -> Int,
    row: (inout Self, inout JSONCursor) throws(JSONError) -> Void
  ) throws(JSONError) {
    parts.empty()
    try cursor.beginArray(bytes)
    var firstEvent = true
    while try cursor.nextElement(bytes, first: &firstEvent) {
      let (start, begin) = (cursor.offset, count(self))
      var seen = KeySet()
      var isFirst: Bool?
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        switch JSONCursor.keyCode(bytes, key) {
        case CoinbaseKeyCode.type:
          try seen.insert(1, at: key.lowerBound)
          isFirst = try isSnapshot(bytes, &cursor)
        case name:
          try seen.insert(2, at: key.lowerBound)
          try cursor.beginArray(bytes)
          var firstRow = true
          while try cursor.nextElement(bytes, first: &firstRow) {
            guard count(self) < Self.maximumTrades else {
              throw JSONError(.tooLong, at: cursor.offset)
            }
            try row(&self, &cursor)
          }
        default: try cursor.skipValue(bytes)
        }
      }
      guard let isFirst, seen.holds(2) else { throw JSONError(.missingKey, at: start) }
      parts.append(CoinbaseRowPart(isSnapshot: isFirst, rows: begin..<count(self)))
    }
  }

  mutating func readTrades(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    trades.empty()
    try readParts(CoinbaseKeyCode.trades, bytes, &cursor, count: { $0.trades.count }) {
      (decoder, cursor) throws(JSONError) in
      decoder.trades.append(try decoder.tradeRow(bytes, &cursor))
    }
  }

  private enum TradeKey {
    static let product: UInt16 = 1
    static let identifier: UInt16 = 2
    static let price: UInt16 = 4
    static let size: UInt16 = 8
    static let time: UInt16 = 16
    static let side: UInt16 = 32
    static let all: UInt16 = 63
  }

  private mutating func tradeRow(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> TapeRow {
    var row = TapeRow()
    var seen = KeySet()
    let start = cursor.offset
    var (price, size) = (0, 0)
    var place = KeyPlace(tradeKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &tradeKeys, &place, range: &key) {
      switch code {
      case CoinbaseKeyCode.price:
        try seen.insert(TradeKey.price, at: key.lowerBound)
        price = cursor.offset
        try cursor.skipValue(bytes)
      case CoinbaseKeyCode.size:
        try seen.insert(TradeKey.size, at: key.lowerBound)
        size = cursor.offset
        try cursor.skipValue(bytes)
      case CoinbaseKeyCode.time:
        try seen.insert(TradeKey.time, at: key.lowerBound)
        row.time = try cursor.timestamp(bytes)
      case CoinbaseKeyCode.side:
        try seen.insert(TradeKey.side, at: key.lowerBound)
        row.side = try taker(bytes, &cursor)
      default:
        if JSONText.equals(bytes, key, "product_id") {
          try seen.insert(TradeKey.product, at: key.lowerBound)
          row.number = try product(bytes, &cursor)
        } else if JSONText.equals(bytes, key, "trade_id") {
          try seen.insert(TradeKey.identifier, at: key.lowerBound)
          row.identifier = try cursor.quotedPositive(bytes, scale: .whole)
        } else {
          try cursor.skipValue(bytes)
        }
      }
    }
    try seen.require(TradeKey.all, at: start)
    if scales(of: row.number) == nil { setScales(Self.usualScales, of: row.number) }
    let scales = scales(of: row.number) ?? Self.usualScales
    var number = JSONCursor(offset: price)
    row.price = try number.quotedPositive(bytes, scale: scales.price)
    number.offset = size
    row.size = try number.quotedPositive(bytes, scale: scales.quantity)
    return row
  }

  /// The taker's side: the venue states the maker's.
  private func taker(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Side {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case CoinbaseKeyCode.buy: return .sell
    case CoinbaseKeyCode.sell: return .buy
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  // MARK: Figures of the day

  mutating func readTickers(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    tickers.empty()
    try readParts(CoinbaseKeyCode.tickers, bytes, &cursor, count: { $0.tickers.count }) {
      (decoder, cursor) throws(JSONError) in
      decoder.tickers.append(try decoder.tickerRow(bytes, &cursor))
    }
  }

  private mutating func tickerRow(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> DayFiguresRow {
    var row = DayFiguresRow()
    var (percent, change): (FixedDecimal?, FixedDecimal?)
    let start = cursor.offset
    let figures: [StaticString] = [
      "price", "volume_24_h", "low_24_h", "high_24_h", "price_percent_chg_24_h", "best_bid",
      "best_ask", "best_bid_quantity", "best_ask_quantity",
    ]
    try cursor.object(bytes, required: ["product_id"], oneOf: figures) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "product_id": row.number = try product(bytes, &cursor)
      case "price": row.last = try figure(bytes, &cursor, isPrice: true)
      case "volume_24_h": row.volume = try figure(bytes, &cursor, isPrice: false)
      case "low_24_h": row.low = try figure(bytes, &cursor, isPrice: true)
      case "high_24_h": row.high = try figure(bytes, &cursor, isPrice: true)
      case "price_percent_chg_24_h": percent = try optionalFigure(bytes, &cursor)
      case "checkpoint_change": change = try optionalFigure(bytes, &cursor)
      case "best_bid": row.bid = try figure(bytes, &cursor, isPrice: true)
      case "best_ask": row.ask = try figure(bytes, &cursor, isPrice: true)
      case "best_bid_quantity": row.bidSize = try figure(bytes, &cursor, isPrice: false)
      case "best_ask_quantity": row.askSize = try figure(bytes, &cursor, isPrice: false)
      default: break
      }
    }
    if let high = row.high, let low = row.low, low > high {
      throw JSONError(.numberOutOfRange, at: start)
    }
    row.changePercent = percent?.rounded(to: CoinbaseFigures.percentScale)
    row.change = change ?? CoinbaseFigures.change(last: row.last, percent: percent)
    return row
  }

  /// A number in a string; nil where it is empty or null, and for a price of 0.
  private func figure(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, isPrice: Bool
  ) throws(JSONError) -> FixedDecimal? {
    let start = cursor.offset
    guard let value = try optionalFigure(bytes, &cursor) else { return nil }
    guard value.units >= 0 else { throw JSONError(.numberOutOfRange, at: start) }
    return isPrice && value.units == 0 ? nil : value
  }

  private func optionalFigure(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    if try cursor.takeNullIfPresent(bytes) { return nil }
    var trial = cursor
    if try trial.peek(bytes) == UInt8(ascii: "\""), try trial.string(bytes).isEmpty {
      cursor = trial
      return nil
    }
    return try cursor.looseDecimal(bytes)
  }

  // MARK: Products

  /// Reads the status channel; a product without valid steps is left out.
  mutating func readProducts(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    products.removeAll(keepingCapacity: true)
    try cursor.beginArray(bytes)
    var firstEvent = true
    while try cursor.nextElement(bytes, first: &firstEvent) {
      try cursor.object(bytes) { (key, cursor) throws(JSONError) in
        guard case "products" = key else { return }
        try cursor.elements(bytes) { (cursor) throws(JSONError) in
          try readProduct(bytes, &cursor)
        }
      }
    }
  }

  private mutating func readProduct(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    var name: Range<Int>?
    var (price, size): (FixedDecimal?, FixedDecimal?)
    var isOpen = true
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "id": name = try cursor.string(bytes)
      case "status": isOpen = try cursor.cutText(bytes) == "online"
      case "quote_increment": price = try optionalFigure(bytes, &cursor)
      case "base_increment": size = try optionalFigure(bytes, &cursor)
      default: break
      }
    }
    guard let name, products.count < SymbolTable.maximumCount, let price, let size,
      price.units > 0, size.units > 0,
      let number = try symbols.number(bytes, name, adding: takesEverything)
    else { return }
    products.append((number, CoinbaseProductInfo(priceStep: price, sizeStep: size, isOpen: isOpen)))
  }
}

/// Figures that follow from those of the venue.
enum CoinbaseFigures {
  /// Percent with two decimals.
  static let percentScale = Scale(clamping: 2)

  /// The change of a price in 24 hours, rounded to the price's own scale.
  ///
  /// The venue states only the change in percent p, so the change is last × p ÷ (100 + p).
  static func change(last: FixedDecimal?, percent: FixedDecimal?) -> FixedDecimal? {
    let places = Scale(clamping: 12)
    guard let last, let share = percent?.rounded(to: places)?.units else { return nil }
    let (whole, overflow) = (100 * powerOfTen(12)).addingReportingOverflow(share)
    guard !overflow, whole > 0 else { return nil }
    let product = last.units.magnitude.multipliedFullWidth(by: share.magnitude)
    guard product.high < whole.magnitude else { return nil }
    let (quotient, remainder) = whole.magnitude.dividingFullWidth(product)
    let rounded = remainder >= whole.magnitude - remainder ? quotient &+ 1 : quotient
    guard let units = Int64(exactly: rounded) else { return nil }
    return FixedDecimal(units: share < 0 ? -units : units, scale: last.scale)
  }
}
