// The secret of the BUX connection. It is configuration: handed in at the start, never in the
// source, never in a log, not even by accident.

public import MarketModel

/// A bearer token whose text appears in no description, dump or mirror.
public struct AccessToken: Hashable, Sendable {
  /// The maximum bytes of a token.
  public static let maximumBytes = 8192

  private let secret: String

  /// Wraps a token; nil when it is empty, too long, or has a character that is invalid in a header.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= AccessToken.maximumBytes,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else { return nil }
    secret = text
  }

  /// The value of the `Authorization` header: "Bearer" and the token.
  ///
  /// Never log it.
  public var authorization: String { "Bearer " + secret }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The word "hidden", never the token.
  public var description: String { "hidden" }
  /// The word "hidden", never the token.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension ProductFailure {
  /// Whether the venue requires another access token: it would reject the same one again.
  public var isAboutToken: Bool {
    code.hasPrefix("AUTH_") || ["RTF_002", "HTTP_401", "HTTP_403"].contains(code)
  }
}
