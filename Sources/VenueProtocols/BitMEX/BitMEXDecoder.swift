// From the bytes of one BitMEX message to its kind and rows, in one pass and without allocation
// once the buffers have grown. Messages are told apart by their keys, in the order that the
// venue's own errors demand: error, table, success, info.

import MarketModel
import WireJSON

/// Decodes messages one after the other into buffers that it keeps.
struct BitMEXDecoder: BookDecoder {
  var symbols = SymbolTable()
  /// The table of the latest message, also when it was rejected later on; nil when unknown.
  var table: BitMEXTable?
  /// The action of the latest table message.
  var action: BitMEXAction?
  /// `filter.symbol` of a partial: it identifies an empty one.
  var filterSymbol: Int?
  /// Rows of the latest message of the kind that ``table`` names.
  var bookRows: [BitMEXBookRow] = []
  var tradeRows: [TapeRow] = []
  var quoteRows: [BitMEXQuoteRow] = []
  var instrumentRows: [BitMEXInstrumentRow] = []

  private var seen: BitMEXSeenKeys = []
  /// What the failure keys in ``seen`` said; older than the message while there are none.
  private var failure = BitMEXFailure()

  /// Every symbol that occurs gets a number, whoever takes it.
  init(takesEverything: Bool = true) {}

  /// Reads one message whole, or throws and leaves nothing to be used.
  mutating func decode(_ bytes: Span<UInt8>) throws(BookDecodeError<BitMEXTable>) -> BitMEXMessage {
    table = nil
    action = nil
    filterSymbol = nil
    if isPong(bytes) { return .pong }
    seen = []
    do {
      return try decodeObject(bytes)
    } catch {
      throw BookDecodeError(error, channel: table, in: bytes)
    }
  }

  private func isPong(_ bytes: Span<UInt8>) -> Bool {
    bytes.count == 4 && bytes[0] == UInt8(ascii: "p") && bytes[1] == UInt8(ascii: "o")
      && bytes[2] == UInt8(ascii: "n") && bytes[3] == UInt8(ascii: "g")
  }

  private mutating func decodeObject(_ bytes: Span<UInt8>) throws(JSONError) -> BitMEXMessage {
    var cursor = JSONCursor()
    var first = true
    var waitingData: Int?
    var key = 0..<0
    try cursor.beginObject(bytes)
    while let code = try cursor.nextCode(bytes, first: &first, range: &key) {
      switch code {
      case BitMEXWord.table:
        try once(.table, key)
        table = try tableName(bytes, &cursor)
      case BitMEXWord.action:
        try once(.action, key)
        action = try actionName(bytes, &cursor)
      case BitMEXWord.filter:
        try once(.filter, key)
        try readFilter(bytes, &cursor)
      case BitMEXWord.data:
        try once(.data, key)
        if let table, let action {
          try readRows(table, action, bytes, &cursor)
        } else {
          waitingData = cursor.offset
          try cursor.skipValue(bytes)
        }
      default: try readOther(code, key, bytes, &cursor)
      }
    }
    try cursor.finish(bytes)
    return try classify(bytes, waitingData)
  }

  private mutating func classify(
    _ bytes: Span<UInt8>, _ waitingData: Int?
  ) throws(JSONError) -> BitMEXMessage {
    if seen.contains(.error) { return .failure(failure) }
    if seen.contains(.table) {
      guard let table else { return .ignored }
      guard seen.contains(.data), let action else { throw JSONError(.missingKey, at: 0) }
      if let waitingData {
        var cursor = JSONCursor(offset: waitingData)
        try readRows(table, action, bytes, &cursor)
      }
      return .table
    }
    if seen.contains(.success) { return .acknowledged }
    return seen.contains(.info) ? .welcome : .ignored
  }

  /// Notes a known key; throws when it was there before.
  @inline(__always)
  private mutating func once(_ key: BitMEXSeenKeys, _ range: Range<Int>) throws(JSONError) {
    guard seen.insert(key).inserted else {
      throw JSONError(.duplicateKey, at: range.lowerBound)
    }
  }

  private func tableName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BitMEXTable? {
    let range = try cursor.string(bytes)
    if range.count == 11, JSONCursor.eightBytes(bytes, range.lowerBound) == BitMEXWord.orderBoo,
      JSONCursor.keyCode(bytes, (range.lowerBound + 8)..<range.upperBound) == BitMEXWord.kL2
    {
      return .orderBookL2
    }
    switch JSONCursor.keyCode(bytes, range) {
    case BitMEXWord.trade: return .trade
    case BitMEXWord.quote: return .quote
    default: break
    }
    if JSONText.equals(bytes, range, "orderBookL2_25") { return .orderBookL2Top25 }
    return JSONText.equals(bytes, range, "instrument") ? .instrument : nil
  }

  private func actionName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BitMEXAction {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case BitMEXWord.update: return .update
    case BitMEXWord.insert: return .insert
    case BitMEXWord.delete: return .delete
    case BitMEXWord.partial: return .partial
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  private mutating func readFilter(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    if try cursor.takeNullIfPresent(bytes) { return }
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      let isSymbol = JSONCursor.keyCode(bytes, key) == BitMEXWord.symbol
      if isSymbol, try cursor.peek(bytes) == UInt8(ascii: "\"") {
        guard filterSymbol == nil else { throw JSONError(.duplicateKey, at: key.lowerBound) }
        filterSymbol = try symbols.number(bytes, &cursor)
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }

  private mutating func readOther(
    _ code: UInt64, _ key: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    if seen.isDisjoint(with: .failure) { failure = BitMEXFailure() }
    switch code {
    case BitMEXWord.error:
      try once(.error, key)
      failure.text = try BitMEXFailure.text(bytes, &cursor)
    case BitMEXWord.status:
      try once(.status, key)
      failure.status = try BitMEXFailure.number(bytes, &cursor)
    case BitMEXWord.meta:
      try once(.meta, key)
      failure.retryAfterSeconds = try BitMEXFailure.retryAfter(bytes, &cursor)
    case BitMEXWord.request:
      try once(.request, key)
      try failure.readRequest(bytes, &cursor)
    case BitMEXWord.success:
      try once(.success, key)
      try cursor.skipValue(bytes)
    case BitMEXWord.info:
      try once(.info, key)
      try cursor.skipValue(bytes)
    default: try cursor.skipValue(bytes)
    }
  }
}

/// The known keys of a message that have been seen.
struct BitMEXSeenKeys: OptionSet {
  let rawValue: UInt16
  static let table = BitMEXSeenKeys(rawValue: 1)
  static let action = BitMEXSeenKeys(rawValue: 2)
  static let data = BitMEXSeenKeys(rawValue: 4)
  static let filter = BitMEXSeenKeys(rawValue: 8)
  static let error = BitMEXSeenKeys(rawValue: 16)
  static let status = BitMEXSeenKeys(rawValue: 32)
  static let meta = BitMEXSeenKeys(rawValue: 64)
  static let request = BitMEXSeenKeys(rawValue: 128)
  static let success = BitMEXSeenKeys(rawValue: 256)
  static let info = BitMEXSeenKeys(rawValue: 512)
  /// Those that are read into a failure.
  static let failure: BitMEXSeenKeys = [.error, .status, .meta, .request]
}
