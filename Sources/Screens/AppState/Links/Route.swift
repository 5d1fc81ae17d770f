public import MarketModel
public import VenueCatalogue

/// A location in the product, with the same address in the app and in the browser (PT7).
public enum Route: Hashable, Sendable {
  case feed
  /// Details of a stock; the symbol may not exist.
  case symbol(Symbol)
  case stocks
  case products
  case product(Symbol)
  case markets
  /// An asset's markets at all venues.
  case asset(Asset)
  case book(Symbol)
  case trades(Symbol)
  case chart(Symbol)
  case exchange
  case orders
  case notFound

  /// The path in the browser: "/symbol/AAPL"; the feed's path for ``notFound``.
  public var path: String {
    switch self {
    case .feed, .notFound: "/feed"
    case .symbol(let symbol): "/symbol/" + escaped(symbol)
    case .stocks: "/stocks"
    case .products: "/products"
    case .product(let identifier): "/product/" + escaped(identifier)
    case .markets: "/markets"
    case .asset(let asset): "/asset/\(asset.base)/\(asset.quote)"
    case .book(let symbol): "/book/" + escaped(symbol)
    case .trades(let symbol): "/trades/" + escaped(symbol)
    case .chart(let symbol): "/chart/" + escaped(symbol)
    case .exchange: "/exchange"
    case .orders: "/orders"
    }
  }

  /// The link that opens this location in the app: "stocks://symbol/AAPL".
  public var link: String { DeepLink.scheme + ":/" + path }

  /// Percent-encodes all but the unreserved characters of RFC 3986.
  private func escaped(_ symbol: Symbol) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in symbol.text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
