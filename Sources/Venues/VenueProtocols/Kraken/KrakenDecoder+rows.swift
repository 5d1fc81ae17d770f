// Trades, pairs and status. Data for charts and tapes is strictly checked, descriptive data is not.

import MarketModel
import VenueCatalogue
import WireJSON

extension KrakenDecoder {
  mutating func readTrades(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
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
    guard let pair = try pairNumber(bytes, symbol), let scales = scales(of: pair) else {
      return nil
    }
    row.number = pair
    var number = JSONCursor(offset: price)
    row.price = try positive(scales.price, bytes, &number)
    number.offset = size
    row.size = try positive(scales.quantity, bytes, &number)
    return row
  }

  private func side(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Side {
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
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard JSONCursor.keyCode(bytes, key) == KrakenKeyCode.pairs else {
        try cursor.skipValue(bytes)
        continue
      }
      try cursor.beginArray(bytes)
      var firstPair = true
      while try cursor.nextElement(bytes, first: &firstPair) {
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
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      switch JSONCursor.keyCode(bytes, key) {
      case KrakenKeyCode.symbol:
        let text = try cursor.cutText(bytes)
        name = text.isEmpty ? nil : text
      case KrakenKeyCode.status: status = try cursor.cutText(bytes)
      default:
        if JSONText.equals(bytes, key, "price_precision") {
          price = try cursor.wholeNumber(bytes)
        } else if JSONText.equals(bytes, key, "qty_precision") {
          quantity = try cursor.wholeNumber(bytes)
        } else {
          try cursor.skipValue(bytes)
        }
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
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        guard JSONCursor.keyCode(bytes, key) == KrakenKeyCode.system else {
          try cursor.skipValue(bytes)
          continue
        }
        let text = try cursor.cutText(bytes)
        system = text == "maintenance" ? .maintenance : .running
      }
    }
    return system
  }
}
