// Kraken's history over REST. Quirks and their sources: docs/venues/kraken.md.

import MarketModel
import WireJSON

extension VenueHistory {
  static let kraken = VenueHistory(
    publicAddress: "https://api.kraken.com", simulatedPath: "/kraken",
    intervals: KrakenHistory.intervals, givesTrades: true, maximumBytes: KrakenHistory.maximumBytes,
    nameLists: [.currencies, .tokens], statesCondition: true,
    target: { request, name, _ in KrakenHistory.path(request, name) },
    read: { KrakenHistory.read($0, $1, status: $2, $3) })
}

enum KrakenHistory {
  /// Observed sizes: all pairs about 1.2 MB, candles 80 kB, trades 100 kB.
  static let maximumBytes = 8 << 20
  /// Weeks are built from days, because the start of the venue's weeks is undocumented.
  static let intervals: [CandleInterval] = [
    .minute, .fiveMinutes, .fifteenMinutes, .hour, .fourHours, .day,
  ]
  /// The venue's asset class for tokens of shares, which it lists only if the request contains it.
  static let tokenClass = "tokenized_asset"
  static let maximumTrades = 1000

  static func path(_ request: HistoryRequest, _ name: String) -> String? {
    if request == .names(.currencies) { return "/0/public/AssetPairs" }
    if request == .names(.tokens) { return "/0/public/AssetPairs?aclass_base=\(tokenClass)" }
    if request == .condition { return "/0/public/SystemStatus" }
    guard let name = KrakenPairName(name) else { return nil }
    let pair = name.altname + (name.isToken ? "&asset_class=\(tokenClass)" : "")
    switch request {
    case .names, .condition, .tradesBefore: return nil
    case .candles(let interval):
      guard intervals.contains(interval) else { return nil }
      return "/0/public/OHLC?pair=\(pair)&interval=\(interval.milliseconds / 60_000)"
    case .trades(let cursor):
      guard isCursor(cursor.text) else { return nil }
      return "/0/public/Trades?pair=\(pair)&since=\(cursor.text)&count=\(maximumTrades)"
    }
  }

  static func read(
    _ request: HistoryRequest, _ name: String, status: Int, _ body: Span<UInt8>
  ) -> Result<HistoryResponse, HistoryFailure> {
    return HistoryFailure.read(body, status: status, atMost: maximumBytes) {
      (body) throws(JSONError) in
      let response = try KrakenResponse(body)
      if let failure = response.failure { return .failure(failure) }
      guard let result = response.result else { return .failure(.badAnswer("no result")) }
      var cursor = JSONCursor(offset: result)
      if request == .condition { return .success(.condition(try condition(body, &cursor))) }
      if case .names = request {
        return .success(.names(try KrakenPairName.all(body, &cursor)))
      }
      guard let pair = KrakenPairName(name) else { return .failure(.unknownInstrument) }
      switch request {
      case .names, .condition, .tradesBefore: return .failure(.unknownInstrument)
      case .candles(let interval): return try candles(interval, pair, body, &cursor)
      case .trades: return try trades(pair, body, &cursor)
      }
    }
  }

  /// The longest status word that is read, in bytes.
  private static let maximumWordBytes = 64

  /// `{"status":"online","timestamp":…}`.
  private static func condition(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> VenueCondition {
    var word: String?
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      guard case "status" = key else { return }
      guard word == nil else { throw JSONError(.duplicateKey, at: key.range.lowerBound) }
      word = ForeignText.clean(try cursor.text(bytes, maximumBytes: maximumWordBytes))
    }
    switch word {
    case nil: throw JSONError(.missingKey, at: cursor.offset)
    case "online"?: return .online
    case "maintenance"?: return .maintenance
    case let other?: return .limited(other)
    }
  }

  private static func isCursor(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count)
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

// MARK: - Rows

// Arrays of strings and numbers under the pair's name, and `last`.

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

  /// Nanoseconds by which a trade with a later number may have an earlier time.
  private static let toleratedDisorder: Int64 = 1_000_000_000

  /// Passes each member of a result to `body`: `last` with nil, the only other one with its key.
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
    let (open, high, low, close) = try cursor.prices(bytes, first: &first)
    // The average price is unused, so the candle is valid whatever it is.
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
