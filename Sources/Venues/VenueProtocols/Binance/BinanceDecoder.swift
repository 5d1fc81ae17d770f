import MarketModel
import WireJSON

/// Decodes Binance messages in one pass into reused buffers, without allocation once they have
/// grown.
///
/// Data messages have a `stream` and `data`; responses over HTTP are ``FetchedResponse`` messages.
/// https://github.com/binance/binance-spot-api-docs/blob/master/web-socket-streams.md
struct BinanceDecoder: SpelledDecoder {
  typealias Message = BinanceMessage
  typealias Wire = BinanceChannel

  /// Only requested instruments get a number; rows of others are skipped unread.
  var symbols = SymbolTable()
  let takesEverything: Bool
  /// The scales of instruments: digits in use, of which the venue pads all numbers to eight.
  var spelled = SpelledScales()
  var reader = SpelledReader(trimsZeros: true)
  /// The channel of the latest message, even if that was rejected later; nil when unknown.
  private(set) var channel: BinanceChannel?
  /// Rows of the latest message, of the kind that ``channel`` names.
  var book = BinanceBookPart()
  var edges = BinanceEdges()
  var levels: [LevelRow] = []
  var trades: [TapeRow] = []
  var tickers: [DayFiguresRow] = []
  var listing = BinanceListing()

  private var messageKeys = KeyOrder()
  var bookKeys = KeyOrder()
  var tradeKeys = KeyOrder()

  private(set) var number: Int?
  private(set) var name = 0..<0
  private var isShutdown = false
  private var seen = KeySet()

  private enum Key {
    static let stream: UInt16 = 1
    static let data: UInt16 = 2
    static let identifier: UInt16 = 4
    static let code: UInt16 = 8
    static let message: UInt16 = 16
    static let error: UInt16 = 32
    static let event: UInt16 = 64
    static let fetched: UInt16 = 128
  }

  init(takesEverything: Bool) { self.takesEverything = takesEverything }

  mutating func decodeObject(_ bytes: Span<UInt8>) throws(JSONError) -> BinanceMessage {
    (channel, number, isShutdown) = (nil, nil, false)
    seen = KeySet()
    var cursor = JSONCursor()
    var place = KeyPlace(messageKeys)
    var message = BinanceMessage.ignored
    var data: Int?
    var (identifier, code): (Int64?, Int64?)
    var text = ""
    var key = 0..<0
    while let word = try cursor.nextCode(bytes, &messageKeys, &place, range: &key) {
      switch word {
      case BinanceKeyCode.stream:
        try seen.insert(Key.stream, at: key.lowerBound)
        readStream(bytes, try cursor.string(bytes))
      case BinanceKeyCode.data:
        try seen.insert(Key.data, at: key.lowerBound)
        if seen.holds(Key.stream) {
          message = try readData(bytes, &cursor)
        } else {
          _ = try cursor.peek(bytes)
          data = cursor.offset
          try cursor.skipValue(bytes)
        }
      case BinanceKeyCode.fetched:
        // The envelope of this program: the path comes first.
        try seen.insert(Key.fetched, at: key.lowerBound)
        channel = .fetched
        return try readFetched(bytes, &cursor)
      case BinanceKeyCode.identifier:
        try seen.insert(Key.identifier, at: key.lowerBound)
        identifier = try cursor.wholeNumber(bytes)
      case BinanceKeyCode.code:
        try seen.insert(Key.code, at: key.lowerBound)
        code = try cursor.wholeNumber(bytes)
      case BinanceKeyCode.message:
        try seen.insert(Key.message, at: key.lowerBound)
        text = try cursor.cutText(bytes)
      case BinanceKeyCode.error:
        try seen.insert(Key.error, at: key.lowerBound)
        (code, text) = try readError(bytes, &cursor)
      case BinanceKeyCode.event:
        try seen.insert(Key.event, at: key.lowerBound)
        isShutdown = try cursor.cutText(bytes) == "serverShutdown"
      default: try cursor.skipValue(bytes)
      }
    }
    try cursor.finish(bytes)
    if isShutdown { return .shutdown }
    if let data {
      guard seen.holds(Key.stream) else { throw JSONError(.missingKey, at: 0) }
      var cursor = JSONCursor(offset: data)
      return try readData(bytes, &cursor)
    }
    if seen.holds(Key.stream) {
      guard seen.holds(Key.data) else { throw JSONError(.missingKey, at: 0) }
      return message
    }
    if let code, code != 0 { return .refused("Binance \(code): \(ForeignText.clean(text))") }
    return identifier == BinanceRequests.probeNumber ? .pong : .ignored
  }

  /// Reads "btcusdt@depth@100ms": the channel and the symbol's name, which the data repeat.
  private mutating func readStream(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard let at = range.first(where: { bytes[$0] == UInt8(ascii: "@") }) else {
      isShutdown = JSONText.equals(bytes, range, "!serverShutdown")
      return
    }
    name = range.lowerBound..<at
    let kind = at + 1..<range.upperBound
    channel =
      if JSONText.equals(bytes, kind, "depth@100ms") || JSONText.equals(bytes, kind, "depth") {
        .book
      } else if JSONText.equals(bytes, kind, "bookTicker") {
        .bestLevels
      } else if JSONText.equals(bytes, kind, "trade") {
        .trades
      } else if JSONText.equals(bytes, kind, "ticker") {
        .tickers
      } else {
        nil
      }
  }

  private mutating func readData(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BinanceMessage {
    guard let channel else {
      try cursor.skipValue(bytes)
      return .ignored
    }
    number = try symbolNumber(bytes, in: cursor)
    guard let number else {
      try cursor.skipValue(bytes)
      return .ignored
    }
    reader.scales = spelled[number]
    switch channel {
    case .book:
      try readUpdate(of: number, bytes, &cursor)
      return .book
    case .bestLevels:
      try readBestLevels(of: number, bytes, &cursor)
      return .bestLevels
    case .trades:
      try readTrade(of: number, bytes, &cursor)
      return .trades
    case .tickers:
      try readTicker(of: number, bytes, &cursor)
      return .tickers
    case .fetched: return .ignored
    }
  }

  /// The number of the data's `s`, which comes near its start; nil if it is not requested.
  private mutating func symbolNumber(
    _ bytes: Span<UInt8>, in start: JSONCursor
  ) throws(JSONError) -> Int? {
    var cursor = start
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard JSONCursor.keyCode(bytes, key) == BinanceKeyCode.symbol else {
        try cursor.skipValue(bytes)
        continue
      }
      let range = try cursor.string(bytes)
      try confirmName(bytes, range)
      return try symbols.number(bytes, range, adding: takesEverything)
    }
    throw JSONError(.missingKey, at: start.offset)
  }

  /// Reads `{"code":2,"msg":"Invalid request: …"}`.
  private func readError(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> (code: Int64?, text: String) {
    var (code, text): (Int64?, String) = (nil, "")
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "code": code = try cursor.wholeNumber(bytes)
      case "msg": text = try cursor.cutText(bytes)
      default: break
      }
    }
    return (code, text)
  }
}

// MARK: - Responses over HTTP

extension BinanceDecoder {
  /// Reads `"/api/v3/depth?symbol=BTCUSDT&limit=1000","status":200,"body":{…}}`.
  private mutating func readFetched(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> BinanceMessage {
    // Recordings have the whole address.
    let path = JSONText.decode(bytes, try cursor.string(bytes).prefix(512))
    let members = try FetchedResponse.Members(bytes, after: &cursor)
    if let outcome = try InstrumentList.binance.outcome(of: path, members, bytes) {
      return .list(outcome)
    }
    let request = readPath(path)
    guard let request, let number else { return .ignored }
    guard members.status == 200, let body = members.body else {
      var failure = BinanceFailure(
        request: request, status: members.status, retryAfterSeconds: members.retryAfterSeconds)
      if let body = members.body {
        var cursor = JSONCursor(offset: body)
        if let found = try? readError(bytes, &cursor) {
          (failure.code, failure.text) = (found.code, ForeignText.clean(found.text))
        }
      }
      return .failed(failure)
    }
    var content = JSONCursor(offset: body)
    switch request {
    case .depth:
      reader.scales = spelled[number]
      try readSnapshot(of: number, bytes, &content)
      return .snapshot
    case .details(let symbol):
      try readListing(of: number, symbol, bytes, &content)
      return .details
    }
  }

  private mutating func readPath(_ text: String) -> BinanceRequest? {
    let isDepth = text.contains("/api/v3/depth?")
    guard isDepth || text.contains("/api/v3/exchangeInfo?") else { return nil }
    let query = text.split(separator: "?", maxSplits: 1).last ?? ""
    guard let member = query.split(separator: "&").first(where: { $0.hasPrefix("symbol=") }),
      let symbol = Symbol(String(member.dropFirst(7)))
    else { return nil }
    number = takesEverything ? symbols.number(of: symbol) : symbols.known(symbol)
    return isDepth ? .depth(symbol) : .details(symbol)
  }
}
