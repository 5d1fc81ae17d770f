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
