import MarketModel
import WireJSON

/// Decodes Bybit messages in one pass into reused buffers, without allocation once they have grown.
///
/// Data messages have a `topic`, responses `success` or `op`. Keys come in another order at each
/// market. https://bybit-exchange.github.io/docs/v5/websocket/public/orderbook
struct BybitDecoder: SpelledDecoder {
  typealias Message = BybitMessage
  typealias Wire = BybitChannel

  /// Only requested instruments get a number; rows of others are skipped unread.
  var symbols = SymbolTable()
  let takesEverything: Bool
  /// The scales of instruments, which no message states.
  var spelled = SpelledScales()
  var reader = SpelledReader(trimsZeros: true)
  /// The channel of the latest message, even if that was rejected later; nil when unknown.
  private(set) var channel: BybitChannel?
  /// Rows of the latest message, of the kind that ``channel`` names.
  var book = BybitBookPart()
  var levels: [LevelRow] = []
  var trades: [TapeRow] = []
  var tickers: [BybitTicker] = []

  private var messageKeys = KeyOrder()
  var bookKeys = KeyOrder()
  var tradeKeys = KeyOrder()

  private var seen = KeySet()
  private var isSnapshot: Bool?
  private(set) var number: Int?
  private(set) var name = 0..<0
  private var response = BybitResponse()
  private var isSuccess = false

  private enum Key {
    static let topic: UInt16 = 1
    static let type: UInt16 = 2
    static let data: UInt16 = 4
    static let success: UInt16 = 8
    static let message: UInt16 = 16
    static let operation: UInt16 = 32
    static let request: UInt16 = 64
    static let response = success | message | operation | request
  }

  init(takesEverything: Bool) { self.takesEverything = takesEverything }

  private mutating func begin() {
    (channel, isSnapshot, number) = (nil, nil, nil)
    if seen.holdsAny(of: Key.response) { (response, isSuccess) = (BybitResponse(), false) }
    seen = KeySet()
  }

  mutating func decodeObject(_ bytes: Span<UInt8>) throws(JSONError) -> BybitMessage {
    begin()
    var cursor = JSONCursor()
    var place = KeyPlace(messageKeys)
    var message = BybitMessage.ignored
    var waitingData: Int?
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &messageKeys, &place, range: &key) {
      switch code {
      case BybitKeyCode.topic:
        try seen.insert(Key.topic, at: key.lowerBound)
        try readTopic(bytes, try cursor.string(bytes))
      case BybitKeyCode.type:
        try seen.insert(Key.type, at: key.lowerBound)
        isSnapshot = try typeName(bytes, &cursor)
      case BybitKeyCode.data:
        try seen.insert(Key.data, at: key.lowerBound)
        if seen.holds(Key.topic | Key.type) {
          message = try readData(bytes, &cursor)
        } else {
          waitingData = cursor.offset
          try cursor.skipValue(bytes)
        }
      case BybitKeyCode.fetched:
        // The envelope of this program: the path comes first.
        guard !seen.holdsAny(of: .max) else { throw JSONError(.duplicateKey, at: key.lowerBound) }
        channel = .fetched
        return try readFetched(bytes, &cursor)
      default: try readOther(code, key, bytes, &cursor)
      }
    }
    try cursor.finish(bytes)
    guard seen.holds(Key.topic) else {
      guard !seen.holds(Key.data) else { throw JSONError(.missingKey, at: 0) }
      return classifyResponse()
    }
    guard channel != nil else { return .ignored }
    guard seen.holds(Key.data | Key.type) else { throw JSONError(.missingKey, at: 0) }
    if let waitingData {
      var cursor = JSONCursor(offset: waitingData)
      return try readData(bytes, &cursor)
    }
    return message
  }

  /// Reads "orderbook.50.BTCUSDT": the channel and the instrument's number.
  private mutating func readTopic(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONError) {
    guard let dot = range.last(where: { bytes[$0] == UInt8(ascii: ".") }) else { return }
    let kind = range.lowerBound..<dot
    channel =
      if JSONText.equals(bytes, kind, "orderbook.1") {
        .bestLevels
      } else if BybitDecoder.isBook(bytes, kind) {
        .book
      } else if JSONText.equals(bytes, kind, "publicTrade") {
        .trades
      } else if JSONText.equals(bytes, kind, "tickers") {
        .tickers
      } else {
        nil
      }
    guard channel != nil else { return }
    name = dot + 1..<range.upperBound
    number = try symbols.number(bytes, name, adding: takesEverything)
  }

  private static func isBook(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    JSONText.equals(bytes, name, "orderbook.50") || JSONText.equals(bytes, name, "orderbook.200")
      || JSONText.equals(bytes, name, "orderbook.1000")
  }

  private mutating func readData(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BybitMessage {
    guard let channel, let number, let isSnapshot else {
      try cursor.skipValue(bytes)
      return .ignored
    }
    reader.scales = spelled[number]
    switch channel {
    case .book:
      try readBook(of: number, bytes, &cursor)
      return .book(isSnapshot: isSnapshot || book.update == 1)
    case .bestLevels:
      try readBook(of: number, bytes, &cursor)
      return .bestLevels
    case .trades:
      try readTrades(of: number, bytes, &cursor)
      return .trades
    case .tickers:
      try readTicker(of: number, isDelta: !isSnapshot, bytes, &cursor)
      return .tickers(isSnapshot: isSnapshot)
    case .fetched: return .ignored
    }
  }

  /// Reads `"/v5/market/instruments-info?category=spot","status":200,"body":{…}}`.
  private func readFetched(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BybitMessage {
    // Recordings have the whole address.
    let path = JSONText.decode(bytes, try cursor.string(bytes).prefix(2048))
    let members = try FetchedResponse.Members(bytes, after: &cursor)
    for list in [InstrumentList.bybit, .bybitLinear] {
      if let outcome = try list.outcome(of: path, members, bytes) { return .list(outcome) }
    }
    return .ignored
  }

  private func typeName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Bool {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case BybitKeyCode.delta: return false
    case BybitKeyCode.snapshot: return true
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }
}

// MARK: Responses

extension BybitDecoder {
  private mutating func readOther(
    _ code: UInt64, _ key: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    switch code {
    case BybitKeyCode.success:
      try seen.insert(Key.success, at: key.lowerBound)
      isSuccess = try cursor.boolean(bytes)
    case BybitKeyCode.message:
      try seen.insert(Key.message, at: key.lowerBound)
      response.text = try cursor.cutText(bytes)
    case BybitKeyCode.operation:
      try seen.insert(Key.operation, at: key.lowerBound)
      response.operation = String(try cursor.cutText(bytes).prefix(16))
    case BybitKeyCode.request:
      try seen.insert(Key.request, at: key.lowerBound)
      response.request = String(try cursor.cutText(bytes).prefix(64))
    default: try cursor.skipValue(bytes)
    }
  }

  private func classifyResponse() -> BybitMessage {
    if response.operation == "ping" || response.operation == "pong" { return .pong }
    guard seen.holds(Key.success) else { return .ignored }
    return isSuccess ? .acknowledged(response) : .refused(response)
  }
}

// Rows of a message. Known keys may come once and in any order, unknown keys are skipped. Prices
// and sizes are strings; every one is read exactly.

extension BybitDecoder {
  /// Maximum levels of a message: a whole snapshot of the deepest book.
  static let maximumLevels = 2 * 1000

  /// Reads `{"s":"BTCUSDT","b":[["78715","1.27"],…],"a":[…],"u":217107084,"seq":113099229623}`.
  @inline(never)
  mutating func readBook(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    levels.empty()
    book = BybitBookPart(number: number)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(bookKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &bookKeys, &place, range: &key) {
      switch code {
      case BybitKeyCode.bids:
        try seen.insert(1, at: key.lowerBound)
        try readLevels(isBid: true, atMost: Self.maximumLevels, bytes, &cursor)
      case BybitKeyCode.asks:
        try seen.insert(2, at: key.lowerBound)
        try readLevels(isBid: false, atMost: Self.maximumLevels, bytes, &cursor)
      case BybitKeyCode.update:
        try seen.insert(4, at: key.lowerBound)
        book.update = try cursor.integer(bytes)
      case BybitKeyCode.sequence:
        try seen.insert(8, at: key.lowerBound)
        book.sequence = try cursor.integer(bytes)
      case BybitKeyCode.symbol: try confirmName(bytes, try cursor.string(bytes))
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4, at: start)
  }

  mutating func readTrades(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    trades.empty()
    try readRows(bytes, &cursor) { (decoder, cursor) throws(JSONError) in
      decoder.trades.append(try decoder.tradeRow(of: number, bytes, &cursor))
    }
  }

  private mutating func tradeRow(
    of number: Int, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> TapeRow {
    var row = TapeRow(number: number, isNumbered: false)
    var seen = KeySet()
    let start = cursor.offset
    var place = KeyPlace(tradeKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &tradeKeys, &place, range: &key) {
      let offset = cursor.offset
      switch code {
      case BybitKeyCode.identifier:
        try seen.insert(1, at: key.lowerBound)
        row.identifier = try identifier(bytes, &cursor)
      case BybitKeyCode.price:
        try seen.insert(2, at: key.lowerBound)
        row.price = try reader.price(bytes, &cursor)
      case BybitKeyCode.size:
        try seen.insert(4, at: key.lowerBound)
        row.size = try reader.size(bytes, &cursor)
        guard row.size > 0 else { throw JSONError(.numberOutOfRange, at: offset) }
      case BybitKeyCode.side:
        try seen.insert(8, at: key.lowerBound)
        row.side = try side(bytes, &cursor)
      case BybitKeyCode.time:
        try seen.insert(16, at: key.lowerBound)
        row.time = try cursor.milliseconds(bytes)
      case BybitKeyCode.symbol: try confirmName(bytes, try cursor.string(bytes))
      default: try cursor.skipValue(bytes)
      }
    }
    try seen.require(1 | 2 | 4 | 8 | 16, at: start)
    return row
  }

  /// A hash of the venue's text: numbers with holes at spot, GUIDs at derivatives.
  private func identifier(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64 {
    let range = try cursor.string(bytes)
    var hash = FNV1a()
    for index in range { hash.combine(byte: bytes[index]) }
    return Int64(bitPattern: hash.value)
  }

  private func side(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Side {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case BybitKeyCode.buy: return .buy
    case BybitKeyCode.sell: return .sell
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  /// Reads `{"symbol":"BTCUSDT","lastPrice":"27579.99","prevPrice24h":"29005.97",…}`; a delta may
  /// have none of the figures.
  mutating func readTicker(
    of number: Int, isDelta: Bool, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    tickers.empty()
    var row = DayFiguresRow(number: number)
    var open: FixedDecimal?
    let start = cursor.offset
    let figures: [StaticString] = [
      "lastPrice", "prevPrice24h", "highPrice24h", "lowPrice24h", "volume24h",
    ]
    try cursor.object(bytes, oneOf: isDelta ? [] : figures) { (key, cursor) throws(JSONError) in
      switch key {
      case "lastPrice": row.last = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "prevPrice24h": open = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "highPrice24h": row.high = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "lowPrice24h": row.low = try DayFiguresRow.price(bytes, &cursor)?.trimmed
      case "volume24h": row.volume = try DayFiguresRow.amount(bytes, &cursor)?.trimmed
      case "symbol": try confirmName(bytes, try cursor.string(bytes))
      default: break
      }
    }
    if let high = row.high, let low = row.low, low > high {
      throw JSONError(.numberOutOfRange, at: start)
    }
    row.setChange(from: open)
    tickers.append(BybitTicker(row: row, open: open))
  }
}
