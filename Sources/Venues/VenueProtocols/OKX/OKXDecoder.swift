import MarketModel
import WireJSON

/// Decodes OKX messages in one pass into reused buffers, without allocation once they have grown.
///
/// Messages have an `arg` with the channel and the instrument; data messages also have `data`,
/// responses and notices an `event`. https://www.okx.com/docs-v5/en/#order-book-trading-market-data
struct OKXDecoder: SpelledDecoder {
  /// Only requested instruments get a number; rows of others are skipped unread.
  var symbols = SymbolTable()
  let takesEverything: Bool
  /// The scales of instruments, which no message states.
  var spelled = SpelledScales()
  var reader = SpelledReader()
  /// The channel of the latest message, even if that was rejected later; nil when unknown.
  private(set) var channel: OKXChannel?
  /// Rows of the latest message, of the kind that ``channel`` names.
  var book = OKXBookPart()
  var levels: [LevelRow] = []
  var trades: [TapeRow] = []
  var tickers: [DayFiguresRow] = []

  private var messageKeys = KeyOrder()
  var bookKeys = KeyOrder()
  var tradeKeys = KeyOrder()

  private var seen = KeySet()
  private var action: OKXAction?
  private(set) var number: Int?
  private(set) var name = 0..<0
  private var event = OKXEvent()
  private var kind = EventKind.other

  private enum EventKind {
    case subscribed, unsubscribed, error, notice, other
  }

  private enum Key {
    static let arg: UInt16 = 1
    static let action: UInt16 = 2
    static let data: UInt16 = 4
    static let event: UInt16 = 8
    static let code: UInt16 = 16
    static let message: UInt16 = 32
    static let response = event | code | message
  }

  init(takesEverything: Bool) { self.takesEverything = takesEverything }

  mutating func decode(_ bytes: Span<UInt8>) throws(BookDecodeError<OKXChannel>) -> OKXMessage {
    if isPong(bytes) {
      spelled.beginMessage()
      channel = nil
      return .pong
    }
    return try decodeAtAnyScale(bytes)
  }

  private func isPong(_ bytes: Span<UInt8>) -> Bool {
    bytes.count == 4 && bytes[0] == UInt8(ascii: "p") && bytes[1] == UInt8(ascii: "o")
      && bytes[2] == UInt8(ascii: "n") && bytes[3] == UInt8(ascii: "g")
  }

  private mutating func begin() {
    (channel, action, number) = (nil, nil, nil)
    if seen.holdsAny(of: Key.response) { (event, kind) = (OKXEvent(), .other) }
    event.symbol = nil
    seen = KeySet()
  }

  mutating func decodeObject(_ bytes: Span<UInt8>) throws(JSONError) -> OKXMessage {
    begin()
    var cursor = JSONCursor()
    var place = KeyPlace(messageKeys)
    var message = OKXMessage.ignored
    var (instrument, waitingData): (Range<Int>?, Int?)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &messageKeys, &place, range: &key) {
      switch code {
      case OKXKeyCode.arg:
        try seen.insert(Key.arg, at: key.lowerBound)
        instrument = try readArgument(bytes, &cursor)
      case OKXKeyCode.action:
        try seen.insert(Key.action, at: key.lowerBound)
        action = try actionName(bytes, &cursor)
      case OKXKeyCode.data:
        try seen.insert(Key.data, at: key.lowerBound)
        // A book's action may follow its rows.
        if seen.holds(Key.arg), channel != .books || action != nil {
          message = try readData(bytes, &cursor)
        } else {
          waitingData = cursor.offset
          try cursor.skipValue(bytes)
        }
      case OKXKeyCode.fetched:
        // The envelope of this program: the path comes first.
        guard !seen.holdsAny(of: .max) else { throw JSONError(.duplicateKey, at: key.lowerBound) }
        channel = .fetched
        return try readFetched(bytes, &cursor)
      default: try readOther(code, key, bytes, &cursor)
      }
    }
    try cursor.finish(bytes)
    if seen.holds(Key.event) { return classifyEvent(bytes, instrument) }
    guard seen.holds(Key.arg) else {
      guard !seen.holds(Key.data) else { throw JSONError(.missingKey, at: 0) }
      return .ignored
    }
    guard channel != nil else { return .ignored }
    guard seen.holds(Key.data) else { throw JSONError(.missingKey, at: 0) }
    if let waitingData {
      var cursor = JSONCursor(offset: waitingData)
      return try readData(bytes, &cursor)
    }
    return message
  }

  /// Reads `{"channel":"books","instId":"BTC-USDT"}`; returns the range of the instrument.
  private mutating func readArgument(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Range<Int>? {
    var instrument: Range<Int>?
    var range = 0..<0
    try cursor.object(bytes, required: ["channel"]) { (key, cursor) throws(JSONError) in
      switch key {
      case "channel": channel = OKXDecoder.channel(try cursor.shortString(bytes, &range))
      case "instId": instrument = try cursor.string(bytes)
      default: break
      }
    }
    if let instrument, channel != nil {
      name = instrument
      number = try symbols.number(bytes, instrument, adding: takesEverything)
    }
    return instrument
  }

  private mutating func readData(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> OKXMessage {
    if channel == .status { return try readStatus(bytes, &cursor) }
    guard let channel, let number else {
      guard try cursor.peek(bytes) == UInt8(ascii: "[") else {
        throw JSONError(.wrongType, at: cursor.offset)
      }
      try cursor.skipValue(bytes)
      return .ignored
    }
    reader.scales = spelled[number]
    switch channel {
    case .books:
      guard let action else { throw JSONError(.missingKey, at: cursor.offset) }
      try readBook(of: number, bytes, &cursor)
      return .book(action)
    case .bestLevels, .fiveLevels:
      try readBook(of: number, bytes, &cursor)
      return .bestLevels
    case .trades:
      try readTrades(of: number, bytes, &cursor)
      return .trades
    case .tickers:
      try readTickers(of: number, bytes, &cursor)
      return .tickers
    case .status, .fetched: return .ignored
    }
  }

  /// Reads `{"fetched":"/api/v5/market/books?instId=BTC-USDT&…","status":200,"body":{…}}` from the
  /// path on: ``FetchedResponse``.
  private mutating func readFetched(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> OKXMessage {
    // Recordings have the whole address.
    let path = JSONText.decode(bytes, try cursor.string(bytes).prefix(512))
    let members = try FetchedResponse.Members(bytes, after: &cursor)
    if let outcome = try InstrumentList.okx.outcome(of: path, members, bytes) {
      return .list(outcome)
    }
    guard let symbol = OKXDecoder.symbol(ofPath: path) else { return .ignored }
    number = takesEverything ? symbols.number(of: symbol) : symbols.known(symbol)
    guard let number else { return .ignored }
    var failure = OKXFetchFailure(
      symbol: symbol, status: members.status, retryAfterSeconds: members.retryAfterSeconds)
    guard let body = members.body else { return .fetchFailed(failure) }
    let data = try readBody(bytes, body, &failure)
    guard members.status == 200, failure.code == "0", let data else { return .fetchFailed(failure) }
    reader.scales = spelled[number]
    var content = JSONCursor(offset: data)
    try readBook(of: number, bytes, &content)
    guard book.sequence != nil else { throw JSONError(.missingKey, at: data) }
    return .fetchedBook
  }

  /// Reads `{"code":"0","msg":"","data":[…]}`; returns the place of the data.
  private func readBody(
    _ bytes: Span<UInt8>, _ start: Int, _ failure: inout OKXFetchFailure
  ) throws(JSONError) -> Int? {
    var cursor = JSONCursor(offset: start)
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else { return nil }
    var data: Int?
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "code": failure.code = String(try cursor.cutText(bytes).prefix(16))
      case "msg": failure.text = ForeignText.clean(try cursor.cutText(bytes))
      case "data": data = try cursor.placeOfValue(bytes)
      default: break
      }
    }
    return data
  }

  private static func symbol(ofPath path: String) -> Symbol? {
    let parts = path.split(separator: "?", maxSplits: 1)
    guard parts.count == 2, parts[0].hasSuffix("/api/v5/market/books"),
      let member = parts[1].split(separator: "&").first(where: { $0.hasPrefix("instId=") })
    else { return nil }
    return Symbol(String(member.dropFirst(7)))
  }

  private func actionName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> OKXAction {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case OKXKeyCode.update: return .update
    case OKXKeyCode.snapshot: return .snapshot
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  private static func channel(_ code: UInt64) -> OKXChannel? {
    switch code {
    case OKXKeyCode.books: .books
    case OKXKeyCode.bestLevels: .bestLevels
    case OKXKeyCode.fiveLevels: .fiveLevels
    case OKXKeyCode.trades: .trades
    case OKXKeyCode.tickers: .tickers
    case OKXKeyCode.status: .status
    default: nil
    }
  }
}

// MARK: Events

extension OKXDecoder {
  private mutating func readOther(
    _ code: UInt64, _ key: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    switch code {
    case OKXKeyCode.event:
      try seen.insert(Key.event, at: key.lowerBound)
      kind =
        switch try cursor.cutText(bytes) {
        case "subscribe": .subscribed
        case "unsubscribe": .unsubscribed
        case "error": .error
        case "notice": .notice
        default: .other
        }
    case OKXKeyCode.code:
      try seen.insert(Key.code, at: key.lowerBound)
      event.code = String(try cursor.cutText(bytes).prefix(16))
    case OKXKeyCode.message:
      try seen.insert(Key.message, at: key.lowerBound)
      event.text = try cursor.cutText(bytes)
    default: try cursor.skipValue(bytes)
    }
  }

  private mutating func classifyEvent(
    _ bytes: Span<UInt8>, _ instrument: Range<Int>?
  ) -> OKXMessage {
    event.channel = channel
    event.symbol = instrument.flatMap { Symbol(JSONText.decode(bytes, $0)) }
    switch kind {
    case .subscribed: return .subscribed(event)
    case .unsubscribed: return .unsubscribed(event)
    case .error:
      event.readTopicFromText()
      return .refused(event)
    case .notice: return .notice(event)
    case .other: return .ignored
    }
  }
}
