import MarketModel
import WireJSON

/// Decodes Coinbase messages in one pass into reused buffers, without allocation once they have
/// grown, and counts them.
///
/// `{"channel":…,"timestamp":…,"sequence_num":…,"events":[…]}`, or an error
/// `{"type":"error","message":…}` without a number. The list of products over HTTP is a
/// ``FetchedResponse`` message.
/// https://docs.cdp.coinbase.com/coinbase-app/advanced-trade-apis/websocket/websocket-channels
struct CoinbaseDecoder: BookDecoder {
  /// Units of products whose steps are unknown.
  static let usualScales = BookScales(price: Scale(clamping: 8), quantity: Scale(clamping: 8))

  /// Only requested products get a number.
  var symbols = SymbolTable()
  let takesEverything: Bool
  /// The scales of each product; nil before the first row or the product's steps.
  private var scales: [BookScales?] = []
  private(set) var counter = CoinbaseCounter()
  /// Whether a recording's latest message is the first of another connection.
  private(set) var beginsConnection = false

  /// The channel of the latest message, even if that was rejected later; nil when unknown.
  private(set) var channel: CoinbaseChannel?
  /// When the venue sent the latest message; nil where it has no valid time.
  private(set) var time: Timestamp?
  /// Rows of the latest message, of the kind that ``channel`` names.
  var books: [CoinbaseBookPart] = []
  var levels: [LevelRow] = []
  var trades: [TapeRow] = []
  var tickers: [DayFiguresRow] = []
  var products: [(number: Int, info: CoinbaseProductInfo)] = []
  /// The events of the latest message with trades or figures.
  var parts: [CoinbaseRowPart] = []

  var bookKeys = KeyOrder()
  var tradeKeys = KeyOrder()
  private var messageKeys = KeyOrder()
  var latestProduct = LatestString(0)

  private enum Key {
    static let channel: UInt16 = 1
    static let number: UInt16 = 2
    static let events: UInt16 = 4
    static let type: UInt16 = 8
    static let message: UInt16 = 16
    static let reason: UInt16 = 32
    static let time: UInt16 = 64
    static let checkpoint: UInt16 = 128
  }

  /// What the envelope of a message contains.
  private struct Envelope {
    var seen = KeySet()
    var number: Int64?
    var checkpoint: Int64?
    var events: Int?
    var areEventsRead = false
    var isError = false
    var text = ""
  }

  private var envelope = Envelope()

  init(takesEverything: Bool) { self.takesEverything = takesEverything }

  @inline(__always)
  func scales(of number: Int) -> BookScales? { number < scales.count ? scales[number] : nil }

  mutating func setScales(_ new: BookScales, of number: Int) {
    while scales.count <= number { scales.append(nil) }
    scales[number] = new
  }

  mutating func interrupt() { counter.restart() }

  /// Continues a recording's new connection after its first message.
  mutating func continueConnection() { counter.begin(after: 0) }

  /// Uses nothing more of the connection.
  mutating func endConnection() { counter.end() }

  mutating func decode(
    _ bytes: Span<UInt8>
  ) throws(BookDecodeError<CoinbaseChannel>) -> CoinbaseMessage {
    channel = nil
    time = nil
    beginsConnection = false
    envelope = Envelope()
    let fetched: CoinbaseMessage?
    do {
      fetched = try readMessage(bytes)
    } catch {
      // A message whose number was read is not missing, but its contents are.
      if let number = envelope.number, channel != nil {
        _ = place(number)
      }
      throw BookDecodeError(error, channel: channel, in: bytes)
    }
    return fetched ?? classify()
  }

  /// Reads one message; returns a response over HTTP, nil for a message of the connection.
  private mutating func readMessage(_ bytes: Span<UInt8>) throws(JSONError) -> CoinbaseMessage? {
    var cursor = JSONCursor()
    var place = KeyPlace(messageKeys)
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &messageKeys, &place, range: &key) {
      if code == CoinbaseKeyCode.fetched {
        // The envelope of this program: the path comes first.
        guard !envelope.seen.holdsAny(of: .max) else {
          throw JSONError(.duplicateKey, at: key.lowerBound)
        }
        channel = .fetched
        return try readFetched(bytes, &cursor)
      }
      try readMember(code, key, bytes, &cursor)
    }
    try cursor.finish(bytes)
    if envelope.isError { return nil }
    guard envelope.seen.holds(Key.channel | Key.events),
      envelope.number != nil || envelope.checkpoint != nil
    else { throw JSONError(.missingKey, at: 0) }
    if let events = envelope.events, !envelope.areEventsRead {
      var cursor = JSONCursor(offset: events)
      try readEvents(bytes, &cursor)
    }
    return nil
  }

  /// Reads `"/api/v3/brokerage/market/products?product_type=SPOT","status":200,"body":{…}}`.
  private mutating func readFetched(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> CoinbaseMessage {
    // Recordings have the whole address.
    let path = JSONText.decode(bytes, try cursor.string(bytes).prefix(512))
    let members = try FetchedResponse.Members(bytes, after: &cursor)
    return try InstrumentList.coinbase.outcome(of: path, members, bytes).map { .list($0) } ?? .late
  }

  private mutating func readMember(
    _ code: UInt64, _ key: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    switch code {
    case CoinbaseKeyCode.channel:
      try envelope.seen.insert(Key.channel, at: key.lowerBound)
      channel = try channelName(bytes, &cursor)
    case CoinbaseKeyCode.events:
      try envelope.seen.insert(Key.events, at: key.lowerBound)
      envelope.events = cursor.offset
      if channel == nil {
        try cursor.skipValue(bytes)
      } else {
        try readEvents(bytes, &cursor)
        envelope.areEventsRead = true
      }
    case CoinbaseKeyCode.type:
      try envelope.seen.insert(Key.type, at: key.lowerBound)
      var range = 0..<0
      envelope.isError = try cursor.shortString(bytes, &range) == CoinbaseKeyCode.error
    case CoinbaseKeyCode.message:
      try envelope.seen.insert(Key.message, at: key.lowerBound)
      envelope.text = try cursor.cutText(bytes) + envelope.text
    case CoinbaseKeyCode.reason:
      try envelope.seen.insert(Key.reason, at: key.lowerBound)
      envelope.text += ": " + (try cursor.cutText(bytes))
    default:
      if JSONText.equals(bytes, key, "sequence_num") {
        try envelope.seen.insert(Key.number, at: key.lowerBound)
        envelope.number = try number(bytes, &cursor)
      } else if JSONText.equals(bytes, key, "timestamp") {
        try envelope.seen.insert(Key.time, at: key.lowerBound)
        time = try cursor.timestamp(bytes)
      } else if JSONText.equals(bytes, key, "checkpoint_num") {
        try envelope.seen.insert(Key.checkpoint, at: key.lowerBound)
        envelope.checkpoint = try cursor.integer(bytes)
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }

  private func number(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int64 {
    let start = cursor.offset
    let value = try cursor.integer(bytes)
    guard value >= 0, value < .max else { throw JSONError(.numberOutOfRange, at: start) }
    return value
  }

  /// A name that is not subscribed here may be a damaged name of a book, so it rejects the message.
  private func channelName(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> CoinbaseChannel {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case CoinbaseKeyCode.book: return .book
    case CoinbaseKeyCode.ticker: return .ticker
    case CoinbaseKeyCode.status: return .status
    default: break
    }
    if JSONText.equals(bytes, range, "market_trades") { return .trades }
    if JSONText.equals(bytes, range, "heartbeats") { return .heartbeats }
    if JSONText.equals(bytes, range, "subscriptions") { return .subscriptions }
    throw JSONError(.wrongType, at: range.lowerBound)
  }

  private mutating func readEvents(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    switch channel {
    case .book?: try readBooks(bytes, &cursor)
    case .trades?: try readTrades(bytes, &cursor)
    case .ticker?: try readTickers(bytes, &cursor)
    case .status?: try readProducts(bytes, &cursor)
    case .heartbeats?, .subscriptions?, .fetched?, nil: try cursor.skipValue(bytes)
    }
  }

  private mutating func classify() -> CoinbaseMessage {
    if envelope.isError { return .refused(envelope.text) }
    guard let channel else { return .late }
    guard let number = envelope.number else {
      if let checkpoint = envelope.checkpoint { counter.begin(after: checkpoint) }
      return .data(channel)
    }
    switch place(number) {
    case .next: return .data(channel)
    case .late: return .late
    case .gap(let expected): return .gap(channel, expected: expected, found: number)
    }
  }

  /// Counts a message; in a recording, the number 0 starts another connection.
  private mutating func place(_ number: Int64) -> CoinbaseCounter.Place {
    if takesEverything, number == 0, counter.expected != nil {
      beginsConnection = true
      counter.restart()
    }
    return counter.receive(number, continues: takesEverything)
  }

  /// The event's kind; an unknown one rejects the message.
  func isSnapshot(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Bool {
    var range = 0..<0
    switch try cursor.shortString(bytes, &range) {
    case CoinbaseKeyCode.update: return false
    case CoinbaseKeyCode.snapshot: return true
    default: throw JSONError(.wrongType, at: range.lowerBound)
    }
  }

  /// The number of the product that is the next string; nil for one that a recording can't number.
  ///
  /// Only subscribed products are sent, so another name may be a damaged one: it rejects the
  /// message.
  @inline(__always)
  mutating func product(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) -> Int {
    if let number = cursor.take(latestProduct, bytes) { return number }
    let range = try cursor.string(bytes)
    let number = try symbols.number(bytes, range, adding: takesEverything)
    guard let number else { throw JSONError(.wrongType, at: range.lowerBound) }
    latestProduct.set(bytes, range, number)
    return number
  }
}

extension JSONCursor {
  /// The next string, a decimal number in units of 10^-`scale`; exact.
  @inline(__always)
  mutating func quotedUnits(_ bytes: Span<UInt8>, scale: Scale) throws(JSONError) -> Int64 {
    guard try peek(bytes) == UInt8(ascii: "\"") else { throw JSONError(.wrongType, at: offset) }
    offset &+= 1
    let units = try units(bytes, scale: scale)
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
      throw JSONError(.numberOutOfRange, at: offset)
    }
    offset &+= 1
    return units
  }

  /// The next string, a positive number in units of 10^-`scale`.
  @inline(__always)
  mutating func quotedPositive(_ bytes: Span<UInt8>, scale: Scale) throws(JSONError) -> Int64 {
    let start = offset
    let units = try quotedUnits(bytes, scale: scale)
    guard units > 0 else { throw JSONError(.numberOutOfRange, at: start) }
    return units
  }
}
