import MarketModel
import OrderMatching
import WireJSON

enum CoinbaseTopic: Sendable, Hashable {
  case heartbeats
  case level2(Int)
  case trades(Int)
  case ticker(Int)
  case status(Int)

  var product: Int? {
    switch self {
    case .heartbeats: nil
    case .level2(let product), .trades(let product), .ticker(let product), .status(let product):
      product
    }
  }

  /// As in requests.
  var channel: String {
    switch self {
    case .heartbeats: "heartbeats"
    case .level2: "level2"
    case .trades: "market_trades"
    case .ticker: "ticker"
    case .status: "status"
    }
  }

  static func named(_ channel: String, _ product: Int) -> CoinbaseTopic? {
    switch channel {
    case "level2": .level2(product)
    case "market_trades": .trades(product)
    case "ticker": .ticker(product)
    case "status": .status(product)
    default: nil
    }
  }
}

/// A client of a simulated Coinbase, with the count of its connection's messages.
struct CoinbaseClient: Sendable {
  /// The number of the next message.
  private var next: Int64 = 0
  private var heartbeats: Int64 = 0
  let connectedAt: Timestamp
  var hasSubscribed = false

  init(at now: Timestamp) { connectedAt = now }

  /// The number of the next message, which is counted.
  mutating func takeNumber() -> Int64 {
    defer { next += 1 }
    return next
  }

  /// The number of the next heartbeat, which is counted.
  mutating func takeHeartbeat() -> Int64 {
    defer { heartbeats += 1 }
    return heartbeats
  }
}

/// A client's request: `{"type":…,"product_ids":[…],"channel":…}`.
struct CoinbaseRequest: Sendable {
  static let maximumProducts = 100

  /// "subscribe" or "unsubscribe".
  private(set) var type = ""
  /// "level2"; empty if absent.
  private(set) var channel = ""
  /// In order, as written.
  private(set) var products: [String] = []

  /// Parses a message; throws when it is not a JSON object of the documented types.
  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, key, cursor) throws(JSONError) in
      switch key {
      case "type": type = try CommandReader.text(span, &cursor)
      case "channel": channel = try CommandReader.text(span, &cursor)
      case "product_ids":
        products = try CommandReader.texts(span, &cursor, atMost: Self.maximumProducts)
      default: break
      }
    }
  }
}

/// The fixed properties of a product of the simulated Coinbase, with its market.
struct CoinbaseListedProduct: Sendable {
  /// "BTC-USD".
  let symbol: String
  let base: String
  let quote: String
  /// Digits of the price step.
  let priceScale: Scale
  /// The scale of ``lotUnits``.
  let quantityScale: Scale
  /// One lot of the market in units of ``quantityScale``.
  let lotUnits: Int64
  /// Units of ``priceScale`` in a tick of the market.
  let tickUnits: Int64
  /// The size step as the venue spells it.
  let sizeStep: String
  var listing: MarketListing

  /// All products, the most active first; steps are the real venue's.
  static let all: [CoinbaseListedProduct] = [
    CoinbaseListedProduct(
      "BTC", "USD", 2, 8, "0.00000001", .bitcoin, start: 642_137, tick: 10, past: (80, 130),
      gap: 170, lot: 10, size: 17_286, levels: 1500),
    CoinbaseListedProduct(
      "ETH", "USD", 2, 8, "0.00000001", .ether, start: 184_655, past: (90, 80), gap: 280,
      lot: 100, size: 60_112),
    CoinbaseListedProduct(
      "SOL", "USD", 2, 8, "0.00000001", .solana, start: 14_218, past: (40, 77), gap: 450,
      lot: 10_000, size: 7_807),
    CoinbaseListedProduct(
      "XRP", "USD", 4, 6, "0.000001", Underlying(name: "XRP", volatility: 75_000),
      start: 22_843, past: (45, 76), gap: 650, lot: 10_000, size: 4_859),
    CoinbaseListedProduct(
      "DOGE", "USD", 5, 1, "0.1", Underlying(name: "DOGE", volatility: 90_000), start: 16_732,
      past: (30, 77), gap: 900, lot: 1, size: 6_634),
    CoinbaseListedProduct(
      "SHIB", "USD", 8, 0, "1", Underlying(name: "SHIB", volatility: 95_000), start: 12_407,
      past: (4, 123), gap: 1600, lot: 100, size: 8_947),
    CoinbaseListedProduct(
      "ETH", "BTC", 5, 8, "0.00000001", .ether, in: .bitcoin, start: 2_876, past: (3, 62),
      gap: 950, lot: 100, size: 59_458),
  ]

  /// `past` has its past trades a minute, and a trade's mean size in 100 captured contracts; `gap`
  /// is in percent of the captured gap; `size` is in lots for 100 captured contracts.
  init(
    _ base: String, _ quote: String, _ price: UInt8, _ quantity: UInt8, _ sizeStep: String,
    _ underlying: Underlying, in pricedIn: Underlying? = nil, start: Int64, tick: Int64 = 1,
    past: (Int64, Int64), gap: Int64, lot: Int64, size: Int64, levels: Int = 600
  ) {
    symbol = "\(base)-\(quote)"
    (self.base, self.quote, self.sizeStep) = (base, quote, sizeStep)
    (priceScale, quantityScale) = (Scale(clamping: price), Scale(clamping: quantity))
    (lotUnits, tickUnits) = (lot, tick)
    listing = .deep(
      symbol, underlying, pricedIn: pricedIn, startTicks: start, perMinute: past.0,
      hundreds: past.1,
      DepthProfile(
        levels: .init(bids: levels, asks: levels), reach: 300, gapPercent: gap,
        lotsPerHundred: size))
  }

  /// Without trailing zeros, as in the stream.
  func price(_ ticks: Int64) -> FixedDecimal {
    FixedDecimal(units: ticks * tickUnits, scale: priceScale).trimmed
  }

  /// Without trailing zeros, as in the stream; a sum too large for the scale has fewer digits.
  func quantity(lots: Int64) -> FixedDecimal {
    let (units, overflow) = lots.multipliedReportingOverflow(by: lotUnits)
    if !overflow { return FixedDecimal(units: units, scale: quantityScale).trimmed }
    let lot = FixedDecimal(units: lotUnits, scale: quantityScale).trimmed
    return FixedDecimal(
      units: lots.multipliedReportingOverflow(by: lot.units).partialValue, scale: lot.scale)
  }
}
