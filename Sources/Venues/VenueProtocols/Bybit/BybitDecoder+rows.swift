// Rows of a message. Known keys may come once and in any order, unknown keys are skipped. Prices
// and sizes are strings; every one is read exactly.

import MarketModel
import WireJSON

extension BybitDecoder {
  /// Maximum levels of a message: a whole snapshot of the deepest book.
  static let maximumLevels = 2 * 1000

  /// Reads `{"s":"BTCUSDT","b":[["78715","1.27"],…],"a":[…],"u":217107084,"seq":113099229623}`.
  @inline(never)
  mutating func readBook(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    levels.empty()
    book = BybitBookPart(number: number)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(bookKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      switch code {
      case BybitKeyCode.bids:
        try seen.insert(1, at: key.lowerBound)
        try readLevels(isBid: true, atMost: Self.maximumLevels, bytes, &cursor)
      case BybitKeyCode.asks:
        try seen.insert(2, at: key.lowerBound)
        try readLevels(isBid: false, atMost: Self.maximumLevels, bytes, &cursor)
      case BybitKeyCode.update:
        try seen.insert(4, at: key.lowerBound)
        book.update = try cursor.integer(bytes)
      case BybitKeyCode.sequence:
        try seen.insert(8, at: key.lowerBound)
        book.sequence = try cursor.integer(bytes)
      case BybitKeyCode.symbol: try confirmName(bytes, try cursor.string(bytes))
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4, at: start)
  }

  mutating func readTrades(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    trades.empty()
    try readRows(bytes, &cursor) { (decoder, cursor) throws(JSONError) in
      decoder.trades.append(try decoder.tradeRow(of: number, bytes, &cursor))
    }
  }

  private mutating func tradeRow(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> TapeRow {
    var row = TapeRow(number: number, isNumbered: false)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(tradeKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &tradeKeys, &place, range: &key) {
      let offset = cursor.offset
      switch code {
      case BybitKeyCode.identifier:
        try seen.insert(1, at: key.lowerBound)
        row.identifier = try identifier(bytes, &cursor)
      case BybitKeyCode.price:
        try seen.insert(2, at: key.lowerBound)
        row.price = try reader.price(bytes, &cursor)
      case BybitKeyCode.size:
        try seen.insert(4, at: key.lowerBound)
        row.size = try reader.size(bytes, &cursor)
        guard row.size > 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      case BybitKeyCode.side:
        try seen.insert(8, at: key.lowerBound)
        row.side = try side(bytes, &cursor)
      case BybitKeyCode.time:
        try seen.insert(16, at: key.lowerBound)
        row.time = try cursor.milliseconds(bytes)
      case BybitKeyCode.symbol: try confirmName(bytes, try cursor.string(bytes))
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4 | 8 | 16, at: start)
    return row
  }

  /// A hash of the venue's text: numbers with holes at spot, GUIDs at derivatives.
  private func identifier(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64 {
    let range = try cursor.string(bytes)
    var hash = FNV1a()
    for index in range { hash.combine(byte: bytes[index]) }
    return Int64(bitPattern: hash.value)
  }

  private func side(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Side {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case BybitKeyCode.buy: return .buy
    case BybitKeyCode.sell: return .sell
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  /// Reads `{"symbol":"BTCUSDT","lastPrice":"27579.99","prevPrice24h":"29005.97",…}`; a delta may
  /// have none of the figures.
  mutating func readTicker(
    of number: Int, isDelta: Bool, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    tickers.empty()
    var row = DayFiguresRow(number: number)
    var open: FixedDecimal?
    var seen = KeySet()
    let start = cursor.offset
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "lastPrice") {
        try seen.insert(1, at: key.lowerBound)
        row.last = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      } else if JSONText.equals(bytes, key, "prevPrice24h") {
        try seen.insert(2, at: key.lowerBound)
        open = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      } else if JSONText.equals(bytes, key, "highPrice24h") {
        try seen.insert(4, at: key.lowerBound)
        row.high = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      } else if JSONText.equals(bytes, key, "lowPrice24h") {
        try seen.insert(8, at: key.lowerBound)
        row.low = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      } else if JSONText.equals(bytes, key, "volume24h") {
        try seen.insert(16, at: key.lowerBound)
        row.volume = try DayFiguresRow.amount(bytes, &cursor)?.trimmed
      } else if JSONText.equals(bytes, key, "symbol") {
        try confirmName(bytes, try cursor.string(bytes))
      } else {
        try cursor.skipValue(bytes)
      }
    }
    guard seen.holdsAny(of: 31) || isDelta else { throw JSONError(.missingKey, at: start) }
    if let high = row.high, let low = row.low, low > high {
      throw JSONError(.numberOutOfRange, at: start)
    }
    row.setChange(from: open)
    tickers.append(BybitTicker(row: row, open: open))
  }
}
