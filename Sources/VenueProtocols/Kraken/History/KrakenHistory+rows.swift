// Kraken's candles and trades: arrays of strings and numbers under the pair's name, and `last`.

import MarketModel
import WireJSON

extension KrakenHistory {
  typealias Response = Result<HistoryResponse, HistoryFailure>

  /// `{"XXBTZUSD":[[time,"open","high","low","close","vwap","volume",count],…],"last":time}`.
  static func candles(
    _ interval: CandleInterval, _ pair: KrakenPairName, _ bytes: Span<UInt8>,
    _ cursor: inout JSONCursor
  ) throws(JSONError) -> Response {
    var rows: [VenueCandle] = []
    var last: Int64?
    var foreign: String?
    try members(bytes, &cursor) { (key, cursor) throws(JSONError) in
      guard let key else {
        last = try cursor.count(bytes, upTo: CandleRows.maximumSeconds) * 1000
        return
      }
      if !pair.matches(bytes, key) { foreign = shown(bytes, key) }
      rows = try cursor.list(bytes, atMost: CandleRows.maximumCount) {
        (cursor) throws(JSONError) in try candle(bytes, &cursor)
      }
    }
    if let foreign { return .failure(.badAnswer("candles of \(foreign)")) }
    if let problem = CandleRows.problem(in: rows, of: interval) {
      return .failure(.badAnswer(problem))
    }
    guard let last else { return .failure(.badAnswer("no last candle")) }
    guard let newest = rows.last else {
      return .success(.candles(VenueCandles(rows: [], lastCommitted: nil)))
    }
    guard interval.start(of: last) == last, last <= newest.start else {
      return .failure(.badAnswer("the last candle at \(last) is none"))
    }
    return .success(.candles(VenueCandles(rows: rows, lastCommitted: last)))
  }

  /// `{"XXBTZUSD":[["price","volume",time,"b","l","",number],…],"last":"nanoseconds"}`.
  static func trades(
    _ pair: KrakenPairName, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Response {
    var trades: [VenueTrade] = []
    var last: String?
    var foreign: String?
    try members(bytes, &cursor) { (key, cursor) throws(JSONError) in
      guard let key else {
        last = try cursor.text(bytes, maximumBytes: 20)
        return
      }
      if !pair.matches(bytes, key) { foreign = shown(bytes, key) }
      trades = try cursor.list(bytes, atMost: maximumTrades) { (cursor) throws(JSONError) in
        try trade(bytes, &cursor)
      }
    }
    if let foreign { return .failure(.badAnswer("trades of \(foreign)")) }
    guard let last, isCursor(last) else { return .failure(.badAnswer("no place to go on from")) }
    for (former, next) in zip(trades, trades.dropFirst()) {
      guard next.identifier > former.identifier,
        next.time.nanoseconds >= former.time.nanoseconds - toleratedDisorder
      else { return .failure(.badAnswer("trade \(next.identifier) is out of order")) }
    }
    return .success(.trades(VenueTrades(trades: trades, next: HistoryCursor(last))))
  }

  /// Nanoseconds by which a later number may have an earlier time.
  private static let toleratedDisorder: Int64 = 1_000_000_000

  /// Hands over the members of a result: `last` with nil, and the one other with its key.
  private static func members(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor,
    _ body: (Range<Int>?, inout JSONCursor) throws(JSONError) -> Void
  ) throws(JSONError) {
    var seen = KeySet()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      let isLast = JSONText.equals(bytes, key, "last")
      try seen.insert(isLast ? 1 : 2, at: key.lowerBound)
      try body(isLast ? nil : key, &cursor)
    }
    try seen.require(3, at: cursor.offset)
  }

  private static func candle(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> VenueCandle {
    try cursor.beginArray(bytes)
    var first = true
    try cursor.requireElement(bytes, first: &first)
    let seconds = try cursor.count(bytes, upTo: CandleRows.maximumSeconds)
    let open = try cursor.requireDecimal(bytes, first: &first)
    let high = try cursor.requireDecimal(bytes, first: &first)
    let low = try cursor.requireDecimal(bytes, first: &first)
    let close = try cursor.requireDecimal(bytes, first: &first)
    // The average price is not used, so whatever it is, the candle counts.
    try cursor.requireElement(bytes, first: &first)
    try cursor.skipValue(bytes)
    let volume = try cursor.requireDecimal(bytes, first: &first)
    try cursor.requireElement(bytes, first: &first)
    let count = try cursor.count(bytes, upTo: Int64(Int32.max))
    try cursor.skipElements(bytes, first: &first)
    return VenueCandle(
      start: seconds * 1000, open: open, high: high, low: low, close: close, volume: volume,
      count: Int32(clamping: count))
  }

  private static func trade(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> VenueTrade {
    try cursor.beginArray(bytes)
    let start = cursor.offset
    var first = true
    let price = try cursor.requireDecimal(bytes, first: &first)
    let quantity = try cursor.requireDecimal(bytes, first: &first)
    let time = try cursor.requireDecimal(bytes, first: &first)
    for _ in 0..<3 {
      try cursor.requireElement(bytes, first: &first)
      try cursor.skipValue(bytes)
    }
    try cursor.requireElement(bytes, first: &first)
    let identifier = try cursor.count(bytes, upTo: Int64.max)
    try cursor.skipElements(bytes, first: &first)
    guard price.units > 0, quantity.units > 0, identifier > 0, time.units > 0,
      let nanoseconds = time.rounded(to: Scale(clamping: 9))?.units
    else { throw JSONError(.numberOutOfRange, at: start) }
    return VenueTrade(
      identifier: identifier, time: Timestamp(nanoseconds: nanoseconds), price: price,
      quantity: quantity)
  }

  private static func shown(_ bytes: Span<UInt8>, _ key: Range<Int>) -> String {
    ForeignText.clean(JSONText.decode(bytes, key.prefix(64)))
  }
}
