// Rows of the ticker channel: the figures of the last 24 hours. A figure may be missing, null or,
// in a market without trades, 0; the other figures remain valid.

import MarketModel
import WireJSON

extension KrakenDecoder {
  mutating func readTickers(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    tickers.empty()
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      let start = cursor
      guard let pair = try tickerPair(bytes, &cursor) else { continue }
      var again = start
      tickers.append(try tickerRow(pair, bytes, &again))
    }
  }

  /// The pair of a row, which is skipped; nil when the pair is not requested.
  private mutating func tickerPair(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int? {
    let start = cursor.offset
    var symbol: Range<Int>?
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONCursor.keyCode(bytes, key) == KrakenKeyCode.symbol {
        guard symbol == nil else { throw JSONError(.duplicateKey, at: key.lowerBound) }
        symbol = try cursor.string(bytes)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    guard let symbol else { throw JSONError(.missingKey, at: start) }
    return try pairNumber(bytes, symbol)
  }

  private func tickerRow(
    _ pair: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> DayFiguresRow {
    var row = DayFiguresRow(number: pair)
    var seen = KeySet()
    let start = cursor.offset
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard let figure = TickerFigure(bytes, key) else {
        try cursor.skipValue(bytes)
        continue
      }
      try seen.insert(1 << figure.rawValue, at: key.lowerBound)
      try figure.read(into: &row, bytes, &cursor)
    }
    guard seen.holdsAny(of: TickerFigure.all) else { throw JSONError(.missingKey, at: start) }
    if let high = row.high, let low = row.low, low > high {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return row
  }
}

/// A key of a ticker row; the raw value is its bit of a ``KeySet``.
private enum TickerFigure: UInt16 {
  case last, change, changePercent, high, low, volume, vwap
  case bid, bidSize, ask, askSize, trades, time

  /// All but the time; a row needs at least one of them.
  static let all: UInt16 = (1 << TickerFigure.time.rawValue) - 1

  init?(_ bytes: Span<UInt8>, _ key: Range<Int>) {
    switch JSONCursor.keyCode(bytes, key) {
    case KrakenKeyCode.last: self = .last
    case KrakenKeyCode.change: self = .change
    case KrakenKeyCode.high: self = .high
    case KrakenKeyCode.low: self = .low
    case KrakenKeyCode.volume: self = .volume
    case KrakenKeyCode.vwap: self = .vwap
    case KrakenKeyCode.bid: self = .bid
    case KrakenKeyCode.bidQuantity: self = .bidSize
    case KrakenKeyCode.ask: self = .ask
    case KrakenKeyCode.askQuantity: self = .askSize
    case KrakenKeyCode.trades: self = .trades
    default:
      if JSONText.equals(bytes, key, "change_pct") {
        self = .changePercent
      } else if JSONText.equals(bytes, key, "timestamp") {
        self = .time
      } else {
        return nil
      }
    }
  }

  func read(
    into row: inout DayFiguresRow, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    if try cursor.takeNullIfPresent(bytes) { return }
    switch self {
    case .last: row.last = try Self.price(bytes, &cursor)
    case .change: row.change = try cursor.decimal(bytes)
    case .changePercent: row.changePercent = try cursor.decimal(bytes)
    case .high: row.high = try Self.price(bytes, &cursor)
    case .low: row.low = try Self.price(bytes, &cursor)
    case .volume: row.volume = try Self.notNegative(bytes, &cursor)
    case .vwap: row.vwap = try Self.price(bytes, &cursor)
    case .bid: row.bid = try Self.price(bytes, &cursor)
    case .bidSize: row.bidSize = try Self.notNegative(bytes, &cursor)
    case .ask: row.ask = try Self.price(bytes, &cursor)
    case .askSize: row.askSize = try Self.notNegative(bytes, &cursor)
    case .trades:
      let offset = cursor.offset
      let count = try cursor.integer(bytes)
      guard count >= 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      row.trades = count
    case .time: row.time = try cursor.timestamp(bytes)
    }
  }

  private static func price(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    let value = try notNegative(bytes, &cursor)
    return value.units == 0 ? nil : value
  }

  private static func notNegative(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal {
    let offset = cursor.offset
    let value = try cursor.decimal(bytes)
    guard value.units >= 0 else { throw JSONError(.numberOutOfRange, at: offset) }
    return value
  }
}
