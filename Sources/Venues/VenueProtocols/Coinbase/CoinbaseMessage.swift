import MarketModel

/// A message after decoding; the rows of a data message stay in the decoder's buffers.
enum CoinbaseMessage: Equatable {
  /// A numbered message in its place; ``CoinbaseDecoder/channel`` names its rows.
  case data(CoinbaseChannel)
  /// Messages before this one are missing. A session uses nothing more of the connection; a
  /// recording applies this one.
  case gap(CoinbaseChannel, expected: Int64, found: Int64)
  /// A number that was received before, or a message after a gap: not used.
  case late
  /// A response with the list of products. Indirect, because messages are copied.
  indirect case list(ListOutcome)
  /// A request was refused; the venue's text, cut to 512 bytes.
  indirect case refused(String)
}

/// Counts the messages of a connection.
///
/// Coinbase numbers all messages of a connection from 0, whatever their channel, responses and
/// heartbeats included. A higher number than the next one means that messages are missing; which
/// ones they were is unknown, so no book of the connection is valid any more.
struct CoinbaseCounter: Equatable {
  /// Lower numbers that each follow the former by one and so prove a restarted count.
  static let restartLength = 8

  enum Place: Equatable {
    case next
    case gap(expected: Int64)
    case late
  }

  /// The next message's number; nil before the first one.
  private(set) var expected: Int64?
  /// Whether messages are missing, so that nothing more of the connection is used.
  private(set) var isBroken = false
  private var lowerRun: (last: Int64, length: Int) = (-1, 0)

  static func == (left: CoinbaseCounter, right: CoinbaseCounter) -> Bool {
    left.expected == right.expected && left.isBroken == right.isBroken
  }

  mutating func restart() { self = CoinbaseCounter() }

  /// Uses nothing more of the connection.
  mutating func end() { isBroken = true }

  /// Continues after the message of this number, for a state that begins there.
  mutating func begin(after number: Int64) {
    if expected == nil { expected = number &+ 1 }
  }

  /// Counts a message.
  ///
  /// Several lower numbers in order mean that the venue restarted its count: also a gap.
  mutating func receive(_ number: Int64, continues: Bool) -> Place {
    if isBroken, !continues { return .late }
    guard let expected else {
      self.expected = number &+ 1
      // A recording may begin anywhere, a connection begins at 0.
      isBroken = number > 0 && !continues
      return isBroken ? .gap(expected: 0) : .next
    }
    // A restarted count that reaches the former one does not continue it.
    let joins = lowerRun.length > 1 && number == lowerRun.last &+ 1
    if number == expected, !joins {
      self.expected = number &+ 1
      lowerRun.length = 0
      return .next
    }
    if number < expected, !isRestart(number) { return .late }
    isBroken = true
    self.expected = number &+ 1
    return .gap(expected: expected)
  }

  private mutating func isRestart(_ number: Int64) -> Bool {
    lowerRun = (number, number == lowerRun.last &+ 1 ? lowerRun.length + 1 : 1)
    guard lowerRun.length >= Self.restartLength else { return false }
    lowerRun.length = 0
    return true
  }
}

/// Coinbase's short keys and words as `JSONCursor.keyCode` returns them; a test spells each out.
enum CoinbaseKeyCode {
  static let channel: UInt64 = 0x6c_656e_6e61_6863
  static let type: UInt64 = 0x6570_7974
  static let events: UInt64 = 0x7374_6e65_7665
  static let message: UInt64 = 0x65_6761_7373_656d
  static let reason: UInt64 = 0x6e6f_7361_6572
  static let updates: UInt64 = 0x73_6574_6164_7075
  static let trades: UInt64 = 0x7365_6461_7274
  static let tickers: UInt64 = 0x73_7265_6b63_6974
  static let side: UInt64 = 0x6564_6973
  static let price: UInt64 = 0x65_6369_7270
  static let size: UInt64 = 0x657a_6973
  static let time: UInt64 = 0x656d_6974
  static let status: UInt64 = 0x7375_7461_7473
  static let bid: UInt64 = 0x64_6962
  static let offer: UInt64 = 0x72_6566_666f
  static let buy: UInt64 = 0x59_5542
  static let sell: UInt64 = 0x4c4c_4553
  static let update: UInt64 = 0x6574_6164_7075
  static let snapshot: UInt64 = 0x746f_6873_7061_6e73
  static let error: UInt64 = 0x72_6f72_7265
  static let book: UInt64 = 0x61_7461_645f_326c
  static let fetched: UInt64 = 0x64_6568_6374_6566
  static let ticker: UInt64 = 0x7265_6b63_6974
}

enum CoinbaseChannel: UInt8, WireChannel {
  static let venueName = "Coinbase"

  /// "l2_data" in messages, "level2" in requests.
  case book
  case trades
  case ticker
  case status
  case heartbeats
  /// The state of the subscriptions, after each request.
  case subscriptions
  /// The list of products over HTTP.
  case fetched

  /// As in requests.
  var name: String {
    switch self {
    case .book: "level2"
    case .trades: "market_trades"
    case .ticker: "ticker"
    case .status: "status"
    case .heartbeats: "heartbeats"
    case .subscriptions: "subscriptions"
    case .fetched: "response"
    }
  }

  var part: BookTopic.Part? {
    switch self {
    case .book: .book
    case .trades: .trades
    case .ticker: .figures
    case .status: .details
    case .heartbeats, .subscriptions, .fetched: nil
    }
  }
}

/// The book of one product in a message.
struct CoinbaseBookPart: Equatable {
  var product: Int
  var isSnapshot: Bool
  /// The range of its levels in the decoder's buffer.
  var levels: Range<Int>
}

/// Where one product's rows of trades or figures lie in the decoder's buffer.
struct CoinbaseRowPart: Equatable {
  var isSnapshot: Bool
  var rows: Range<Int>
}

struct CoinbaseProductInfo: Equatable {
  /// The price step; positive.
  var priceStep: FixedDecimal
  /// The size step; positive.
  var sizeStep: FixedDecimal
  /// Whether the product is online.
  var isOpen: Bool

  /// Units in which every price and size of the product is exact.
  ///
  /// Eight decimals where they suffice, so that the scales don't depend on whether the steps or the
  /// first book arrive first; whole sizes (of coins that cost a fraction of a cent) have none.
  var scales: BookScales {
    BookScales(
      price: max(CoinbaseDecoder.usualScales.price, priceStep.trimmed.scale),
      quantity: sizeStep.trimmed.scale.digits == 0
        ? .whole : max(CoinbaseDecoder.usualScales.quantity, sizeStep.trimmed.scale))
  }
}
