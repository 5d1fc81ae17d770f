import MarketModel
import VenueCatalogue

/// Parses untrusted addresses: links opened by other apps and paths requested by browsers (PT7).
public enum DeepLink {
  /// The URL scheme of the app's own links.
  public static let scheme = "stocks"
  /// The schemes of links that it opens.
  public static let schemes: Set<String> = [scheme, "livetape"]
  /// Longer addresses are not found.
  public static let maximumBytes = 256

  /// Parses a link such as `stocks://symbol/AAPL`; scheme and host are case-insensitive.
  public static func route(link: String) -> Route {
    guard link.utf8.count <= maximumBytes, let end = link.firstRange(of: "://"),
      schemes.contains(link[..<end.lowerBound].lowercased())
    else { return .notFound }
    return route(path: "/" + link[end.upperBound...])
  }

  /// Parses a path such as `/symbol/AAPL`.
  ///
  /// Ignores a query, a fragment and a trailing slash.
  public static func route(path: String) -> Route { parts(ofPath: path).map(route) ?? .notFound }

  /// The percent-decoded components of a path.
  ///
  /// Ignores a query, a fragment and a trailing slash.
  ///
  /// - Returns: nil if it is not a path, too long, badly encoded or not ASCII.
  public static func parts(ofPath path: String) -> [String]? {
    guard path.utf8.count <= maximumBytes, path.utf8.first == UInt8(ascii: "/"),
      path.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    var bytes = Array(path.utf8.prefix { !isEnd($0) }.dropFirst())
    if bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    var parts: [String] = []
    for raw in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let part = decoded(raw) else { return nil }
      parts.append(part)
    }
    return parts
  }

  private static func route(_ parts: [String]) -> Route {
    let first = parts.first?.lowercased() ?? ""
    if parts.count == 1 {
      switch first {
      case "", "feed": return .feed
      case "stocks": return .stocks
      case "products": return .products
      case "markets": return .markets
      case "exchange": return .exchange
      case "orders": return .orders
      default: return .notFound
      }
    }
    if first == "asset", parts.count == 3 {
      return Asset(base: parts[1].uppercased(), quote: parts[2].uppercased()).map(Route.asset)
        ?? .notFound
    }
    let isInstrument = ["book", "trades", "chart"].contains(first)
    // Users type "/book/BTC/USD"; the page writes "/book/BTC%2FUSD".
    if isInstrument, parts.count == 3, !parts[1].isEmpty, !parts[2].isEmpty {
      return route([parts[0], parts[1] + "/" + parts[2]])
    }
    guard parts.count == 2 else { return .notFound }
    if first == "product" {
      return ProductCatalogue.identifier(parts[1]).map(Route.product) ?? .notFound
    }
    guard let symbol = Symbol(spelled(parts[1])) else { return .notFound }
    switch first {
    case "symbol": return .symbol(symbol)
    case "book": return .book(symbol)
    case "trades": return .trades(symbol)
    case "chart": return .chart(symbol)
    default: return .notFound
    }
  }

  /// The venue's spelling of a typed symbol: upper case, except for a venue before ":" and the
  /// lower-case x of a token.
  private static func spelled(_ text: String) -> String {
    if let colon = text.firstIndex(of: ":") {
      return text[..<colon].lowercased() + ":" + spelled(String(text[text.index(after: colon)...]))
    }
    let capital = text.uppercased()
    guard let slash = text.firstIndex(of: "/") else { return capital }
    let (base, quote) = (String(text[..<slash]), text[text.index(after: slash)...])
    // An unknown token in the venue's spelling.
    let isExact = base.hasSuffix("x") && base.dropLast() == base.dropLast().uppercased()
    let token = AssetNames.token(base) ?? (isExact && base.count > 1 ? base : nil)
    return token.map { $0 + "/" + quote.uppercased() } ?? capital
  }

  private static func decoded(_ raw: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = raw
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue),
        let low = rest.popFirst().flatMap(hexValue)
      else { return nil }
      guard high < 8 else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
