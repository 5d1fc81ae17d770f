import MarketModel

enum OKXChannel: UInt8, WireChannel {
  static let venueName = "OKX"

  case books
  /// The best level of each side, `bbo-tbt`, with the number of the book that it belongs to.
  case bestLevels
  /// `books5`, which recordings may contain; its best levels are used.
  case fiveLevels
  case trades
  case tickers
  case status
  /// A book over HTTP.
  case fetched

  var name: String {
    switch self {
    case .books: "books"
    case .bestLevels: "bbo-tbt"
    case .fiveLevels: "books5"
    case .trades: "trades"
    case .tickers: "tickers"
    case .status: "status"
    case .fetched: "response"
    }
  }

  var part: BookTopic.Part? {
    switch self {
    case .books: .book
    case .bestLevels: .audit
    case .fiveLevels, .fetched: nil
    case .trades: .trades
    case .tickers: .figures
    case .status: .details
    }
  }

  init?(name: String) {
    let all: [OKXChannel] = [.books, .bestLevels, .fiveLevels, .trades, .tickers, .status]
    guard let channel = all.first(where: { $0.name == name }) else { return nil }
    self = channel
  }
}

/// Whether a message replaces the whole book.
enum OKXAction: UInt8, Equatable {
  case snapshot
  case update
}

/// A message after decoding; the rows of a data message stay in the decoder's buffers.
enum OKXMessage: Equatable {
  /// The raw text `pong`, which is not JSON.
  case pong
  case book(OKXAction)
  /// A snapshot over HTTP, in the buffers of a book.
  case fetchedBook
  /// A request over HTTP failed. Indirect, because messages are copied.
  indirect case fetchFailed(OKXFetchFailure)
  /// A response with the list of instruments.
  indirect case list(ListOutcome)
  case bestLevels
  case trades
  /// Figures of the last 24 hours.
  case tickers
  case maintenance(isOngoing: Bool)
  /// A request was carried out for one topic.
  ///
  /// Indirect like the next cases: events are rare and large, and messages are copied.
  indirect case subscribed(OKXEvent)
  indirect case unsubscribed(OKXEvent)
  indirect case refused(OKXEvent)
  /// The venue announces the end of the connection.
  indirect case notice(OKXEvent)
  /// Anything else: unknown channels, unrequested instruments, unknown events.
  case ignored
}

struct OKXEvent: Equatable, CustomStringConvertible {
  /// "60018"; empty on success.
  var code = ""
  /// The venue's text, cut to 512 bytes.
  var text = ""
  /// From `arg`, or of an error from its text.
  var channel: OKXChannel?
  var symbol: Symbol?

  /// For logs: "OKX 60018: Wrong URL or channel:…".
  var description: String { "OKX \(code): \(text)" }

  /// Reads "channel:books,instId:NOPE-USDT doesn't exist" from an error's text.
  mutating func readTopicFromText() {
    func word(after label: String) -> String? {
      guard let start = text.range(ofASCII: label) else { return nil }
      let rest = text.utf8[start...].prefix {
        $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ".")
      }
      return rest.isEmpty ? nil : String(rest)
    }
    channel = word(after: "channel:").flatMap(OKXChannel.init(name:)) ?? channel
    symbol = word(after: "instId:").flatMap { Symbol($0) } ?? symbol
  }
}

extension String {
  /// The index after the first occurrence of an ASCII text; nil without one.
  fileprivate func range(ofASCII label: String) -> String.Index? {
    var place = utf8.startIndex
    while place < utf8.endIndex {
      if utf8[place...].starts(with: label.utf8) {
        return utf8.index(place, offsetBy: label.utf8.count)
      }
      place = utf8.index(after: place)
    }
    return nil
  }
}

/// A book that was requested over HTTP, for channels that start without a snapshot.
enum OKXBookRequest {
  /// 400 rows a side have about 26 kB.
  static let maximumBytes = 1 << 20
  /// The venue allows forty requests in two seconds; between two of them.
  static let spacingMilliseconds: Int64 = 250

  /// Path and query; symbols are letters, digits and hyphens.
  static func path(_ symbol: Symbol) -> String {
    "/api/v5/market/books?instId=\(symbol)&sz=\(OKXBookSync.depth)&source=0"
  }
}

struct OKXFetchFailure: Equatable {
  var symbol: Symbol
  /// The HTTP status; 0 without a response.
  var status: Int
  /// The venue's code: 51001 for an unknown instrument, 50011 for too many requests.
  var code = ""
  /// The venue's text, cut to 512 bytes.
  var text = ""
  var retryAfterSeconds: Int?

  /// For logs: "OKX book of BTC-USDT: HTTP 429: Too Many Requests".
  var description: String {
    let reason = status == 0 ? "no response" : "HTTP \(status)"
    return "OKX book of \(symbol): \(reason)"
      + (code.isEmpty || code == "0" ? "" : ", code \(code)") + (text.isEmpty ? "" : ": \(text)")
  }
}

/// One book of a message.
struct OKXBookPart: Equatable {
  var number = 0
  /// The number of this state; nil in recordings from before 2023.
  var sequence: Int64?
  /// The number of the state before; -1 in a snapshot, nil where the venue sends none.
  var previous: Int64?
  /// Nil where the venue sends none, which it spells 0 since 23 June 2026.
  var checksum: Int32?
}

/// OKX's short keys and words as `JSONCursor.keyCode` returns them; a test spells each one out.
enum OKXKeyCode {
  static let arg: UInt64 = 0x67_7261
  static let data: UInt64 = 0x6174_6164
  static let action: UInt64 = 0x6e6f_6974_6361
  static let instrument: UInt64 = 0x64_4974_736e_69
  static let event: UInt64 = 0x74_6e65_7665
  static let code: UInt64 = 0x6564_6f63
  static let message: UInt64 = 0x67_736d
  static let asks: UInt64 = 0x736b_7361
  static let bids: UInt64 = 0x7364_6962
  static let sequence: UInt64 = 0x64_4971_6573
  static let checksum: UInt64 = 0x6d75_736b_6365_6863
  static let price: UInt64 = 0x7870
  static let size: UInt64 = 0x7a73
  static let side: UInt64 = 0x6564_6973
  static let time: UInt64 = 0x7374
  static let count: UInt64 = 0x74_6e75_6f63
  static let tradeIdentifier: UInt64 = 0x64_4965_6461_7274
  static let buy: UInt64 = 0x79_7562
  static let sell: UInt64 = 0x6c6c_6573
  static let snapshot: UInt64 = 0x746f_6873_7061_6e73
  static let update: UInt64 = 0x6574_6164_7075
  static let books: UInt64 = 0x73_6b6f_6f62
  static let trades: UInt64 = 0x7365_6461_7274
  static let tickers: UInt64 = 0x73_7265_6b63_6974
  static let bestLevels: UInt64 = 0x74_6274_2d6f_6262
  static let fiveLevels: UInt64 = 0x3573_6b6f_6f62
  static let status: UInt64 = 0x7375_7461_7473
  static let fetched: UInt64 = 0x64_6568_6374_6566
}
