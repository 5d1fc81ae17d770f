// What every client may be told.

/// Header fields in their order, as they go out.
public typealias HeaderFields = [(name: String, value: String)]

/// How a client connects.
public struct ClientOptions: Sendable {
  /// Whom to trust; used by secure schemes only.
  public var tls: TLSSettings
  /// From the first look-up of the host's address until the connection is ready (for HTTP: until
  /// the whole response is there), in milliseconds.
  public var deadlineMilliseconds: Int64
  /// Limits of a WebSocket connection.
  public var limits: WebSocketLimits

  /// Makes options.
  public init(
    tls: TLSSettings = .system, deadlineMilliseconds: Int64 = 10_000,
    limits: WebSocketLimits = WebSocketLimits()
  ) {
    self.tls = tls
    self.deadlineMilliseconds = deadlineMilliseconds
    self.limits = limits
  }
}

/// The rules of RFC 9110 section 5 for what may stand in a header.
enum HeaderRules {
  /// The name of the first header that must not be sent; nil when all are fine.
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
