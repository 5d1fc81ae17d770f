import MarketModel
import WireJSON

/// Decodes Kraken messages in one pass into reused buffers, without allocation once they have
/// grown.
///
/// Messages have a `channel` (data) or a `method` (responses).
/// https://docs.kraken.com/exchange/api-reference/spot-websocket-v2
struct KrakenDecoder: BookDecoder {
  /// Only requested pairs get a number; rows of others are skipped unread.
  var symbols = SymbolTable()
  /// The scales of each pair; nil before the instrument channel has listed it.
  private var scales: [BookScales?] = []
  /// Whether pairs that were not requested are kept as well: for recordings.
  let takesEverything: Bool
  /// The channel of the latest message, even if that was rejected later; nil when unknown.
  private(set) var channel: KrakenChannel?
  /// Rows of the latest message, of the kind that ``channel`` names.
  var books: [KrakenBookPart] = []
  var levels: [LevelRow] = []
  var trades: [TapeRow] = []
  /// Whether the latest trade message had no row at all, not even of a pair that is not kept.
  var hasNoTrades = false
  var tickers: [DayFiguresRow] = []
  var instruments: [(symbol: Symbol, info: KrakenPairInfo)] = []
  /// The names of pairs that are left out; nil for a row without one.
  var skipped: [String?] = []

  private var messageKeys = KeyOrder()
  var bookKeys = KeyOrder()
  var levelKeys = KeyOrder()
  var tradeKeys = KeyOrder()

  private var seen = KeySet()
  private var action: KrakenAction?
  private var answer = KrakenMethodResponse()
  private var isPong = false
  private var isSuccess = false

  private enum Key {
    static let channel: UInt16 = 1
    static let type: UInt16 = 2
    static let data: UInt16 = 4
    static let method: UInt16 = 8
    static let success: UInt16 = 16
    static let error: UInt16 = 32
    static let result: UInt16 = 64
    static let symbol: UInt16 = 128
    static let request: UInt16 = 256
    static let warnings: UInt16 = 512
    static let answer = method | success | error | result | symbol | request | warnings
  }

  init(takesEverything: Bool) { self.takesEverything = takesEverything }

  /// The scales of a pair; nil while unknown.
  @inline(__always)
  func scales(of number: Int) -> BookScales? { number < scales.count ? scales[number] : nil }

  mutating func setScales(_ new: BookScales, of number: Int) {
    while scales.count <= number { scales.append(nil) }
    scales[number] = new
  }

  mutating func decode(_ bytes: Span<UInt8>) throws(BookDecodeError<KrakenChannel>) -> KrakenMessage
  {
    channel = nil
    action = nil
    if seen.holdsAny(of: Key.answer) { forgetAnswer() }
    seen = KeySet()
    do {
      return try decodeObject(bytes)
    } catch {
      throw BookDecodeError(error, channel: channel, in: bytes)
    }
  }

  private mutating func decodeObject(_ bytes: Span<UInt8>) throws(JSONError) -> KrakenMessage {
    var cursor = JSONCursor()
    var place = KeyPlace(messageKeys)
    var message = KrakenMessage.ignored
    var waitingData: Int?
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &messageKeys, &place, range: &key) {
      switch code {
      case KrakenKeyCode.channel:
        try seen.insert(Key.channel, at: key.lowerBound)
        channel = try channelName(bytes, &cursor)
      case KrakenKeyCode.type:
        try seen.insert(Key.type, at: key.lowerBound)
        action = try actionName(bytes, &cursor)
      case KrakenKeyCode.data:
        try seen.insert(Key.data, at: key.lowerBound)
        if channel != nil, action != nil {
          message = try readData(bytes, &cursor)
        } else {
          waitingData = cursor.offset
          try cursor.skipValue(bytes)
        }
      default: try readOther(code, key, bytes, &cursor)
      }
    }
    try cursor.finish(bytes)
    if seen.holds(Key.method) { return classifyAnswer() }
    guard let channel else { return .ignored }
    if channel == .heartbeat { return .heartbeat }
    guard seen.holds(Key.data) else { throw JSONError(.missingKey, at: 0) }
    if let waitingData {
      guard action != nil else { throw JSONError(.missingKey, at: 0) }
      var cursor = JSONCursor(offset: waitingData)
      return try readData(bytes, &cursor)
    }
    return message
  }

  private mutating func readData(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> KrakenMessage {
    guard let channel, let action else { throw JSONError(.missingKey, at: cursor.offset) }
    switch channel {
    case .book:
      try readBooks(action, bytes, &cursor)
      return .books(action)
    case .trade:
      try readTrades(bytes, &cursor)
      return .trades(action)
    case .ticker:
      try readTickers(bytes, &cursor)
      return .tickers(action)
    case .instrument:
      try readInstruments(bytes, &cursor)
      return .instruments(action)
    case .status: return .status(try readStatus(bytes, &cursor))
    case .heartbeat:
      try cursor.skipValue(bytes)
      return .heartbeat
    }
  }

  private func actionName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> KrakenAction {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case KrakenKeyCode.update: return .update
    case KrakenKeyCode.snapshot: return .snapshot
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  private func channelName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> KrakenChannel? {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case KrakenKeyCode.book: return .book
    case KrakenKeyCode.trade: return .trade
    case KrakenKeyCode.ticker: return .ticker
    case KrakenKeyCode.status: return .status
    default: break
    }
    if JSONText.equals(bytes, range, "heartbeat") { return .heartbeat }
    return JSONText.equals(bytes, range, "instrument") ? .instrument : nil
  }
}

// MARK: Responses

extension KrakenDecoder {
  private mutating func readOther(
    _ code: UInt64, _ key: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    switch code {
    case KrakenKeyCode.method:
      try seen.insert(Key.method, at: key.lowerBound)
      try readMethod(bytes, &cursor)
    case KrakenKeyCode.success:
      try seen.insert(Key.success, at: key.lowerBound)
      isSuccess = try cursor.boolean(bytes)
    case KrakenKeyCode.error:
      try seen.insert(Key.error, at: key.lowerBound)
      answer.error = try cursor.cutText(bytes)
    case KrakenKeyCode.warnings:
      try seen.insert(Key.warnings, at: key.lowerBound)
      try answer.readWarnings(bytes, &cursor)
    case KrakenKeyCode.result:
      try seen.insert(Key.result, at: key.lowerBound)
      try answer.readResult(bytes, &cursor)
    case KrakenKeyCode.symbol:
      try seen.insert(Key.symbol, at: key.lowerBound)
      answer.symbol = try KrakenMethodResponse.symbol(bytes, &cursor) ?? answer.symbol
    case KrakenKeyCode.requestIdentifier:
      try seen.insert(Key.request, at: key.lowerBound)
      answer.requestIdentifier = try cursor.wholeNumber(bytes)
    default: try cursor.skipValue(bytes)
    }
  }

  private mutating func readMethod(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    let range = try cursor.string(bytes)
    isPong = JSONText.equals(bytes, range, "pong")
    answer.method = JSONText.decode(bytes, range.prefix(16))
  }

  private mutating func classifyAnswer() -> KrakenMessage {
    if isPong { return .pong }
    guard seen.holds(Key.success) || seen.holds(Key.error) else { return .ignored }
    let isRefusal = seen.holds(Key.success) ? !isSuccess : !answer.error.isEmpty
    if isRefusal { return .refused(answer) }
    answer.warn(answer.error)
    answer.error = ""
    return .acknowledged(answer)
  }

  private mutating func forgetAnswer() {
    answer = KrakenMethodResponse()
    isPong = false
    isSuccess = false
  }
}
