import MarketModel

enum BybitChannel: UInt8, WireChannel {
  static let venueName = "Bybit"

  /// `orderbook.50` and deeper ones.
  case book
  /// `orderbook.1`: the best level of each side, with the number of the book that it belongs to.
  case bestLevels
  case trades
  case tickers
  /// A response over HTTP.
  case fetched

  var name: String {
    switch self {
    case .book: "orderbook.\(BybitBookSync.depth)"
    case .bestLevels: "orderbook.1"
    case .trades: "publicTrade"
    case .tickers: "tickers"
    case .fetched: "response"
    }
  }

  var part: BookTopic.Part? {
    switch self {
    case .book: .book
    case .bestLevels: .audit
    case .trades: .trades
    case .tickers: .figures
    case .fetched: nil
    }
  }
}

/// A message after decoding; the rows of a data message stay in the decoder's buffers.
enum BybitMessage: Equatable {
  case book(isSnapshot: Bool)
  case bestLevels
  case trades
  /// Figures of the last 24 hours: all of them, or the changed ones.
  case tickers(isSnapshot: Bool)
  case pong
  /// A request was carried out as a whole.
  ///
  /// Indirect like the next case: responses are rare and large, and messages are copied.
  indirect case acknowledged(BybitResponse)
  /// A request was refused as a whole.
  indirect case refused(BybitResponse)
  /// A response with a page of the list of instruments.
  indirect case list(ListOutcome)
  /// Anything else: unknown topics, unrequested instruments, unknown objects.
  case ignored
}

struct BybitResponse: Equatable, CustomStringConvertible {
  /// "subscribe" or "unsubscribe".
  var operation = ""
  /// The venue's text, cut to 512 bytes.
  var text = ""
  /// As in the request; refusals may lack it.
  var request: String?

  /// For logs: "Bybit subscribe: Invalid symbol :[orderbook.50.NOPE]".
  var description: String { "Bybit \(operation): \(text)" }
}

/// One book of a message.
struct BybitBookPart: Equatable {
  var number = 0
  /// Rises by 1 from message to message of a topic.
  var update: Int64 = 0
  /// Shared by all depths of an instrument and its trades; rises, but not by 1.
  var sequence: Int64?
}

/// The figures of a message, and the price a day ago; what a delta leaves out is unchanged.
struct BybitTicker: Equatable {
  var row: DayFiguresRow
  var open: FixedDecimal?

  /// The figures after this delta of `former` ones.
  func completed(with former: DayFiguresRow) -> DayFiguresRow {
    var whole = row
    whole.last = row.last ?? former.last
    whole.high = row.high ?? former.high
    whole.low = row.low ?? former.low
    whole.volume = row.volume ?? former.volume
    whole.setChange(from: open ?? former.open)
    return whole
  }
}

/// Bybit's short keys and words as `JSONCursor.keyCode` returns them; a test spells each one out.
enum BybitKeyCode {
  static let topic: UInt64 = 0x63_6970_6f74
  static let type: UInt64 = 0x6570_7974
  static let data: UInt64 = 0x6174_6164
  static let success: UInt64 = 0x73_7365_6363_7573
  static let message: UInt64 = 0x67_736d_5f74_6572
  static let operation: UInt64 = 0x706f
  static let request: UInt64 = 0x6469_5f71_6572
  static let symbol: UInt64 = 0x73
  static let bids: UInt64 = 0x62
  static let asks: UInt64 = 0x61
  static let update: UInt64 = 0x75
  static let sequence: UInt64 = 0x71_6573
  static let identifier: UInt64 = 0x69
  static let time: UInt64 = 0x54
  static let price: UInt64 = 0x70
  static let size: UInt64 = 0x76
  static let side: UInt64 = 0x53
  static let buy: UInt64 = 0x79_7542
  static let sell: UInt64 = 0x6c6c_6553
  static let snapshot: UInt64 = 0x746f_6873_7061_6e73
  static let fetched: UInt64 = 0x64_6568_6374_6566
  static let delta: UInt64 = 0x61_746c_6564
}
