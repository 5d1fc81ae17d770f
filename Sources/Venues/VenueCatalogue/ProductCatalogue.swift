public import MarketModel

/// A product that the product screen offers.
public struct ProductChoice: Hashable, Sendable {
  /// The identifier: "sb26493".
  public let identifier: Symbol
  /// Its display name: "Germany 30".
  public let name: String
}

/// The offered products (PD1); any other identifier can be typed.
public enum ProductCatalogue {
  /// The six products of the brief, in its order.
  public static let choices = [
    ProductChoice(identifier: Symbol(known: "sb26493"), name: "Germany 30"),
    ProductChoice(identifier: Symbol(known: "sb26496"), name: "US 500"),
    ProductChoice(identifier: Symbol(known: "sb26502"), name: "EUR/USD"),
    ProductChoice(identifier: Symbol(known: "sb26500"), name: "Gold"),
    ProductChoice(identifier: Symbol(known: "sb26513"), name: "Apple"),
    ProductChoice(identifier: Symbol(known: "sb28248"), name: "Deutsche Bank"),
  ]

  /// The maximum characters of an identifier.
  public static let maximumIdentifierLength = Symbol.maximumBytes

  /// Validates a typed identifier, which becomes part of a URL: letters, digits, "-" and "_"; nil
  /// if invalid.
  ///
  /// Surrounding spaces are ignored; an offered identifier may be in any case.
  public static func identifier(_ text: String) -> Symbol? {
    guard text.utf8.count <= 4 * maximumIdentifierLength else { return nil }
    var bytes = Array(text.utf8)[...]
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    guard bytes.allSatisfy(isAllowed) else { return nil }
    let identifier = String(decoding: bytes, as: UTF8.self)
    let known = choices.first { $0.identifier.text == identifier.lowercased() }
    return known?.identifier ?? Symbol(identifier)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
