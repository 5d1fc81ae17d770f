// What every client may be told.

/// Header fields in their order, as they go out.
public typealias HeaderFields = [(name: String, value: String)]

/// How a client connects.
public struct ClientOptions: Sendable {
  /// Whom to trust; used by secure schemes only.
  public var tls: TLSSettings
  /// From the first look-up of the host's address until the connection is ready (for HTTP: until the
  /// whole answer is there), in milliseconds.
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
