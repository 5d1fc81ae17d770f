// Books of a message. Known keys may come once and in any order, unknown keys are skipped. The
// types of values are strictly checked, and every number is read exactly.

import MarketModel
import WireJSON

extension KrakenDecoder {
  /// Maximum changes of one message, whatever the depth of its book.
  static let maximumLevels = KrakenBookSync.maximumChanges(depth: KrakenBookSync.maximumDepth)

  mutating func readBooks(
    _ action: KrakenAction, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    books.empty()
    levels.empty()
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      try readBook(action, bytes, &cursor)
    }
  }

  private struct Draft {
    var symbol: Range<Int>?
    var pair: Int?
    /// The pair's, as soon as its symbol has been read.
    var scales: BookScales?
    /// The offset of a side that came before the symbol, or whose precision is unknown.
    var bids: Int?
    var asks: Int?
    var checksum: UInt32?
  }

  private mutating func readBook(
    _ action: KrakenAction, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    var seen = KeySet()
    var draft = Draft()
    let (start, begin) = (cursor.offset, levels.count)
    var place = KeyPlace(bookKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      switch code {
      case KrakenKeyCode.symbol:
        try seen.insert(1, at: key.lowerBound)
        let symbol = try cursor.string(bytes)
        draft.symbol = symbol
        draft.pair = try symbols.number(bytes, symbol, adding: takesEverything)
        draft.scales = draft.pair.flatMap { scales(of: $0) }
      case KrakenKeyCode.bids:
        try seen.insert(2, at: key.lowerBound)
        draft.bids = try readSide(isBid: true, draft.scales, bytes, &cursor)
      case KrakenKeyCode.asks:
        try seen.insert(4, at: key.lowerBound)
        draft.asks = try readSide(isBid: false, draft.scales, bytes, &cursor)
      case KrakenKeyCode.checksum:
        try seen.insert(8, at: key.lowerBound)
        draft.checksum = try checksum(bytes, &cursor)
      default: try cursor.skipValue(bytes)
      }
    }
    guard seen.holds(1 | 8), seen.holds(2) || seen.holds(4), let checksum = draft.checksum else {
      throw JSONError(.missingKey, at: start)
    }
    guard let pair = draft.pair, let scales = try lateScales(action, draft, bytes) else { return }
    if let bids = draft.bids { try readLevels(isBid: true, scales, bytes, at: bids) }
    if let asks = draft.asks { try readLevels(isBid: false, scales, bytes, at: asks) }
    books.append(
      KrakenBookPart(
        pair: pair, levels: begin..<levels.count, checksum: checksum, scales: scales))
  }

  /// The scales of a book whose rows may still have to be read; nil when they are unknown.
  private mutating func lateScales(
    _ action: KrakenAction, _ draft: Draft, _ bytes: Span<UInt8>
  ) throws(JSONError) -> BookScales? {
    guard let pair = draft.pair else { return nil }
    if let known = self.scales(of: pair) { return known }
    guard takesEverything, action == .snapshot else { return nil }
    let scales = try spelledScales(bytes, (draft.bids, draft.asks))
    setScales(scales, of: pair)
    return scales
  }

  private func checksum(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> UInt32 {
    let offset = cursor.offset
    guard let value = UInt32(exactly: try cursor.integer(bytes)) else {
      throw JSONError(.numberOutOfRange, at: offset)
    }
    return value
  }

  /// Reads a side; or, while its precision is unknown, skips it and returns its offset.
  private mutating func readSide(
    isBid: Bool, _ scales: BookScales?, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int? {
    guard try cursor.peek(bytes) == UInt8(ascii: "[") else {
      throw JSONError(.wrongType, at: cursor.offset)
    }
    if let scales {
      try readLevels(isBid: isBid, scales, bytes, &cursor)
      return nil
    }
    let start = cursor.offset
    try cursor.skipValue(bytes)
    return start
  }

  private mutating func readLevels(
    isBid: Bool, _ scales: BookScales, _ bytes: Span<UInt8>, at offset: Int
  ) throws(JSONError) {
    var cursor = JSONCursor(offset: offset)
    try readLevels(isBid: isBid, scales, bytes, &cursor)
  }

  private mutating func readLevels(
    isBid: Bool, _ scales: BookScales, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      guard levels.count < KrakenDecoder.maximumLevels else {
        throw JSONError(.tooLong, at: cursor.offset)
      }
      levels.append(try level(isBid: isBid, scales, bytes, &cursor))
    }
  }

  @inline(__always)
  private mutating func level(
    isBid: Bool, _ scales: BookScales, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> LevelRow {
    var level = LevelRow(isBid: isBid, price: 0, size: -1)
    let start = cursor.offset
    var place = KeyPlace(levelKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &levelKeys, &place, range: &key) {
      switch code {
      case KrakenKeyCode.price:
        guard level.price == 0 else { throw JSONError(.duplicateKey, at: key.lowerBound) }
        level.price = try positive(scales.price, bytes, &cursor)
      case KrakenKeyCode.quantity:
        guard level.size < 0 else { throw JSONError(.duplicateKey, at: key.lowerBound) }
        let offset = cursor.offset
        level.size = try cursor.units(bytes, scale: scales.quantity)
        guard level.size >= 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      default: try cursor.skipValue(bytes)
      }
    }
    guard level.price > 0, level.size >= 0 else { throw JSONError(.missingKey, at: start) }
    return level
  }

  @inline(__always)
  func positive(
    _ scale: Scale, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64 {
    let offset = cursor.offset
    let units = try cursor.units(bytes, scale: scale)
    guard units > 0 else { throw JSONError(.numberOutOfRange, at: offset) }
    return units
  }

  /// The precision in a snapshot's own spelling, to which the venue pads its numbers.
  ///
  /// For recordings without the instrument channel; the checksum proves whether it is right.
  private func spelledScales(
    _ bytes: Span<UInt8>, _ sides: (bids: Int?, asks: Int?)
  ) throws(JSONError) -> BookScales {
    var scales = BookScales(price: .whole, quantity: .whole)
    for place in [sides.bids, sides.asks] {
      guard let place else { continue }
      var cursor = JSONCursor(offset: place)
      try cursor.beginArray(bytes)
      var firstRow = true
      while try cursor.nextElement(bytes, first: &firstRow) {
        try cursor.object(bytes) { (key, cursor) throws(JSONError) in
          switch key {
          case "price": scales.price = max(scales.price, try cursor.decimal(bytes).scale)
          case "qty": scales.quantity = max(scales.quantity, try cursor.decimal(bytes).scale)
          default: break
          }
        }
      }
    }
    return scales
  }
}
