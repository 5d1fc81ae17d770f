import MarketModel
import WireJSON

/// Decodes BitMEX messages in one pass into reused buffers, without allocation once they have
/// grown.
///
/// Messages are classified by their keys, in the venue's own order: error, table, success, info.
struct BitMEXDecoder: BookDecoder {
  var symbols = SymbolTable()
  /// The table of the latest message, even if that was rejected later; nil when unknown.
  var table: BitMEXTable?
  var action: BitMEXAction?
  /// `filter.symbol` of a partial: it identifies an empty one.
  var filterSymbol: Int?
  /// Rows of the latest message of the kind that ``table`` names.
  var bookRows: [BitMEXBookRow] = []
  /// The symbol of all ``bookRows``; nil without rows and for several symbols.
  var bookSymbol: Int?
  var tradeRows: [TapeRow] = []
  var quoteRows: [BitMEXQuoteRow] = []
  var instrumentRows: [BitMEXInstrumentRow] = []

  /// Maximum rows of a book message; a recording may hold the partial of a whole table.
  let maximumBookRows: Int

  private var messageKeys = KeyOrder()
  let sides = StringPair("Buy", "Sell")
  var bookKeys = KeyOrder(reading: ["symbol", "id", "side", "size", "price"])
  var tradeKeys = KeyOrder(reading: ["timestamp", "symbol", "side", "size", "price"])
  var quoteKeys = KeyOrder()
  var instrumentKeys = KeyOrder()
  private var latestTable = LatestString<BitMEXTable?>(nil)

  private var seen = KeySet()
  /// The contents of the failure keys in ``seen``; outdated unless ``seen`` has a failure key.
  private var failure = BitMEXFailure()

  /// Every symbol that occurs gets a number, whether its rows are kept or not.
  init(takesEverything: Bool = true) {
    maximumBookRows = takesEverything ? 1_000_000 : BitMEXBookSync.maximumLevels
  }

  mutating func decode(_ bytes: Span<UInt8>) throws(BookDecodeError<BitMEXTable>) -> BitMEXMessage {
    table = nil
    action = nil
    filterSymbol = nil
    if isPong(bytes) { return .pong }
    seen = KeySet()
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
    var place = KeyPlace(messageKeys)
    var waitingData: Int?
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &messageKeys, &place, range: &key) {
      switch code {
      case BitMEXKeyCode.table:
        try seen.insert(BitMEXKey.table, at: key.lowerBound)
        table = try tableName(bytes, &cursor)
      case BitMEXKeyCode.action:
        try seen.insert(BitMEXKey.action, at: key.lowerBound)
        action = try actionName(bytes, &cursor)
      case BitMEXKeyCode.filter:
        try seen.insert(BitMEXKey.filter, at: key.lowerBound)
        try readFilter(bytes, &cursor)
      case BitMEXKeyCode.data:
        try seen.insert(BitMEXKey.data, at: key.lowerBound)
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
    if seen.holds(BitMEXKey.error) { return .failure(failure) }
    if seen.holds(BitMEXKey.table) {
      guard let table else { return .ignored }
      guard seen.holds(BitMEXKey.data), let action else { throw JSONError(.missingKey, at: 0) }
      if let waitingData {
        var cursor = JSONCursor(offset: waitingData)
        try readRows(table, action, bytes, &cursor)
      }
      return .table
    }
    if seen.holds(BitMEXKey.success) { return .acknowledged }
    return seen.holds(BitMEXKey.info) ? .welcome : .ignored
  }

  @inline(__always)
  private mutating func tableName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BitMEXTable? {
    if let latest = cursor.take(latestTable, bytes) { return latest }
    return otherTable(bytes, try cursor.string(bytes))
  }

  @inline(never)
  private mutating func otherTable(_ bytes: Span<UInt8>, _ range: Range<Int>) -> BitMEXTable? {
    let table: BitMEXTable? =
      if JSONText.equals(bytes, range, "orderBookL2") {
        .orderBookL2
      } else if JSONText.equals(bytes, range, "trade") {
        .trade
      } else if JSONText.equals(bytes, range, "quote") {
        .quote
      } else if JSONText.equals(bytes, range, "instrument") {
        .instrument
      } else if JSONText.equals(bytes, range, "orderBookL2_25") {
        .orderBookL2Top25
      } else {
        nil
      }
    latestTable.set(bytes, range, table)
    return table
  }

  @inline(__always)
  private func actionName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BitMEXAction {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case BitMEXKeyCode.update: return .update
    case BitMEXKeyCode.insert: return .insert
    case BitMEXKeyCode.delete: return .delete
    case BitMEXKeyCode.partial: return .partial
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  private mutating func readFilter(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    if try cursor.takeNullIfPresent(bytes) { return }
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      guard case "symbol" = key, try cursor.peek(bytes) == UInt8(ascii: "\"") else { return }
      filterSymbol = try symbols.number(bytes, &cursor)
    }
  }

  private mutating func readOther(
    _ code: UInt64, _ key: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    if !seen.holdsAny(of: BitMEXKey.failure) { failure = BitMEXFailure() }
    switch code {
    case BitMEXKeyCode.error:
      // Null next to the result of a request means that it was carried out.
      if try cursor.takeNullIfPresent(bytes) { return }
      try seen.insert(BitMEXKey.error, at: key.lowerBound)
      failure.text = try BitMEXFailure.text(bytes, &cursor)
    case BitMEXKeyCode.status:
      try seen.insert(BitMEXKey.status, at: key.lowerBound)
      failure.status = try BitMEXFailure.number(bytes, &cursor)
    case BitMEXKeyCode.meta:
      try seen.insert(BitMEXKey.meta, at: key.lowerBound)
      failure.retryAfterSeconds = try BitMEXFailure.retryAfter(bytes, &cursor)
    case BitMEXKeyCode.request:
      try seen.insert(BitMEXKey.request, at: key.lowerBound)
      try failure.readRequest(bytes, &cursor)
    case BitMEXKeyCode.success:
      try seen.insert(BitMEXKey.success, at: key.lowerBound)
      try cursor.skipValue(bytes)
    case BitMEXKeyCode.info:
      try seen.insert(BitMEXKey.info, at: key.lowerBound)
      try cursor.skipValue(bytes)
    default: try cursor.skipValue(bytes)
    }
  }
}

enum BitMEXKey {
  static let table: UInt16 = 1
  static let action: UInt16 = 2
  static let data: UInt16 = 4
  static let filter: UInt16 = 8
  static let error: UInt16 = 16
  static let status: UInt16 = 32
  static let meta: UInt16 = 64
  static let request: UInt16 = 128
  static let success: UInt16 = 256
  static let info: UInt16 = 512
  static let failure = error | status | meta | request
}

// Rows of BitMEX's table messages as plain integers; the decoder reuses their buffers.

/// BitMEX prices in units of 10^-8: every tick size ever listed fits.
let bitMEXPriceScale = Scale(clamping: 8)

/// The supported tables; all others are ignored.
enum BitMEXTable: UInt8, WireChannel {
  static let venueName = "BitMEX"

  case orderBookL2
  case orderBookL2Top25
  case trade
  case quote
  case instrument

  var name: String {
    switch self {
    case .orderBookL2: "orderBookL2"
    case .orderBookL2Top25: "orderBookL2_25"
    case .trade: "trade"
    case .quote: "quote"
    case .instrument: "instrument"
    }
  }

  var part: BookTopic.Part? {
    switch self {
    case .orderBookL2: .book
    case .orderBookL2Top25: .audit
    case .trade: .trades
    case .quote: .quote
    case .instrument: .details
    }
  }
}

enum BitMEXAction: UInt8, Equatable {
  case partial
  case insert
  case update
  case delete
}

/// A row of `orderBookL2` or `orderBookL2_25`; the present fields depend on action and year.
struct BitMEXBookRow: Equatable {
  /// Index in the decoder's symbol table.
  var symbol = 0
  /// Opaque since July 2023; never used to derive a price.
  var id: Int64 = 0
  /// Nil where the venue sends none (allowed on update and delete).
  var isBid: Bool?
  /// In contracts, positive; nil where absent and on delete.
  var size: Int64?
  /// In units of 10^-8; nil where absent (updates before 2023) and on delete.
  var price: Int64?
}

struct BitMEXQuoteRow: Equatable {
  var symbol = 0
  var top = BestLevels()
}

/// The fields of `instrument` that are used; nil where the message does not change them.
struct BitMEXInstrumentRow: Equatable {
  var symbol = 0
  var tickSize: FixedDecimal?
  var lastPrice: FixedDecimal?
  var bidPrice: FixedDecimal?
  var askPrice: FixedDecimal?
}
