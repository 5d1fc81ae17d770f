import MarketModel

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

/// One changed level; size 0 removes it.
struct CoinbaseLevel: Equatable {
  var isBid: Bool
  /// In units of the product's price scale; positive.
  var price: Int64
  /// In units of the product's quantity scale; 0 or more.
  var size: Int64
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
