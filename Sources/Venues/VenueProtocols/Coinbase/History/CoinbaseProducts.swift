import MarketModel
import VenueCatalogue
import WireJSON

extension InstrumentList {
  static let coinbase = InstrumentList(
    path: CoinbaseHistory.listPath, maximumBytes: CoinbaseHistory.maximumBytes
  ) { (bytes, cursor) throws(JSONError) in
    ListPage(rows: try CoinbaseProducts(bytes, &cursor).rows)
  }
}

extension VenueTickers {
  static let coinbase = VenueTickers(
    path: CoinbaseHistory.listPath, maximumBytes: CoinbaseHistory.maximumBytes,
    statesChange: true,
    read: { CoinbaseProducts.figures($0, status: $1, $2, at: $3, $4) })
}

/// Coinbase's list of spot products, with the figures of the last 24 hours.
///
/// A product with an alias is another name of the same book and left out.
struct CoinbaseProducts {
  /// More products than the venue has ever listed.
  private static let maximumProducts = SymbolTable.maximumCount

  struct Product: Equatable {
    var symbol: Symbol
    var base: String
    var quote: String
    /// Whether it is online, and neither disabled nor restricted to looking or cancelling.
    var isOpen: Bool
    var last: FixedDecimal?
    var percent: FixedDecimal?
    var volume: FixedDecimal?
  }

  /// In the venue's order.
  private(set) var products: [Product] = []

  var rows: [ListedRow] {
    products.map { product in
      ListedRow(
        instrument: ListedInstrument(
          symbol: product.symbol, base: product.base, quote: product.quote, kind: .spot,
          isOpen: product.isOpen))
    }
  }

  /// The names for requests, which are the symbols themselves; only of products that can be traded.
  var names: [Symbol: String] {
    Dictionary(products.filter(\.isOpen).map { ($0.symbol, $0.symbol.text) }) { first, _ in first }
  }

  init(_ bytes: Span<UInt8>) throws(JSONError) {
    var cursor = JSONCursor()
    try self.init(bytes, &cursor)
    try cursor.finish(bytes)
  }

  /// Reads the object at the cursor.
  init(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    var count = 0
    try cursor.object(bytes, required: ["products"]) { (key, cursor) throws(JSONError) in
      guard case "products" = key else { return }
      try cursor.elements(bytes) { (cursor) throws(JSONError) in
        count += 1
        guard count <= Self.maximumProducts else { throw JSONError(.tooLong, at: cursor.offset) }
        if let product = try Self.product(bytes, &cursor) { products.append(product) }
      }
    }
  }

  /// One product; nil for an alias, another kind, and a name that is not a pair's.
  private static func product(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Product? {
    var (name, status, kind) = ("", "", "")
    var (isAlias, isRestricted) = (false, false)
    var (last, percent, volume): (FixedDecimal?, FixedDecimal?, FixedDecimal?)
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "product_id": name = try cursor.cutText(bytes)
      case "product_type": kind = try cursor.cutText(bytes)
      case "status": status = try cursor.cutText(bytes)
      case "alias": isAlias = try !cursor.cutText(bytes).isEmpty
      case "price": last = try number(bytes, &cursor)
      case "price_percentage_change_24h": percent = try number(bytes, &cursor)
      case "volume_24h": volume = try number(bytes, &cursor)
      case "is_disabled", "trading_disabled", "view_only", "cancel_only":
        if try flag(bytes, &cursor) { isRestricted = true }
      default: break
      }
    }
    guard !isAlias, kind == "SPOT", let symbol = Symbol(name),
      let pair = BookInstrument(pair: symbol, at: .coinbase)
    else { return nil }
    return Product(
      symbol: symbol, base: pair.base, quote: pair.quote,
      isOpen: status == "online" && !isRestricted, last: last, percent: percent, volume: volume)
  }

  /// Whether the next value is true; any other value counts as false.
  private static func flag(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Bool {
    var trial = cursor
    let value = try? trial.boolean(bytes)
    try cursor.skipValue(bytes)
    return value ?? false
  }

  /// The number at the cursor; nil for an empty text and anything else.
  private static func number(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    var trial = cursor
    let number = try? trial.looseDecimal(bytes)
    try cursor.skipValue(bytes)
    return number
  }

  static func figures(
    _ names: [Symbol: String], status: Int, _ body: Span<UInt8>, at now: Timestamp,
    _ freshness: Freshness
  ) -> Result<[DayFigures], HistoryFailure> {
    return HistoryFailure.read(body, status: status, atMost: CoinbaseHistory.maximumBytes) {
      (body) throws(JSONError) in
      return .success(
        try CoinbaseProducts(body).products.compactMap { product in
          guard names[product.symbol] != nil, let last = product.last, last.units > 0 else {
            return nil
          }
          var figures = DayFigures(symbol: product.symbol, freshness: freshness)
          figures.at = now
          figures.last = last
          figures.volume = product.volume
          figures.changePercent = product.percent?.rounded(to: CoinbaseFigures.percentScale)
          figures.change = CoinbaseFigures.change(last: last, percent: product.percent)
          return figures
        })
    }
  }
}
