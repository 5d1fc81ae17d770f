import MarketModel
import WireJSON

/// A message after decoding; the rows of a data message stay in the decoder's buffers.
enum KrakenMessage: Equatable {
  case books(KrakenAction)
  case trades(KrakenAction)
  /// Figures of the last 24 hours.
  case tickers(KrakenAction)
  /// Pairs with their precisions.
  case instruments(KrakenAction)
  /// The greeting, and every change of the engine's state.
  case status(KrakenSystem)
  /// Sent about once a second: the connection is alive.
  case heartbeat
  /// The response to a ping.
  case pong
  /// A request was carried out for one symbol.
  ///
  /// Indirect like the next case: responses are rare and large, and messages are copied.
  indirect case acknowledged(KrakenMethodResponse)
  /// A request was refused, as a whole or for one symbol.
  indirect case refused(KrakenMethodResponse)
  /// Anything else: unknown channels, unknown objects.
  case ignored
}

struct KrakenMethodResponse: Equatable, CustomStringConvertible {
  /// "subscribe" or "unsubscribe"; empty where the venue states none.
  var method = ""
  /// The venue's text, cut to 512 bytes; empty on success.
  var error = ""
  var symbol: Symbol?
  /// The channel, where a result contains it.
  var channel: KrakenChannel?
  var depth: Int?
  /// As in the request.
  var requestIdentifier: Int64?
  /// Warnings of an accepted request: at most ``maximumWarnings``, each cut to 512 bytes.
  var warnings: [String] = []

  static let maximumWarnings = 16

  /// For logs: "Kraken subscribe BTC/USD: Currency pair not supported".
  var description: String { described(error) }

  /// The same with one of ``warnings`` in place of the error.
  func described(_ text: String) -> String {
    let symbol = symbol.map { " \($0)" } ?? ""
    return "Kraken \(method)\(symbol): \(text)"
  }
}

/// Kraken's short keys and words as `JSONCursor.keyCode` returns them; a test spells each one out.
enum KrakenKeyCode {
  static let channel: UInt64 = 0x6c_656e_6e61_6863
  static let type: UInt64 = 0x6570_7974
  static let data: UInt64 = 0x6174_6164
  static let symbol: UInt64 = 0x6c6f_626d_7973
  static let bids: UInt64 = 0x7364_6962
  static let asks: UInt64 = 0x736b_7361
  static let checksum: UInt64 = 0x6d75_736b_6365_6863
  static let price: UInt64 = 0x65_6369_7270
  static let quantity: UInt64 = 0x79_7471
  static let side: UInt64 = 0x6564_6973
  static let tradeIdentifier: UInt64 = 0x6469_5f65_6461_7274
  static let method: UInt64 = 0x646f_6874_656d
  static let success: UInt64 = 0x73_7365_6363_7573
  static let error: UInt64 = 0x72_6f72_7265
  static let warnings: UInt64 = 0x7367_6e69_6e72_6177
  static let result: UInt64 = 0x746c_7573_6572
  static let status: UInt64 = 0x7375_7461_7473
  static let requestIdentifier: UInt64 = 0x6469_5f71_6572
  static let book: UInt64 = 0x6b6f_6f62
  static let trade: UInt64 = 0x65_6461_7274
  static let ticker: UInt64 = 0x7265_6b63_6974
  static let snapshot: UInt64 = 0x746f_6873_7061_6e73
  static let update: UInt64 = 0x6574_6164_7075
  static let buy: UInt64 = 0x79_7562
  static let sell: UInt64 = 0x6c6c_6573
}

// Reads the venue's responses to requests with tolerance: odd parts are skipped, texts are kept.

extension KrakenMethodResponse {
  static func symbol(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Symbol? { Symbol(try cursor.cutText(bytes)) }

  /// `{"channel":"book","depth":100,"symbol":"BTC/USD",…}`.
  mutating func readResult(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else { return try cursor.skipValue(bytes) }
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "symbol": symbol = try Self.symbol(bytes, &cursor) ?? symbol
      case "depth": depth = try cursor.wholeNumber(bytes).flatMap(Int.init(exactly:))
      case "warnings": try readWarnings(bytes, &cursor)
      case "channel":
        switch try cursor.cutText(bytes) {
        case "book": channel = .book
        case "trade": channel = .trade
        case "ticker": channel = .ticker
        case "instrument": channel = .instrument
        default: break
        }
      default: break
      }
    }
  }

  /// `["…"]`; anything else contains no warnings.
  mutating func readWarnings(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "[") else { return try cursor.skipValue(bytes) }
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      warn(try cursor.cutText(bytes))
    }
  }

  mutating func warn(_ text: String) {
    guard !text.isEmpty, warnings.count < Self.maximumWarnings else { return }
    warnings.append(text)
  }
}

enum KrakenChannel: UInt8, WireChannel {
  static let venueName = "Kraken"

  case instrument
  case book
  case trade
  case ticker
  case status
  case heartbeat

  var name: String {
    switch self {
    case .instrument: "instrument"
    case .book: "book"
    case .trade: "trade"
    case .ticker: "ticker"
    case .status: "status"
    case .heartbeat: "heartbeat"
    }
  }

  var part: BookTopic.Part? {
    switch self {
    case .instrument: .details
    case .book: .book
    case .trade: .trades
    case .ticker: .figures
    case .status, .heartbeat: nil
    }
  }
}

/// Whether a message replaces all earlier data.
enum KrakenAction: UInt8, Equatable {
  case snapshot
  case update
}

struct KrakenBookPart: Equatable {
  var pair: Int
  /// The range of its levels in the decoder's buffer.
  var levels: Range<Int>
  var checksum: UInt32
  /// The scales with which the levels were read.
  var scales: BookScales
}

struct KrakenPairInfo: Equatable {
  var scales: BookScales
  /// Whether there is a market: false while the pair is delisted, in preparation or in maintenance.
  var isOpen: Bool
}

enum KrakenSystem: Equatable {
  /// Data flows; trading may be restricted (cancel_only, post_only, limit_only).
  case running
  /// No trading: no updates are expected.
  case maintenance
}
