import MarketModel

enum BinanceChannel: UInt8, WireChannel {
  static let venueName = "Binance"

  /// `<symbol>@depth@100ms`: changes, with the range of their numbers.
  case book
  /// `<symbol>@bookTicker`: the best levels, with the number of the book that they belong to.
  case bestLevels
  case trades
  case tickers
  /// A response over HTTP.
  case fetched

  /// As in the name of a stream, behind the symbol.
  var name: String {
    switch self {
    case .book: "depth@100ms"
    case .bestLevels: "bookTicker"
    case .trades: "trade"
    case .tickers: "ticker"
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
enum BinanceMessage: Equatable {
  case book
  case bestLevels
  case trades
  /// Figures of the last 24 hours.
  case tickers
  /// A snapshot of a book over HTTP, in the buffers of a book.
  case snapshot
  /// An instrument's steps and state over HTTP.
  case details
  /// The response to the session's probe.
  case pong
  /// A response with the list of instruments. Indirect like the next cases, because messages are
  /// copied.
  indirect case list(ListOutcome)
  /// A failed request over HTTP.
  indirect case failed(BinanceFailure)
  /// A refused request over the WebSocket.
  indirect case refused(String)
  /// The server will close its connections.
  case shutdown
  /// Anything else: acknowledgements, unknown streams, unrequested instruments.
  case ignored
}

struct BinanceFailure: Equatable, CustomStringConvertible {
  var request: BinanceRequest
  /// The HTTP status; 0 without a response.
  var status: Int
  /// The venue's code: -1121 for an unknown symbol.
  var code: Int64?
  /// The venue's text, cut to 512 bytes.
  var text = ""
  var retryAfterSeconds: Int?

  /// For logs: "Binance depth of BTCUSDT: HTTP 429: Too much request weight used".
  var description: String {
    let reason = status == 0 ? "no response" : "HTTP \(status)"
    return "Binance \(request.name) of \(request.symbol): \(reason)"
      + (text.isEmpty ? "" : ": \(text)")
  }
}

/// The number range of one update, or the number of a snapshot.
struct BinanceBookPart: Equatable {
  var number = 0
  /// The first number that the update contains; equal to ``last`` for a snapshot.
  var first: Int64 = 0
  var last: Int64 = 0
}

/// The prices between which a snapshot states all levels, in units of the price scale; nil where it
/// states the whole side.
struct BinanceEdges: Equatable {
  var lowestBid: Int64?
  var highestAsk: Int64?
}

/// What `exchangeInfo` states of one instrument.
struct BinanceListing: Equatable {
  var number = 0
  var tickSize: FixedDecimal?
  var stepSize: FixedDecimal?
  var isTrading = true
}

/// A request over HTTP.
enum BinanceRequest: Hashable {
  case depth(Symbol)
  case details(Symbol)

  /// Rows a side of a snapshot.
  static let depthLimit = 1000

  var symbol: Symbol {
    switch self {
    case .depth(let symbol), .details(let symbol): symbol
    }
  }

  var name: String {
    switch self {
    case .depth: "depth"
    case .details: "exchangeInfo"
    }
  }

  var topic: BookTopic {
    switch self {
    case .depth(let symbol): BookTopic(.book, symbol)
    case .details(let symbol): BookTopic(.details, symbol)
    }
  }

  /// Path and query; symbols are letters and digits.
  var path: String {
    switch self {
    case .depth(let symbol): "/api/v3/depth?symbol=\(symbol)&limit=\(Self.depthLimit)"
    case .details(let symbol): "/api/v3/exchangeInfo?symbol=\(symbol)&showPermissionSets=false"
    }
  }

  /// What the request costs of 6000 a minute for an IP address.
  var weight: Int64 {
    switch self {
    case .depth: 50
    case .details: 20
    }
  }

  /// A snapshot of 1000 rows a side has about 50 kB.
  static let maximumBytes = 1 << 20
}

/// Binance's short keys as `JSONCursor.keyCode` returns them; a test spells each one out.
enum BinanceKeyCode {
  static let stream: UInt64 = 0x6d61_6572_7473
  static let data: UInt64 = 0x6174_6164
  static let identifier: UInt64 = 0x6469
  static let code: UInt64 = 0x6564_6f63
  static let message: UInt64 = 0x67_736d
  static let error: UInt64 = 0x72_6f72_7265
  static let event: UInt64 = 0x65
  static let fetched: UInt64 = 0x64_6568_6374_6566
  static let symbol: UInt64 = 0x73
  static let first: UInt64 = 0x55
  static let last: UInt64 = 0x75
  static let bids: UInt64 = 0x62
  static let asks: UInt64 = 0x61
  static let bidSize: UInt64 = 0x42
  static let askSize: UInt64 = 0x41
  static let trade: UInt64 = 0x74
  static let price: UInt64 = 0x70
  static let size: UInt64 = 0x71
  static let time: UInt64 = 0x54
  static let isBuyerMaker: UInt64 = 0x6d
  static let eventTime: UInt64 = 0x45
}
