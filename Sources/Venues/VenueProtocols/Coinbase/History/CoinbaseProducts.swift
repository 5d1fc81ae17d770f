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
    let start = cursor.offset
    var isListed = false
    var count = 0
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      guard JSONCursor.keyCode(bytes, key) == CoinbaseKeyCode.products else {
        try cursor.skipValue(bytes)
        continue
      }
      guard !isListed else { throw JSONError(.duplicateKey, at: key.lowerBound) }
      isListed = true
      try cursor.beginArray(bytes)
      var firstRow = true
      while try cursor.nextElement(bytes, first: &firstRow) {
        count += 1
        guard count <= Self.maximumProducts else { throw JSONError(.tooLong, at: cursor.offset) }
        if let product = try Self.product(bytes, &cursor) { products.append(product) }
      }
    }
    guard isListed else { throw JSONError(.missingKey, at: start) }
  }

  /// One product; nil for an alias, another kind, and a name that is not a pair's.
  private static func product(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Product? {
    var (name, status, kind) = ("", "", "")
    var (isAlias, isRestricted) = (false, false)
    var (last, percent, volume): (FixedDecimal?, FixedDecimal?, FixedDecimal?)
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "product_id") {
        name = try cursor.cutText(bytes)
      } else if JSONText.equals(bytes, key, "product_type") {
        kind = try cursor.cutText(bytes)
      } else if JSONText.equals(bytes, key, "status") {
        status = try cursor.cutText(bytes)
      } else if JSONText.equals(bytes, key, "alias") {
        if try !cursor.cutText(bytes).isEmpty { isAlias = true }
      } else if JSONText.equals(bytes, key, "price") {
        last = number(bytes, cursor)
        try cursor.skipValue(bytes)
      } else if JSONText.equals(bytes, key, "price_percentage_change_24h") {
        percent = number(bytes, cursor)
        try cursor.skipValue(bytes)
      } else if JSONText.equals(bytes, key, "volume_24h") {
        volume = number(bytes, cursor)
        try cursor.skipValue(bytes)
      } else if isRestriction(bytes, key) {
        if try flag(bytes, &cursor) { isRestricted = true }
      } else {
        try cursor.skipValue(bytes)
      }
    }
    guard !isAlias, kind == "SPOT", let symbol = Symbol(name),
      let pair = BookInstrument(pair: symbol, at: .coinbase)
    else { return nil }
    return Product(
      symbol: symbol, base: pair.base, quote: pair.quote,
      isOpen: status == "online" && !isRestricted, last: last, percent: percent, volume: volume)
  }

  private static func isRestriction(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Bool {
    JSONText.equals(bytes, key, "is_disabled") || JSONText.equals(bytes, key, "trading_disabled")
      || JSONText.equals(bytes, key, "view_only") || JSONText.equals(bytes, key, "cancel_only")
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
  private static func number(_ bytes: Span<UInt8>, _ cursor: JSONCursor) -> FixedDecimal? {
    var trial = cursor
    return try? trial.looseDecimal(bytes)
  }

  static func figures(
    _ names: [Symbol: String], status: Int, _ body: Span<UInt8>, at now: Timestamp,
    _ freshness: Freshness
  ) -> Result<[DayFigures], HistoryFailure> {
    guard status == 200 else { return .failure(.status(status)) }
    guard body.count <= CoinbaseHistory.maximumBytes else {
      return .failure(.badAnswer("\(body.count) bytes"))
    }
    do throws(JSONError) {
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
    } catch {
      return .failure(.unreadable(error))
    }
  }
}
