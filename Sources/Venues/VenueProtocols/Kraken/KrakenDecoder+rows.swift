// Trades, pairs and status. Data for charts and tapes is strictly checked, descriptive data is not.

import MarketModel
import VenueCatalogue
import WireJSON

extension KrakenDecoder {
  mutating func readTrades(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    trades.empty()
    hasNoTrades = true
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      hasNoTrades = false
      if let row = try tradeRow(bytes, &cursor) { trades.append(row) }
    }
  }

  private mutating func tradeRow(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> TapeRow? {
    var row = TapeRow()
    var seen = KeySet()
    let start = cursor.offset
    var (symbol, price, size): (Range<Int>?, Int?, Int?)
    var place = KeyPlace(tradeKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &tradeKeys, &place, range: &key) {
      switch code {
      case KrakenKeyCode.symbol:
        try seen.insert(1, at: key.lowerBound)
        symbol = try cursor.string(bytes)
      case KrakenKeyCode.side:
        try seen.insert(2, at: key.lowerBound)
        row.side = try side(bytes, &cursor)
      case KrakenKeyCode.price:
        try seen.insert(4, at: key.lowerBound)
        price = cursor.offset
        try cursor.skipValue(bytes)
      case KrakenKeyCode.quantity:
        try seen.insert(8, at: key.lowerBound)
        size = cursor.offset
        try cursor.skipValue(bytes)
      case KrakenKeyCode.tradeIdentifier:
        try seen.insert(16, at: key.lowerBound)
        row.identifier = try cursor.integer(bytes)
      default:
        guard JSONText.equals(bytes, key, "timestamp") else {
          try cursor.skipValue(bytes)
          continue
        }
        try seen.insert(32, at: key.lowerBound)
        row.time = try cursor.timestamp(bytes)
      }
    }
    guard let symbol, let price, let size, seen.holds(1 | 2 | 4 | 8 | 16 | 32) else {
      throw JSONError(.missingKey, at: start)
    }
    guard let pair = try symbols.number(bytes, symbol, adding: takesEverything),
      let scales = scales(of: pair)
    else {
      return nil
    }
    row.number = pair
    var number = JSONCursor(offset: price)
    row.price = try positive(scales.price, bytes, &number)
    number.offset = size
    row.size = try positive(scales.quantity, bytes, &number)
    return row
  }

  private func side(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Side {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case KrakenKeyCode.buy: return .buy
    case KrakenKeyCode.sell: return .sell
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  /// Reads `{"assets":[…],"pairs":[…]}`; the assets are ignored.
  mutating func readInstruments(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    instruments.removeAll(keepingCapacity: true)
    skipped.removeAll(keepingCapacity: true)
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      guard case "pairs" = key else { return }
      try cursor.elements(bytes) { (cursor) throws(JSONError) in
        switch try pairRow(bytes, &cursor) {
        case .success(let pair): instruments.append((pair.symbol, pair.info))
        case .failure(let pair): skipped.append(pair.name)
        }
      }
    }
  }

  private struct ListedPair {
    let symbol: Symbol
    let info: KrakenPairInfo
  }

  private struct SkippedPair: Error {
    /// At most 64 characters.
    let name: String?
  }

  /// One pair; a failure when it lacks required values, so that an odd pair affects no other.
  private func pairRow(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Result<ListedPair, SkippedPair> {
    var (name, status): (String?, String?)
    var (price, quantity): (Int64?, Int64?)
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "symbol":
        let text = try cursor.cutText(bytes)
        name = text.isEmpty ? nil : text
      case "status": status = try cursor.cutText(bytes)
      case "price_precision": price = try cursor.wholeNumber(bytes)
      case "qty_precision": quantity = try cursor.wholeNumber(bytes)
      default: break
      }
    }
    guard let symbol = name.flatMap({ Symbol($0) }),
      BookInstrument(pair: symbol, separator: "/", at: .kraken) != nil,
      let price = price.flatMap(Int.init(exactly:)).flatMap(Scale.init(digits:)),
      let quantity = quantity.flatMap(Int.init(exactly:)).flatMap(Scale.init(digits:))
    else { return .failure(SkippedPair(name: name.map { String($0.prefix(64)) })) }
    let closed = ["delisted", "maintenance", "work_in_progress"]
    return .success(
      ListedPair(
        symbol: symbol,
        info: KrakenPairInfo(
          scales: BookScales(price: price, quantity: quantity),
          isOpen: !closed.contains(status ?? "online"))))
  }

  /// Reads `[{"system":"online",…}]`.
  func readStatus(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> KrakenSystem {
    var system = KrakenSystem.running
    try cursor.beginArray(bytes)
    var firstElement = true
    while try cursor.nextElement(bytes, first: &firstElement) {
      try cursor.object(bytes) { (key, cursor) throws(JSONError) in
        guard case "system" = key else { return }
        let text = try cursor.cutText(bytes)
        system = text == "maintenance" ? .maintenance : .running
      }
    }
    return system
  }
}

// Rows of the ticker channel: the figures of the last 24 hours. A figure may be missing, null or,
// in a market without trades, 0; the other figures remain valid.

extension KrakenDecoder {
  mutating func readTickers(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
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
    var symbol = 0..<0
    try cursor.object(bytes, required: ["symbol"]) { (key, cursor) throws(JSONError) in
      if case "symbol" = key { symbol = try cursor.string(bytes) }
    }
    return try symbols.number(bytes, symbol, adding: takesEverything)
  }

  private func tickerRow(
    _ pair: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> DayFiguresRow {
    var row = DayFiguresRow(number: pair)
    let start = cursor.offset
    let figures: [StaticString] = [
      "last", "change", "change_pct", "high", "low", "volume", "vwap", "bid", "bid_qty", "ask",
      "ask_qty", "trades",
    ]
    try cursor.object(bytes, oneOf: figures) { (key, cursor) throws(JSONError) in
      switch key {
      case "last": row.last = try price(bytes, &cursor)
      case "change": row.change = try decimal(bytes, &cursor)
      case "change_pct": row.changePercent = try decimal(bytes, &cursor)
      case "high": row.high = try price(bytes, &cursor)
      case "low": row.low = try price(bytes, &cursor)
      case "volume": row.volume = try notNegative(bytes, &cursor)
      case "vwap": row.vwap = try price(bytes, &cursor)
      case "bid": row.bid = try price(bytes, &cursor)
      case "bid_qty": row.bidSize = try notNegative(bytes, &cursor)
      case "ask": row.ask = try price(bytes, &cursor)
      case "ask_qty": row.askSize = try notNegative(bytes, &cursor)
      case "trades":
        if try cursor.takeNullIfPresent(bytes) { return }
        let offset = cursor.offset
        let count = try cursor.integer(bytes)
        guard count >= 0 else { throw JSONError(.numberOutOfRange, at: offset) }
        row.trades = count
      case "timestamp":
        row.time = try cursor.takeNullIfPresent(bytes) ? nil : cursor.timestamp(bytes)
      default: break
      }
    }
    if let high = row.high, let low = row.low, low > high {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return row
  }

  /// A positive price; nil for null and 0.
  private func price(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    try notNegative(bytes, &cursor).flatMap { $0.units == 0 ? nil : $0 }
  }

  private func notNegative(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    let offset = cursor.offset
    let value = try decimal(bytes, &cursor)
    if let value, value.units < 0 { throw JSONError(.numberOutOfRange, at: offset) }
    return value
  }

  /// nil for null.
  private func decimal(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    try cursor.takeNullIfPresent(bytes) ? nil : cursor.decimal(bytes)
  }
}
