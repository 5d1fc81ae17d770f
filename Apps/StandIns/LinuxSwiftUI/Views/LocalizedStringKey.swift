public import Foundation

/// A localized text.
///
/// Tests may set a table of translations; else the key is the text. Numbers follow Apple's formats:
/// a Double has six decimals, an integer is grouped.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  let text: String

  /// The text of a literal or a variable.
  public init(_ value: String) { text = value }

  /// The text of a literal.
  public init(stringLiteral value: String) { text = value }

  /// Text with interpolated values.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Collects text and values.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    /// Starts empty.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds a literal.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds a string.
    public mutating func appendInterpolation(_ string: String) { text += string }

    /// Adds a number.
    public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {
      text += value._formatted
    }
  }
}

extension LocalizedStringKey {
  /// The app's catalogue: a key's text in a locale's language.
  @_spi(Host) @MainActor public static var find: (_ key: String, _ locale: Locale) -> String? = {
    _, _ in nil
  }

  @MainActor func text(in context: Context) -> String {
    LocalizedStringKey.find(text, context.environment.locale) ?? text
  }
}

/// A number that a localized text formats.
public protocol _FormatSpecifiable: Equatable, Sendable {
  /// As it is printed.
  var _formatted: String { get }
}

extension _FormatSpecifiable where Self: BinaryInteger {
  /// Grouped, as `%lld` is in a localized text.
  public var _formatted: String { String(format: "%lld", locale: .current, Int64(self)) }
}

extension Int: _FormatSpecifiable {}
extension Int64: _FormatSpecifiable {}
extension UInt: _FormatSpecifiable {}

extension Double: _FormatSpecifiable {
  /// With six decimals, as `%lf` prints it.
  public var _formatted: String { String(format: "%lf", self) }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension LocalizedStringKey: Sendable {}
@available(*, unavailable) extension LocalizedStringKey.StringInterpolation: Sendable {}
