// Rows of the supported tables. Known keys may come once and in any order, null counts as absent,
// unknown keys are skipped. The types of values are strictly checked.

import MarketModel
import WireJSON

extension BitMEXDecoder {
  mutating func readRows(
    _ table: BitMEXTable, _ action: BitMEXAction, _ bytes: Span<UInt8>,
    _ cursor: inout JSONCursor
  ) throws(JSONError) {
    switch table {
    case .orderBookL2, .orderBookL2Top25: try readBookRows(action, bytes, &cursor)
    case .trade:
      tradeRows.empty()
      try cursor.beginArray(bytes)
      var first = true
      while try cursor.nextElement(bytes, first: &first) {
        tradeRows.append(try tradeRow(bytes, &cursor))
      }
    case .quote:
      quoteRows.empty()
      try cursor.beginArray(bytes)
      var first = true
      while try cursor.nextElement(bytes, first: &first) {
        quoteRows.append(try quoteRow(bytes, &cursor))
      }
    case .instrument:
      instrumentRows.empty()
      try cursor.beginArray(bytes)
      var first = true
      while try cursor.nextElement(bytes, first: &first) {
        instrumentRows.append(try instrumentRow(bytes, &cursor))
      }
    }
  }

  /// Separate from the other tables, so that the compiler inlines the whole usual row here.
  @inline(never)
  private mutating func readBookRows(
    _ action: BitMEXAction, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    bookRows.empty()
    bookSymbol = nil
    var others = 0
    // A copy, so that the offset stays in a register.
    var rows = cursor
    try rows.beginArray(bytes)
    var first = true
    while try rows.nextElement(bytes, first: &first) {
      guard bookRows.count < maximumBookRows else {
        throw JSONError(.tooLong, at: rows.offset)
      }
      let row = try bookRow(action, bytes, &rows)
      others |= row.symbol ^ (bookRows.first?.symbol ?? row.symbol)
      bookRows.append(row)
    }
    if others == 0 { bookSymbol = bookRows.first?.symbol }
    cursor = rows
  }

  @inline(always)
  private mutating func bookRow(
    _ action: BitMEXAction, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BitMEXBookRow {
    var row = BitMEXBookRow()
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(bookKeys, variant: Int(action.rawValue))
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      switch code {
      case BitMEXKeyCode.symbol:
        try seen.insert(BitMEXRowKey.symbol, at: key.lowerBound)
        row.symbol = try symbols.number(bytes, &cursor)
      case BitMEXKeyCode.identifier:
        try seen.insert(BitMEXRowKey.identifier, at: key.lowerBound)
        row.id = try cursor.integer(bytes)
      case BitMEXKeyCode.side:
        try seen.insert(BitMEXRowKey.side, at: key.lowerBound)
        row.isBid = try side(bytes, &cursor).map { $0 == .buy }
      case BitMEXKeyCode.size where action != .delete:
        try seen.insert(BitMEXRowKey.size, at: key.lowerBound)
        row.size = try sizeOrNull(bytes, &cursor, least: 1)
      case BitMEXKeyCode.price where action != .delete:
        try seen.insert(BitMEXRowKey.price, at: key.lowerBound)
        row.price = try cursor.unitsOrNull(bytes, scale: bitMEXPriceScale)
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(BitMEXRowKey.symbol | BitMEXRowKey.identifier, at: start)
    if action == .insert || action == .partial {
      guard row.isBid != nil, row.size != nil, row.price != nil else {
        throw JSONError(.missingKey, at: start)
      }
    }
    return row
  }

  private mutating func tradeRow(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> TapeRow {
    var row = TapeRow()
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(tradeKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &tradeKeys, &place, range: &key) {
      switch code {
      case BitMEXKeyCode.symbol:
        try seen.insert(BitMEXRowKey.symbol, at: key.lowerBound)
        row.number = try symbols.number(bytes, &cursor)
      case BitMEXKeyCode.side:
        try seen.insert(BitMEXRowKey.side, at: key.lowerBound)
        row.side = try side(bytes, &cursor)
      case BitMEXKeyCode.size:
        try seen.insert(BitMEXRowKey.size, at: key.lowerBound)
        row.size = try size(bytes, &cursor)
      case BitMEXKeyCode.price:
        try seen.insert(BitMEXRowKey.price, at: key.lowerBound)
        row.price = try cursor.units(bytes, scale: bitMEXPriceScale)
      default:
        guard JSONText.equals(bytes, key, "timestamp") else {
          try cursor.skipValue(bytes)
          continue
        }
        try seen.insert(BitMEXRowKey.time, at: key.lowerBound)
        row.time = try cursor.timestamp(bytes)
      }
    }
    try seen.require(
      BitMEXRowKey.symbol | BitMEXRowKey.size | BitMEXRowKey.price | BitMEXRowKey.time, at: start)
    return row
  }

  private mutating func quoteRow(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BitMEXQuoteRow {
    var row = BitMEXQuoteRow()
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(quoteKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &quoteKeys, &place, range: &key) {
      switch code {
      case BitMEXKeyCode.symbol:
        try seen.insert(BitMEXRowKey.symbol, at: key.lowerBound)
        row.symbol = try symbols.number(bytes, &cursor)
      case BitMEXKeyCode.bidPrice:
        try seen.insert(BitMEXRowKey.price, at: key.lowerBound)
        row.top.bidPrice = try cursor.unitsOrNull(bytes, scale: bitMEXPriceScale)
      case BitMEXKeyCode.bidSize:
        try seen.insert(BitMEXRowKey.size, at: key.lowerBound)
        row.top.bidSize = try sizeOrNull(bytes, &cursor, least: 0)
      case BitMEXKeyCode.askPrice:
        try seen.insert(BitMEXRowKey.askPrice, at: key.lowerBound)
        row.top.askPrice = try cursor.unitsOrNull(bytes, scale: bitMEXPriceScale)
      case BitMEXKeyCode.askSize:
        try seen.insert(BitMEXRowKey.askSize, at: key.lowerBound)
        row.top.askSize = try sizeOrNull(bytes, &cursor, least: 0)
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(BitMEXRowKey.symbol, at: start)
    return row
  }

  private mutating func instrumentRow(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BitMEXInstrumentRow {
    var row = BitMEXInstrumentRow()
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(instrumentKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &instrumentKeys, &place, range: &key) {
      switch code {
      case BitMEXKeyCode.symbol:
        try seen.insert(BitMEXRowKey.symbol, at: key.lowerBound)
        row.symbol = try symbols.number(bytes, &cursor)
      case BitMEXKeyCode.tickSize:
        try seen.insert(BitMEXRowKey.size, at: key.lowerBound)
        row.tickSize = try tolerantDecimal(bytes, &cursor)
      case BitMEXKeyCode.bidPrice:
        try seen.insert(BitMEXRowKey.bidPrice, at: key.lowerBound)
        row.bidPrice = try tolerantDecimal(bytes, &cursor)
      case BitMEXKeyCode.askPrice:
        try seen.insert(BitMEXRowKey.askPrice, at: key.lowerBound)
        row.askPrice = try tolerantDecimal(bytes, &cursor)
      default:
        guard JSONText.equals(bytes, key, "lastPrice") else {
          try cursor.skipValue(bytes)
          continue
        }
        try seen.insert(BitMEXRowKey.price, at: key.lowerBound)
        row.lastPrice = try tolerantDecimal(bytes, &cursor)
      }
    }
    try seen.require(BitMEXRowKey.symbol, at: start)
    return row
  }
}

// MARK: Values

extension BitMEXDecoder {
  /// The size of a book level, at least 1, or of a quote's side, at least 0; nil for null.
  @inline(always)
  private func sizeOrNull(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, least: Int64
  ) throws(JSONError) -> Int64? {
    let start = cursor.offset
    guard let size = try cursor.integerOrNull(bytes) else { return nil }
    guard size >= least else { throw JSONError(.numberOutOfRange, at: start) }
    return size
  }

  /// A trade's size; 0 for the reference prices of indices.
  private func size(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int64 {
    let start = cursor.offset
    let size = try cursor.integer(bytes)
    guard size >= 0 else { throw JSONError(.numberOutOfRange, at: start) }
    return size
  }

  @inline(always)
  private func side(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Side? {
    if let sides, let isBuy = cursor.take(sides, bytes) { return isBuy ? .buy : .sell }
    // A copy, so that the row's cursor stays in a register.
    var copy = cursor
    let side = try otherSide(bytes, &copy)
    cursor = copy
    return side
  }

  @inline(never)
  private func otherSide(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Side? {
    var range = 0..<0
    switch try cursor.shortStringOrNull(bytes, &range) {
    case BitMEXKeyCode.buy: return .buy
    case BitMEXKeyCode.sell: return .sell
    case nil: return nil
    default:
      if range.isEmpty { return nil }
      throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  /// A number for display only; one that needs too many digits counts as absent.
  private func tolerantDecimal(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    if try cursor.takeNullIfPresent(bytes) { return nil }
    var trial = cursor
    do {
      let value = try trial.decimal(bytes)
      cursor = trial
      return value
    } catch {
      guard error.reason == .numberOutOfRange else { throw error }
      try cursor.skipValue(bytes)
      return nil
    }
  }
}

enum BitMEXRowKey {
  static let symbol: UInt16 = 1
  static let identifier: UInt16 = 2
  static let side: UInt16 = 4
  static let size: UInt16 = 8
  static let price: UInt16 = 16
  static let time: UInt16 = 32
  static let askPrice: UInt16 = 64
  static let askSize: UInt16 = 128
  static let bidPrice: UInt16 = 256
}
