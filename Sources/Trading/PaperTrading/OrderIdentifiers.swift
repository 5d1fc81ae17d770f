/// The number of an order: 1, 2, 3 … in order of arrival.
public struct OrderIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Counts up from 1.
  public let number: UInt64

  /// Creates an identifier.
  public init(number: UInt64) { self.number = number }

  /// The number in decimal digits.
  public var description: String { String(number) }

  /// Earlier orders sort first.
  public static func < (left: OrderIdentifier, right: OrderIdentifier) -> Bool {
    left.number < right.number
  }
}

/// The name that a client gives an order before it has a number.
///
/// It is created once per order, so a double click or a retry is recognised.
public struct ClientOrderIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The maximum length in bytes; a UUID needs 36.
  public static let maximumBytes = 64

  /// 1 to 64 of the letters A–Z and a–z, the digits and `-`, `.`, `_`, `:`.
  public let text: String

  /// Validates a name; nil if it is empty, too long or contains other characters.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= ClientOrderIdentifier.maximumBytes,
      bytes.allSatisfy(ClientOrderIdentifier.isAllowed)
    else { return nil }
    self.text = text
  }

  /// The name.
  public var description: String { text }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
