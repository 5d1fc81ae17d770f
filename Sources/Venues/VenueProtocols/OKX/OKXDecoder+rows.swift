// Rows of a message. Known keys may come once and in any order, unknown keys are skipped. Numbers
// are strings; every one is read exactly.

import MarketModel
import WireJSON

extension OKXDecoder {
  /// Maximum levels of a message: a whole snapshot, or every level removed and replaced, twice.
  static let maximumLevels = 8 * OKXBookSync.depth

  /// Reads `[{"asks":[["78722.3","0.38699412","0","10"],…],"bids":[…],"seqId":…,…}]`.
  @inline(never)
  mutating func readBook(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    levels.empty()
    book = OKXBookPart(number: number)
    var seen = KeySet()
    try cursor.beginArray(bytes)
    let start = cursor.offset
    var place = KeyPlace(bookKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      switch code {
      case OKXKeyCode.asks:
        try seen.insert(1, at: key.lowerBound)
        try readLevels(isBid: false, atMost: Self.maximumLevels, bytes, &cursor)
      case OKXKeyCode.bids:
        try seen.insert(2, at: key.lowerBound)
        try readLevels(isBid: true, atMost: Self.maximumLevels, bytes, &cursor)
      case OKXKeyCode.sequence:
        try seen.insert(4, at: key.lowerBound)
        book.sequence = try cursor.integer(bytes)
      case OKXKeyCode.checksum:
        try seen.insert(8, at: key.lowerBound)
        let offset = cursor.offset
        guard let sum = Int32(exactly: try cursor.integer(bytes)) else {
          throw JSONError(.numberOutOfRange, at: offset)
        }
        book.checksum = sum == 0 ? nil : sum
      default:
        guard JSONText.equals(bytes, key, "prevSeqId") else {
          try cursor.skipValue(bytes)
          continue
        }
        try seen.insert(16, at: key.lowerBound)
        book.previous = try cursor.integer(bytes)
      }
    }
    try seen.require(1 | 2, at: start)
    try cursor.take(UInt8(ascii: "]"), bytes)
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
    var row = TapeRow(number: number)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(tradeKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &tradeKeys, &place, range: &key) {
      let offset = cursor.offset
      switch code {
      case OKXKeyCode.tradeIdentifier:
        try seen.insert(1, at: key.lowerBound)
        row.identifier = try cursor.looseUnits(bytes, scale: .whole)
        guard row.identifier >= 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      case OKXKeyCode.price:
        try seen.insert(2, at: key.lowerBound)
        row.price = try reader.price(bytes, &cursor)
      case OKXKeyCode.size:
        try seen.insert(4, at: key.lowerBound)
        row.size = try reader.size(bytes, &cursor)
        guard row.size > 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      case OKXKeyCode.side:
        try seen.insert(8, at: key.lowerBound)
        row.side = try side(bytes, &cursor)
      case OKXKeyCode.time:
        try seen.insert(16, at: key.lowerBound)
        row.time = try cursor.milliseconds(bytes)
      case OKXKeyCode.count:
        try seen.insert(32, at: key.lowerBound)
        row.covered = try cursor.looseUnits(bytes, scale: .whole)
        guard (1...1_000_000).contains(row.covered) else {
          throw JSONError(.numberOutOfRange, at: offset)
        }
      case OKXKeyCode.instrument: try confirmName(bytes, try cursor.string(bytes))
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4 | 8 | 16, at: start)
    return row
  }

  private func side(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Side {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case OKXKeyCode.buy: return .buy
    case OKXKeyCode.sell: return .sell
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  /// Reads `[{"state":"ongoing","serviceType":"0",…}]`: the state of the latest maintenance of the
  /// WebSocket or of trading.
  func readStatus(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> OKXMessage {
    var isOngoing: Bool?
    try cursor.beginArray(bytes)
    var firstElement = true
    while try cursor.nextElement(bytes, first: &firstElement) {
      var (state, service) = ("", "")
      try cursor.object(bytes) { (key, cursor) throws(JSONError) in
        switch key {
        case "state": state = try cursor.cutText(bytes)
        case "serviceType": service = try cursor.cutText(bytes)
        default: break
        }
      }
      if service == "0" || service == "5", state != "scheduled" { isOngoing = state == "ongoing" }
    }
    return isOngoing.map { .maintenance(isOngoing: $0) } ?? .ignored
  }
}

// MARK: - Tickers

// A figure may be missing or empty; the other figures remain valid.

extension OKXDecoder {
  mutating func readTickers(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    tickers.empty()
    try readRows(bytes, &cursor) { (decoder, cursor) throws(JSONError) in
      decoder.tickers.append(try decoder.tickerRow(of: number, bytes, &cursor))
    }
  }

  private func tickerRow(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> DayFiguresRow {
    var row = DayFiguresRow(number: number)
    var open: FixedDecimal?
    let start = cursor.offset
    let figures: [StaticString] = [
      "last", "open24h", "high24h", "low24h", "vol24h", "bidPx", "bidSz", "askPx", "askSz",
    ]
    try cursor.object(bytes, oneOf: figures) { (key, cursor) throws(JSONError) in
      switch key {
      case "last": row.last = try DayFiguresRow.price(bytes, &cursor)
      case "open24h": open = try DayFiguresRow.price(bytes, &cursor)
      case "high24h": row.high = try DayFiguresRow.price(bytes, &cursor)
      case "low24h": row.low = try DayFiguresRow.price(bytes, &cursor)
      case "vol24h": row.volume = try DayFiguresRow.amount(bytes, &cursor)
      case "bidPx": row.bid = try DayFiguresRow.price(bytes, &cursor)
      case "bidSz": row.bidSize = try DayFiguresRow.amount(bytes, &cursor)
      case "askPx": row.ask = try DayFiguresRow.price(bytes, &cursor)
      case "askSz": row.askSize = try DayFiguresRow.amount(bytes, &cursor)
      case "ts": row.time = try cursor.milliseconds(bytes)
      case "instId": try confirmName(bytes, try cursor.string(bytes))
      default: break
      }
    }
    if let high = row.high, let low = row.low, low > high {
      throw JSONError(.numberOutOfRange, at: start)
    }
    row.setChange(from: open)
    return row
  }
}
