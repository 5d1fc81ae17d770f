// Books of a message. Known keys may come once and in any order, unknown keys are skipped. The
// types of values are strictly checked, and every number is read exactly.

import MarketModel
import WireJSON

extension CoinbaseDecoder {
  /// Rows of one message; the first one of BTC-USD has 44,000.
  static let maximumLevels = 200_000

  private enum Key {
    static let type: UInt16 = 1
    static let product: UInt16 = 2
    static let updates: UInt16 = 4
    static let side: UInt16 = 8
    static let price: UInt16 = 16
    static let size: UInt16 = 32
    static let row = side | price | size
  }

  private struct Draft {
    var seen = KeySet()
    var isSnapshot: Bool?
    var product: Int?
    /// Where the updates begin, until they are read.
    var updates: Int?
  }

  mutating func readBooks(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    books.empty()
    levels.empty()
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) { try readBook(bytes, &cursor) }
  }

  /// `{"type":…,"product_id":…,"updates":[…]}`.
  private mutating func readBook(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    var draft = Draft()
    let (start, begin) = (cursor.offset, levels.count)
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      switch JSONCursor.keyCode(bytes, key) {
      case CoinbaseKeyCode.type:
        try draft.seen.insert(Key.type, at: key.lowerBound)
        draft.isSnapshot = try isSnapshot(bytes, &cursor)
      case CoinbaseKeyCode.updates:
        try draft.seen.insert(Key.updates, at: key.lowerBound)
        draft.updates = cursor.offset
        if let product = draft.product, let isSnapshot = draft.isSnapshot {
          try readLevels(of: product, isSnapshot, bytes, &cursor)
          draft.updates = nil
        } else {
          try cursor.skipValue(bytes)
        }
      default:
        if JSONText.equals(bytes, key, "product_id") {
          try draft.seen.insert(Key.product, at: key.lowerBound)
          draft.product = try product(bytes, &cursor)
        } else {
          try cursor.skipValue(bytes)
        }
      }
    }
    guard let product = draft.product, let isSnapshot = draft.isSnapshot,
      draft.seen.holds(Key.updates)
    else { throw JSONError(.missingKey, at: start) }
    if let updates = draft.updates {
      var cursor = JSONCursor(offset: updates)
      try readLevels(of: product, isSnapshot, bytes, &cursor)
    }
    books.append(
      CoinbaseBookPart(product: product, isSnapshot: isSnapshot, levels: begin..<levels.count))
  }

  /// Separate, so that the compiler inlines the whole usual row here.
  @inline(never)
  private mutating func readLevels(
    of product: Int, _ isSnapshot: Bool, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    let scales = try bookScales(of: product, isSnapshot, bytes, cursor)
    // A copy, so that the offset stays in a register.
    var rows = cursor
    try rows.beginArray(bytes)
    var first = true
    while try rows.nextElement(bytes, first: &first) {
      guard levels.count < Self.maximumLevels else { throw JSONError(.tooLong, at: rows.offset) }
      levels.append(try level(scales, bytes, &rows))
    }
    cursor = rows
  }

  /// `{"side":"bid","event_time":…,"price_level":"78855.8","new_quantity":"0.0023974"}`.
  @inline(always)
  private mutating func level(
    _ scales: BookScales, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> LevelRow {
    var level = LevelRow(isBid: false, price: 0, size: 0)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(bookKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      if code == CoinbaseKeyCode.side {
        try seen.insert(Key.side, at: key.lowerBound)
        level.isBid = try isBid(bytes, &cursor)
      } else if key.count == 11, JSONText.equals(bytes, key, "price_level") {
        try seen.insert(Key.price, at: key.lowerBound)
        level.price = try cursor.quotedPositive(bytes, scale: scales.price)
      } else if key.count == 12, JSONText.equals(bytes, key, "new_quantity") {
        try seen.insert(Key.size, at: key.lowerBound)
        let offset = cursor.offset
        level.size = try cursor.quotedUnits(bytes, scale: scales.quantity)
        guard level.size >= 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      } else {
        try cursor.skipValue(bytes)
      }
    }
    try seen.require(Key.row, at: start)
    return level
  }

  @inline(__always)
  private func isBid(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Bool {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case CoinbaseKeyCode.bid: return true
    case CoinbaseKeyCode.offer: return false
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  /// The scales of a product; the first snapshot decides where the steps are unknown.
  private mutating func bookScales(
    of product: Int, _ isSnapshot: Bool, _ bytes: Span<UInt8>, _ cursor: JSONCursor
  ) throws(JSONError) -> BookScales {
    if let known = scales(of: product) { return known }
    guard isSnapshot else { return Self.usualScales }
    var scales = Self.usualScales
    var cursor = cursor
    try cursor.beginArray(bytes)
    var firstRow = true
    while try cursor.nextElement(bytes, first: &firstRow) {
      // Not the object reader: a snapshot has thousands of rows.
      try cursor.beginObject(bytes)
      var first = true
      while let key = try cursor.nextKey(bytes, first: &first) {
        if JSONText.equals(bytes, key, "price_level") {
          scales.price = max(scales.price, try cursor.looseDecimal(bytes).scale)
        } else if JSONText.equals(bytes, key, "new_quantity") {
          let size = try cursor.looseDecimal(bytes)
          while scales.quantity > size.scale, size.exactly(at: scales.quantity) == nil {
            scales.quantity = Scale(clamping: scales.quantity.digits - 1)
          }
        } else {
          try cursor.skipValue(bytes)
        }
      }
    }
    setScales(scales, of: product)
    return scales
  }
}
