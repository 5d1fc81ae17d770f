public import MarketModel
import WireJSON

/// Reads responses about one product or all; any defect becomes a ``MarketModel/ProductFailure``.
public enum BuxProductResponse {
  /// A product has about 1 kB, the list of all about 250 kB.
  public static let maximumBytes = 4 << 20
  /// Maximum products in a list.
  public static let maximumProducts = 4096

  /// Reads the response about one product.
  ///
  /// Fails with BAD_ANSWER if it is no product, has no positive price, or is not the `expected`
  /// one.
  public static func product(
    from bytes: Span<UInt8>, expected: Symbol? = nil
  ) throws(ProductFailure) -> Product {
    guard bytes.count <= maximumBytes else { throw badResponse }
    var cursor = JSONCursor()
    do throws(JSONError) {
      let product = try ProductFields(bytes, &cursor).product(at: cursor.offset)
      try cursor.finish(bytes)
      if expected == nil || product.identifier == expected { return product }
    } catch { throw badResponse }
    throw badResponse
  }

  /// Reads a list of products, in the order sent.
  ///
  /// One invalid product makes the whole list a bad response.
  public static func products(from bytes: Span<UInt8>) throws(ProductFailure) -> [Product] {
    guard bytes.count <= maximumBytes else { throw badResponse }
    var cursor = JSONCursor()
    do throws(JSONError) {
      let products = try cursor.list(bytes, atMost: maximumProducts) {
        (cursor) throws(JSONError) in
        try ProductFields(bytes, &cursor).product(at: cursor.offset)
      }
      try cursor.finish(bytes)
      return products
    } catch { throw badResponse }
  }

  private static var badResponse: ProductFailure {
    ProductFailure(
      code: "BAD_ANSWER", userMessage: "BUX sent an answer that could not be read. Try again.",
      canRetry: true)
  }
}

private struct ProductFields {
  private var symbol: String?
  private var identifier: String?
  private var displayName: String?
  private var current: MoneyFields?
  private var closing: MoneyFields?
  private var isMarketOpen: Bool?

  init(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      switch key {
      case "symbol":
        if try cursor.takeNullIfPresent(bytes) { return }
        symbol = ForeignText.clean(try cursor.text(bytes, maximumBytes: 256))
      case "securityId": identifier = try cursor.text(bytes, maximumBytes: 256)
      case "displayName":
        if try cursor.takeNullIfPresent(bytes) { return }
        displayName = ForeignText.clean(try cursor.text(bytes, maximumBytes: 1024))
      case "currentPrice": current = try MoneyFields(bytes, &cursor)
      case "closingPrice":
        closing = try cursor.takeNullIfPresent(bytes) ? nil : MoneyFields(bytes, &cursor)
      case "productMarketStatus": isMarketOpen = try ProductFields.marketStatus(bytes, &cursor)
      default: break
      }
    }
  }

  /// OPEN or CLOSED; nil for anything else.
  private static func marketStatus(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Bool? {
    guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
      try cursor.skipValue(bytes)
      return nil
    }
    let range = try cursor.string(bytes)
    if JSONText.equals(bytes, range, "OPEN") { return true }
    return JSONText.equals(bytes, range, "CLOSED") ? false : nil
  }

  func product(at offset: Int) throws(JSONError) -> Product {
    guard let current, let identifier = identifier.flatMap({ Symbol($0) }) else {
      throw JSONError(.missingKey, at: offset)
    }
    guard current.amount.units > 0 else { throw JSONError(.numberOutOfRange, at: offset) }
    // A close of zero, or in another currency, can't be compared with the price.
    let closing = closing.flatMap { money in
      money.amount.units > 0 && money.currency == current.currency ? money.amount : nil
    }
    // A product without a name is still valid.
    let symbol = symbol.flatMap { $0.isEmpty ? nil : $0 } ?? identifier.text
    let name = displayName.flatMap { $0.isEmpty ? nil : $0 } ?? symbol
    return Product(
      identifier: identifier, symbol: symbol, displayName: name,
      currency: current.currency,
      decimals: current.decimals, currentPrice: current.amount, closingPrice: closing,
      isMarketOpen: isMarketOpen)
  }
}

/// A price: `{"currency":"EUR","decimals":1,"amount":"12352.8"}`.
private struct MoneyFields {
  let currency: String
  let decimals: Scale
  /// With all digits sent, at least `decimals` of them.
  let amount: FixedDecimal

  /// Nil where a member is missing or null.
  init?(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
    var (currency, decimals): (String?, Int64?)
    var amount: FixedDecimal?
    try cursor.object(bytes) { (key, cursor) throws(JSONError) in
      if try cursor.takeNullIfPresent(bytes) { return }
      switch key {
      case "currency": currency = try cursor.text(bytes, maximumBytes: 16)
      case "decimals": decimals = try cursor.integer(bytes)
      case "amount": amount = try cursor.looseDecimal(bytes)
      default: break
      }
    }
    guard let currency, let decimals, let amount else { return nil }
    guard let scale = Int(exactly: decimals).flatMap({ Scale(digits: $0) }),
      currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5a).contains($0) })
    else { throw JSONError(.numberOutOfRange, at: cursor.offset) }
    (self.currency, self.decimals) = (currency, scale)
    self.amount = amount.exactly(at: scale) ?? amount
  }
}
