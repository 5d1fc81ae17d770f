// Coinbase's history over REST. Quirks and their sources: docs/venues/coinbase.md.

import MarketModel
import VenueCatalogue
import WireJSON

extension VenueHistory {
  static let coinbase = VenueHistory(
    publicAddress: "https://api.coinbase.com", simulatedPath: "/coinbase",
    intervals: CoinbaseHistory.intervals, givesTrades: true,
    maximumBytes: CoinbaseHistory.maximumBytes, nameLists: [.currencies], statesCondition: false,
    target: { CoinbaseHistory.path($0, $1, at: $2) },
    read: { CoinbaseHistory.read($0, $1, status: $2, $3) })
}

enum CoinbaseHistory {
  /// All spot products have about 1 MB, a thousand trades 200 kB.
  static let maximumBytes = 8 << 20
  private static let granularities: [(interval: CandleInterval, text: String)] = [
    (.minute, "ONE_MINUTE"), (.fiveMinutes, "FIVE_MINUTE"), (.fifteenMinutes, "FIFTEEN_MINUTE"),
    (.hour, "ONE_HOUR"), (.day, "ONE_DAY"),
  ]
  static let intervals = granularities.map(\.interval)
  /// The venue allows 350, but was seen to send 300.
  static let candlesPerRequest: Int64 = 300
  static let maximumTrades = 1000
  /// The venue's candles can differ from its trades for seconds after their end.
  static let settlingMilliseconds: Int64 = 10_000
  static let products = "/api/v3/brokerage/market/products"
  static let listPath = products + "?product_type=SPOT"

  static func path(_ request: HistoryRequest, _ name: String, at now: Timestamp) -> String? {
    if request == .names(.currencies) { return listPath }
    guard BookInstrument.isName(name[...]) else { return nil }
    let base = "\(products)/\(name)"
    switch request {
    case .names, .condition, .tradesBefore: return nil
    case .candles(let interval):
      guard let granularity = interval.text(in: granularities) else { return nil }
      let settled = max(0, now.milliseconds - settlingMilliseconds)
      let end = interval.start(of: settled)
      let start = max(0, end - candlesPerRequest * interval.milliseconds)
      return "\(base)/candles?start=\(start / 1000)&end=\(max(0, end / 1000 - 1))"
        + "&granularity=\(granularity)&limit=\(candlesPerRequest)"
    case .trades(let cursor):
      guard let after = nanoseconds(cursor) else { return nil }
      let end = max(0, now.milliseconds) / 1000 + 1
      return "\(base)/ticker?limit=\(maximumTrades)&start=\(after / 1_000_000_000)&end=\(end)"
    }
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    if status == 404 { return .failure(.unknownInstrument) }
    return HistoryFailure.read(body, status: status, atMost: maximumBytes) {
      (body) throws(JSONError) in
      switch request {
      case .names(.currencies): return .success(.names(try CoinbaseProducts(body).names))
      case .names(.tokens), .condition, .tradesBefore: return .failure(.unknownInstrument)
      case .candles(let interval): return try candles(interval, body)
      case .trades(let cursor):
        guard let after = nanoseconds(cursor) else { return .failure(.unknownInstrument) }
        return try trades(of: name, after: after, body)
      }
    }
  }

  /// A cursor: nanoseconds since 1970 as digits.
  private static func nanoseconds(_ cursor: HistoryCursor) -> Int64? {
    guard (1...19).contains(cursor.text.utf8.count),
      cursor.text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(cursor.text)
  }
}

// MARK: - Rows

// Objects of strings, newest first.

extension CoinbaseHistory {
  typealias Response = Result<HistoryResponse, HistoryFailure>

  /// `{"candles":[{"start":"1712192400","low":…,"high":…,"open":…,"close":…,"volume":…},…]}`.
  ///
  /// All rows are final, because the request ends before the open one. Intervals without a trade
  /// have no row.
  private static func candles(
    _ interval: CandleInterval, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Response {
    var rows = try list("candles", bytes, atMost: CandleRows.maximumCount) {
      (cursor) throws(JSONError) in try candle(bytes, &cursor)
    }
    rows.reverse()
    if let problem = CandleRows.problem(in: rows, of: interval, leavesOutEmpty: true) {
      return .failure(.badAnswer(problem))
    }
    return .success(.candles(VenueCandles(rows: rows, lastCommitted: rows.last?.start)))
  }

  /// `{"trades":[{"trade_id":…,"product_id":…,"price":…,"size":…,"time":…,"side":…},…],…}`.
  ///
  /// A full page may lack the trades before it, so it is of no use.
  private static func trades(
    of name: String, after: Int64, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Response {
    var foreign = false
    var trades = try list("trades", bytes, atMost: CandleRows.maximumCount) {
      (cursor) throws(JSONError) in try trade(name, bytes, &cursor, &foreign)
    }
    if foreign { return .failure(.badAnswer("trades of another product")) }
    guard trades.count < maximumTrades else { return .failure(.unknownInstrument) }
    trades.reverse()
    for (former, next) in zip(trades, trades.dropFirst())
    where next.identifier <= former.identifier {
      return .failure(.badAnswer("trade \(next.identifier) is out of order"))
    }
    trades.removeAll { $0.time.nanoseconds <= after }
    let next = trades.last?.time.nanoseconds ?? after
    return .success(.trades(VenueTrades(trades: trades, next: HistoryCursor(String(next)))))
  }

  /// The elements of the one array with this key.
  private static func list<Element>(
    _ name: StaticString, _ bytes: Span<UInt8>, atMost limit: Int,
    _ element: (inout JSONCursor) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var found: [Element]?
    var cursor = JSONCursor()
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      guard case name = key else { return }
      found = try cursor.list(bytes, atMost: limit, element)
    }
    try cursor.finish(bytes)
    guard let found else { throw JSONError(.missingKey, at: 0) }
    return found
  }

  private static func candle(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> VenueCandle {
    let place = cursor.offset
    var start: Int64 = 0
    let zero = FixedDecimal(units: 0, scale: .whole)
    var (open, high, low, close, volume) = (zero, zero, zero, zero, zero)
    try cursor.object(bytes, required: ["start", "open", "high", "low", "close", "volume"]) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "start": start = try cursor.quotedUnits(bytes, scale: .whole)
      case "open": open = try cursor.looseDecimal(bytes)
      case "high": high = try cursor.looseDecimal(bytes)
      case "low": low = try cursor.looseDecimal(bytes)
      case "close": close = try cursor.looseDecimal(bytes)
      case "volume": volume = try cursor.looseDecimal(bytes)
      default: break
      }
    }
    guard start >= 0, start <= CandleRows.maximumSeconds else {
      throw JSONError(.numberOutOfRange, at: place)
    }
    return VenueCandle(
      start: start * 1000, open: open, high: high, low: low, close: close, volume: volume,
      count: nil)
  }

  private static func trade(
    _ name: String, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ foreign: inout Bool
  ) throws(JSONError) -> VenueTrade {
    let place = cursor.offset
    var identifier: Int64 = 0
    var time = Timestamp(nanoseconds: 0)
    var (price, quantity): (FixedDecimal?, FixedDecimal?)
    try cursor.object(bytes, required: ["trade_id", "product_id", "price", "size", "time"]) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "trade_id": identifier = try cursor.quotedPositive(bytes, scale: .whole)
      case "product_id": if try cursor.text(bytes, maximumBytes: 256) != name { foreign = true }
      case "price": price = try cursor.looseDecimal(bytes)
      case "size": quantity = try cursor.looseDecimal(bytes)
      case "time": time = try cursor.timestamp(bytes)
      default: break
      }
    }
    guard let price, let quantity, price.units > 0, quantity.units > 0 else {
      throw JSONError(.numberOutOfRange, at: place)
    }
    return VenueTrade(identifier: identifier, time: time, price: price, quantity: quantity)
  }
}
