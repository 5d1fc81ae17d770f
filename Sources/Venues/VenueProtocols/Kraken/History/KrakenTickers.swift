import MarketModel
import WireJSON

extension VenueTickers {
  static let kraken = VenueTickers(
    path: "/0/public/Ticker", maximumBytes: KrakenHistory.maximumBytes, statesChange: false,
    read: { KrakenTickers.read($0, status: $1, $2, at: $3, $4) })
}

/// Reads Kraken's Ticker of all pairs: last price and the figures of the last 24 hours.
///
/// Its "o" is today's first price, not the price 24 hours ago, so no change is read.
enum KrakenTickers {
  /// More pairs than the venue has ever listed.
  private static let maximumPairs = 8192

  static func read(
    _ names: [Symbol: String], status: Int, _ body: Span<UInt8>, at now: Timestamp,
    _ freshness: Freshness
  ) -> Result<[DayFigures], HistoryFailure> {
    return HistoryFailure.read(body, status: status, atMost: KrakenHistory.maximumBytes) {
      (body) throws(JSONError) in
      let response = try KrakenResponse(body)
      if let failure = response.failure { return .failure(failure) }
      guard let result = response.result else { return .failure(.badAnswer("no result")) }
      var cursor = JSONCursor(offset: result)
      return .success(try rows(symbols(names), body, &cursor, at: now, freshness))
    }
  }

  private static func symbols(_ names: [Symbol: String]) -> [String: Symbol] {
    var symbols: [String: Symbol] = [:]
    for (symbol, text) in names {
      guard let name = KrakenPairName(text) else { continue }
      (symbols[name.altname], symbols[name.key]) = (symbol, symbol)
    }
    return symbols
  }

  private static func rows(
    _ symbols: [String: Symbol], _ bytes: Span<UInt8>, _ cursor: inout JSONCursor,
    at now: Timestamp, _ freshness: Freshness
  ) throws(JSONError) -> [DayFigures] {
    var rows: [DayFigures] = []
    var seen: Set<Symbol> = []
    var count = 0
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      count += 1
      guard count <= maximumPairs else { throw JSONError(.tooLong, at: key.lowerBound) }
      guard key.count <= 64, let symbol = symbols[JSONText.decode(bytes, key)] else {
        try cursor.skipValue(bytes)
        continue
      }
      guard seen.insert(symbol).inserted else {
        throw JSONError(.duplicateKey, at: key.lowerBound)
      }
      var figures = DayFigures(symbol: symbol, freshness: freshness)
      figures.at = now
      try read(into: &figures, bytes, &cursor)
      if figures.last != nil { rows.append(figures) }
    }
    return rows
  }

  /// `{"c":["price","lot"],"v":[today,24 h],"p":[…],"t":[…],"l":[…],"h":[…],…}`.
  private static func read(
    into figures: inout DayFigures, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    let start = cursor.offset
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "c": figures.last = try positive(at: 0, bytes, &cursor)
      case "v": figures.volume = try number(at: 1, bytes, &cursor)
      case "p": figures.vwap = try positive(at: 1, bytes, &cursor)
      case "t": figures.trades = try number(at: 1, bytes, &cursor)?.rounded(to: .whole)?.units
      case "l": figures.low = try positive(at: 1, bytes, &cursor)
      case "h": figures.high = try positive(at: 1, bytes, &cursor)
      default: break
      }
    }
    if let high = figures.high, let low = figures.low, low > high {
      throw JSONError(.numberOutOfRange, at: start)
    }
  }

  /// A price; nil where it is missing, and for 0, which Kraken sends when there is no price.
  private static func positive(
    at place: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    guard let value = try number(at: place, bytes, &cursor), value.units > 0 else { return nil }
    return value
  }

  /// The number at an index of an array; nil where the array or the number is missing or null.
  private static func number(
    at place: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    if try cursor.takeNullIfPresent(bytes) { return nil }
    try cursor.beginArray(bytes)
    var first = true
    for _ in 0..<place {
      guard try cursor.nextElement(bytes, first: &first) else { return nil }
      try cursor.skipValue(bytes)
    }
    guard try cursor.nextElement(bytes, first: &first) else { return nil }
    if try cursor.takeNullIfPresent(bytes) {
      try cursor.skipElements(bytes, first: &first)
      return nil
    }
    let start = cursor.offset
    let value = try cursor.looseDecimal(bytes)
    guard value.units >= 0 else { throw JSONError(.numberOutOfRange, at: start) }
    try cursor.skipElements(bytes, first: &first)
    return value
  }
}
