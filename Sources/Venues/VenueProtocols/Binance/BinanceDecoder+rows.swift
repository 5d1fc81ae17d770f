// Rows of a message. Known keys may come once and in any order, unknown keys are skipped. Prices
// and sizes are strings; every one is read exactly.

import MarketModel
import WireJSON

extension BinanceDecoder {
  /// Maximum levels of a message: a snapshot of the deepest kind.
  static let maximumLevels = 2 * 5000

  /// Reads `{"e":"depthUpdate","E":…,"s":"BTCUSDT","U":157,"u":160,"b":[["0.0024","10"]],"a":[…]}`.
  @inline(never)
  mutating func readUpdate(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    levels.empty()
    book = BinanceBookPart(number: number)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(bookKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      switch code {
      case BinanceKeyCode.bids:
        try seen.insert(1, at: key.lowerBound)
        try readLevels(isBid: true, atMost: Self.maximumLevels, bytes, &cursor)
      case BinanceKeyCode.asks:
        try seen.insert(2, at: key.lowerBound)
        try readLevels(isBid: false, atMost: Self.maximumLevels, bytes, &cursor)
      case BinanceKeyCode.first:
        try seen.insert(4, at: key.lowerBound)
        book.first = try updateNumber(bytes, &cursor)
      case BinanceKeyCode.last:
        try seen.insert(8, at: key.lowerBound)
        book.last = try updateNumber(bytes, &cursor)
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4 | 8, at: start)
    guard book.first <= book.last else { throw JSONError(.wrongType, at: start) }
  }

  /// Reads `{"lastUpdateId":160,"bids":[["0.0024","10"],…],"asks":[…]}`.
  ///
  /// A side with as many rows as were requested states nothing beyond its last one.
  mutating func readSnapshot(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    levels.empty()
    book = BinanceBookPart(number: number)
    edges = BinanceEdges()
    var (lowest, highest): (Int64?, Int64?)
    let start = cursor.offset
    try cursor.object(bytes, required: ["lastUpdateId", "bids", "asks"]) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "lastUpdateId":
        book.last = try updateNumber(bytes, &cursor)
        book.first = book.last
      case "bids": edges.lowestBid = try readSide(isBid: true, bytes, &cursor)
      case "asks": edges.highestAsk = try readSide(isBid: false, bytes, &cursor)
      case "lowestBid": lowest = try reader.price(bytes, &cursor)
      case "highestAsk": highest = try reader.price(bytes, &cursor)
      default: break
      }
    }
    // A checkpoint of this program states the edges of the book that it copies.
    edges.lowestBid = lowest ?? edges.lowestBid
    edges.highestAsk = highest ?? edges.highestAsk
    guard reader.measured != nil || levels.allSatisfy({ $0.size > 0 }) else {
      throw JSONError(.wrongType, at: start)
    }
  }

  private mutating func readSide(
    isBid: Bool, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64? {
    let before = levels.count
    try readLevels(isBid: isBid, atMost: Self.maximumLevels, bytes, &cursor)
    let rows = levels[before...]
    guard rows.count >= BinanceRequest.depthLimit else { return nil }
    let prices = rows.lazy.map(\.price)
    return isBid ? prices.min() : prices.max()
  }

  private func updateNumber(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64 {
    let start = cursor.offset
    let value = try cursor.integer(bytes)
    guard value >= 0, value < .max else { throw JSONError(.wrongType, at: start) }
    return value
  }

  /// Reads `{"u":400900217,"s":"BNBUSDT","b":"25.35","B":"31.21","a":"25.36","A":"40.66"}`.
  mutating func readBestLevels(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    levels.empty()
    book = BinanceBookPart(number: number)
    var bid = LevelRow(isBid: true, price: 0, size: 0)
    var ask = LevelRow(isBid: false, price: 0, size: 0)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(bookKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      switch code {
      case BinanceKeyCode.last:
        try seen.insert(1, at: key.lowerBound)
        book.last = try updateNumber(bytes, &cursor)
      case BinanceKeyCode.bids:
        try seen.insert(2, at: key.lowerBound)
        bid.price = try reader.price(bytes, &cursor, mayBeZero: true)
      case BinanceKeyCode.bidSize:
        try seen.insert(4, at: key.lowerBound)
        bid.size = try reader.size(bytes, &cursor)
      case BinanceKeyCode.asks:
        try seen.insert(8, at: key.lowerBound)
        ask.price = try reader.price(bytes, &cursor, mayBeZero: true)
      case BinanceKeyCode.askSize:
        try seen.insert(16, at: key.lowerBound)
        ask.size = try reader.size(bytes, &cursor)
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4 | 8 | 16, at: start)
    // An empty side has the price 0.
    for level in [bid, ask] where level.price > 0 && level.size > 0 { levels.append(level) }
  }

  /// Reads `{"e":"trade","E":…,"s":"BTCUSDT","t":388510,"p":"…","q":"…","T":…,"m":false,"M":true}`.
  mutating func readTrade(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    trades.empty()
    var row = TapeRow(number: number)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(tradeKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &tradeKeys, &place, range: &key) {
      let offset = cursor.offset
      switch code {
      case BinanceKeyCode.trade:
        try seen.insert(1, at: key.lowerBound)
        row.identifier = try updateNumber(bytes, &cursor)
      case BinanceKeyCode.price:
        try seen.insert(2, at: key.lowerBound)
        row.price = try reader.price(bytes, &cursor)
      case BinanceKeyCode.size:
        try seen.insert(4, at: key.lowerBound)
        row.size = try reader.size(bytes, &cursor)
        guard row.size > 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      case BinanceKeyCode.isBuyerMaker:
        try seen.insert(8, at: key.lowerBound)
        row.side = try cursor.boolean(bytes) ? .sell : .buy
      case BinanceKeyCode.time:
        try seen.insert(16, at: key.lowerBound)
        let value = try cursor.integer(bytes)
        // The year 5138: later times are errors.
        guard (0...100_000_000_000_000).contains(value) else {
          throw JSONError(.wrongType, at: offset)
        }
        row.time = Timestamp(milliseconds: value)
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4 | 8 | 16, at: start)
    trades.append(row)
  }

  /// Reads `{"e":"24hrTicker","s":"BNBBTC","p":"…","P":"…","w":"…","c":"…","h":"…","l":"…",…}`.
  mutating func readTicker(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    tickers.empty()
    var row = DayFiguresRow(number: number)
    let start = cursor.offset
    try cursor.object(bytes, required: ["c"]) { (key, cursor) throws(JSONError) in
      switch key {
      case "c": row.last = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "p": row.change = try cursor.looseDecimal(bytes).trimmed
      case "P":
        let percent = try cursor.looseDecimal(bytes)
        row.changePercent = percent.exactly(at: Scale(clamping: 2)) ?? percent
      case "w": row.vwap = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "h": row.high = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "l": row.low = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "v": row.volume = try DayFiguresRow.amount(bytes, &cursor)?.trimmed
      case "b": row.bid = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "B": row.bidSize = try DayFiguresRow.amount(bytes, &cursor)?.trimmed
      case "a": row.ask = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "A": row.askSize = try DayFiguresRow.amount(bytes, &cursor)?.trimmed
      case "n": row.trades = try cursor.wholeNumber(bytes).flatMap { $0 >= 0 ? $0 : nil }
      case "E":
        row.time = try cursor.wholeNumber(bytes).flatMap {
          (0...100_000_000_000_000).contains($0) ? Timestamp(milliseconds: $0) : nil
        }
      default: break
      }
    }
    if let high = row.high, let low = row.low, low > high {
      throw JSONError(.wrongType, at: start)
    }
    tickers.append(row)
  }
}

// MARK: - Instruments

extension BinanceDecoder {
  /// Reads `{"symbols":[{"symbol":"BTCUSDT","status":"TRADING","filters":[…]}]}`, and raises the
  /// scales to the digits of its steps.
  mutating func readListing(
    of number: Int, _ symbol: Symbol, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    listing = BinanceListing(number: number)
    var isFound = false
    let start = cursor.offset
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      guard case "symbols" = key else { return }
      try cursor.elements(bytes) { (cursor) throws(JSONError) in
        var row = listing
        let name = try readInstrument(&row, bytes, &cursor)
        guard name == symbol.text, !isFound else { return }
        (listing, isFound) = (row, true)
      }
    }
    guard isFound else { throw JSONError(.missingKey, at: start) }
    guard let tick = listing.tickSize, let step = listing.stepSize else { return }
    _ = spelled.raise(
      number, to: BookScales(price: tick.trimmed.scale, quantity: step.trimmed.scale))
  }

  private func readInstrument(
    _ row: inout BinanceListing, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> String {
    var name = ""
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "symbol": name = try cursor.cutText(bytes)
      case "status": row.isTrading = try cursor.cutText(bytes) == "TRADING"
      case "filters":
        try cursor.elements(bytes) { (cursor) throws(JSONError) in
          try readFilter(&row, bytes, &cursor)
        }
      default: break
      }
    }
    return name
  }

  private func readFilter(
    _ row: inout BinanceListing, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    var kind = ""
    var (tick, step): (FixedDecimal?, FixedDecimal?)
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "filterType": kind = try cursor.cutText(bytes)
      case "tickSize": tick = try DayFiguresRow.price(bytes, &cursor)
      case "stepSize": step = try DayFiguresRow.price(bytes, &cursor)
      default: break
      }
    }
    if kind == "PRICE_FILTER" { row.tickSize = tick ?? row.tickSize }
    if kind == "LOT_SIZE" { row.stepSize = step ?? row.stepSize }
  }
}
