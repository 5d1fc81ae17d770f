public import MarketModel
public import VenueCatalogue
import WireJSON

/// A GET request to BUX for products, or the head of its feed's WebSocket upgrade.
public struct BuxRequest: Hashable, Sendable {
  /// The path below the venue's base address, percent-encoded.
  public let path: String
  /// The token; without one BUX responds with AUTH_009 or RTF_002.
  public let token: AccessToken?

  /// One product: `GET /core/23/products/sb26493`.
  public static func product(_ identifier: Symbol, token: AccessToken?) -> BuxRequest {
    BuxRequest(path: "/core/23/products/" + percentEncoded(identifier.text), token: token)
  }

  /// All products: `GET /core/23/products`.
  public static func products(token: AccessToken?) -> BuxRequest {
    BuxRequest(path: "/core/23/products", token: token)
  }

  /// The feed's WebSocket: `/subscriptions/me`.
  ///
  /// The brief writes `https`, but means `wss`.
  public static func feed(token: AccessToken?) -> BuxRequest {
    BuxRequest(path: "/subscriptions/me", token: token)
  }

  /// The headers that the venue requires, in order.
  ///
  /// They contain the token: never log their values.
  public var headers: [(name: String, value: String)] {
    let fixed = [
      (name: "Accept", value: "application/json"),
      (name: "Accept-Language", value: "nl-NL,en;q=0.8"),
    ]
    guard let token else { return fixed }
    return [(name: "Authorization", value: token.authorization)] + fixed
  }

  private static func percentEncoded(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A client message on BUX's feed, to which the venue does not respond.
public struct BuxFeedRequest: Hashable, Sendable {
  static let maximumChannels = 100

  /// Products to subscribe.
  public let subscribe: [Symbol]
  /// Products to unsubscribe.
  public let unsubscribe: [Symbol]

  /// Creates a request.
  public init(subscribe: [Symbol], unsubscribe: [Symbol]) {
    self.subscribe = subscribe
    self.unsubscribe = unsubscribe
  }

  /// The message: `{"subscribeTo":["trading.product.sb26493"],"unsubscribeFrom":[]}`.
  public var message: OutboundMessage {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("subscribeTo")
      BuxFeedRequest.write(subscribe, to: &writer)
      writer.key("unsubscribeFrom")
      BuxFeedRequest.write(unsubscribe, to: &writer)
    }
    return OutboundMessage(.text, writer.bytes)
  }

  /// The messages that change the subscribed products to the requested ones, each of bounded size.
  static func changing(from old: Set<Symbol>, to new: Set<Symbol>) -> [BuxFeedRequest] {
    var added = new.subtracting(old).sorted()[...]
    var removed = old.subtracting(new).sorted()[...]
    var requests: [BuxFeedRequest] = []
    while !added.isEmpty || !removed.isEmpty {
      let out = removed.prefix(maximumChannels)
      let into = added.prefix(maximumChannels - out.count)
      requests.append(BuxFeedRequest(subscribe: Array(into), unsubscribe: Array(out)))
      removed = removed.dropFirst(out.count)
      added = added.dropFirst(into.count)
    }
    return requests
  }

  private static func write(_ symbols: [Symbol], to writer: inout JSONWriter) {
    writer.array(symbols) { $0.string("trading.product." + $1.text) }
  }
}
