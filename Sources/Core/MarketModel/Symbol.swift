/// An instrument's name at its venue: "XBTUSD", "US0378331005", "sb26493", "AAPL".
public struct Symbol: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The most bytes a symbol may have.
  public static let maximumBytes = 48

  /// 1 to 48 printable ASCII characters without space, quote or backslash.
  public let text: String

  /// Validates a name; nil when it is empty, too long or has other characters.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Symbol.maximumBytes else { return nil }
    for byte in text.utf8 {
      guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
      else { return nil }
    }
    self.text = text
  }

  /// Wraps a literal; traps if it is invalid.
  public init(known name: StaticString) {
    let text = name.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    guard let symbol = Symbol(text) else {
      preconditionFailure("a name in the source is no symbol")
    }
    self = symbol
  }

  /// The name itself.
  public var description: String { text }

  /// Alphabetical by bytes.
  public static func < (left: Symbol, right: Symbol) -> Bool { left.text < right.text }
}
