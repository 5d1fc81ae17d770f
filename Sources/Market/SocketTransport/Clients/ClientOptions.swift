/// Header fields in the order they are sent.
public typealias HeaderFields = [(name: String, value: String)]

/// A client's connection options.
public struct ClientOptions: Sendable {
  /// The trusted certificates; used by secure schemes only.
  public var tls: TLSSettings
  /// The limit from look-up to a ready connection (HTTP: the whole response), in milliseconds.
  public var deadlineMilliseconds: Int64
  /// Limits of a WebSocket connection.
  public var limits: WebSocketLimits

  /// Creates options.
  public init(
    tls: TLSSettings = .system, deadlineMilliseconds: Int64 = 10_000,
    limits: WebSocketLimits = WebSocketLimits()
  ) {
    self.tls = tls
    self.deadlineMilliseconds = deadlineMilliseconds
    self.limits = limits
  }
}

/// RFC 9110 section 5.
enum HeaderRules {
  static func firstInvalid(_ headers: HeaderFields) -> String? {
    headers.first { !isName($0.name) || !isValue($0.value) }?.name
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  private static func isValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
  }
}
