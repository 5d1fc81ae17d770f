import MarketModel
import WireJSON

/// Decodes Bybit messages in one pass into reused buffers, without allocation once they have grown.
///
/// Data messages have a `topic`, responses `success` or `op`. Keys come in another order at each
/// market. https://bybit-exchange.github.io/docs/v5/websocket/public/orderbook
struct BybitDecoder: SpelledDecoder {
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

  mutating func decode(
    _ bytes: Span<UInt8>
  ) throws(BookDecodeError<BybitChannel>) -> BybitMessage {
    spelled.beginMessage()
    do {
      return try decodeObject(bytes)
    } catch {
      if let message = decodeFiner(bytes, after: error) { return message }
      throw BookDecodeError(error, channel: channel, in: bytes)
    }
  }

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
    number = takesEverything ? try symbols.number(bytes, name) : symbols.known(bytes, name)
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
