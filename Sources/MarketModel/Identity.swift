// Names of things: venues and instruments. Both come from outside as text, so both are bounded.

/// A market feed, by the short name that the command line and the page use ("bitmex", "isin").
public struct VenueName: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The BitMEX realtime WebSocket.
  public static let bitmex = VenueName(rawValue: "bitmex")
  /// Kraken's WebSocket v2: a living market.
  public static let kraken = VenueName(rawValue: "kraken")
  /// The ISIN price stream of the watch list.
  public static let isin = VenueName(rawValue: "isin")
  /// BUX: products over REST, quotes over its feed.
  public static let bux = VenueName(rawValue: "bux")
  /// The WebSocket echo that the price tracker runs on.
  public static let echo = VenueName(rawValue: "echo")
  /// The raw TCP tick feed of the one-stock exchange.
  public static let exchange = VenueName(rawValue: "exchange")

  /// Lower-case ASCII.
  public let rawValue: String

  /// Wraps a name known to the program.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name itself.
  public var description: String { rawValue }

  /// Alphabetical.
  public static func < (left: VenueName, right: VenueName) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// An instrument's name at its venue: "XBTUSD", "US0378331005", "sb26493", "AAPL".
public struct Symbol: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The most bytes a symbol may have.
  public static let maximumBytes = 48

  /// 1 to 48 printable ASCII characters without space, quote or backslash.
  public let text: String

  /// Checks and wraps a name; nil when it is empty, too long or holds other characters.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Symbol.maximumBytes else { return nil }
    for byte in text.utf8 {
      guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
      else { return nil }
    }
    self.text = text
  }

  /// The name itself.
  public var description: String { text }

  /// Alphabetical by bytes.
  public static func < (left: Symbol, right: Symbol) -> Bool { left.text < right.text }
}
