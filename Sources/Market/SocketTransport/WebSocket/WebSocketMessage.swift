public import NIOCore

/// The end of a WebSocket connection; clients mask their frames, servers do not.
public enum WebSocketRole: Sendable, Equatable {
  case client
  case server
}

/// A whole message, in either direction.
public enum WebSocketMessage: Sendable, Equatable {
  /// UTF-8 text; validated if received.
  case text(ByteBuffer)
  case binary(ByteBuffer)

  /// The payload.
  public var payload: ByteBuffer {
    switch self {
    case .text(let buffer), .binary(let buffer): buffer
    }
  }
}

/// Limits and timeouts of one WebSocket connection.
public struct WebSocketLimits: Sendable, Equatable {
  /// The limit of a received message (and frame), in bytes; more closes with 1009.
  public var maximumMessageBytes: Int
  /// The peer's time to respond to a close, in milliseconds.
  public var closeTimeoutMilliseconds: Int64

  /// Creates limits, clamped to 125 bytes...4 GiB - 1.
  ///
  /// The default is 16 MiB, because a BitMEX book snapshot is about 1 MB.
  public init(maximumMessageBytes: Int = 16 << 20, closeTimeoutMilliseconds: Int64 = 2000) {
    self.maximumMessageBytes = min(max(maximumMessageBytes, 125), Int(UInt32.max))
    self.closeTimeoutMilliseconds = max(closeTimeoutMilliseconds, 0)
  }
}

/// How a WebSocket connection ended.
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
  /// The end that closed the connection.
  public enum Initiator: Sendable, Hashable {
    /// This end sent the first close frame.
    case here
    /// The peer did, or it vanished.
    case there
  }

  /// The close code; 1005 for a close frame without one, 1006 without a close frame.
  public let code: UInt16
  /// The reason, or empty.
  public let reason: String
  /// The end that closed the connection.
  public let initiator: Initiator

  /// Creates a closure.
  public init(code: UInt16, reason: String, initiator: Initiator) {
    self.code = code
    self.reason = reason
    self.initiator = initiator
  }

  /// The connection was cut without a close frame.
  public static let abnormal = WebSocketClosure(code: 1006, reason: "", initiator: .there)

  /// For example "1001 (going away)".
  public var description: String { reason.isEmpty ? "\(code)" : "\(code) (\(reason))" }

  /// Whether RFC 6455 section 7.4 permits `code` in a close frame.
  public static func mayBeSent(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// Inbound user events that ``WebSocketMessageHandler`` fires.
public enum WebSocketEvent: Sendable, Equatable {
  /// The connection is ready to send; fired once, before the first message.
  case opened
  /// A ping arrived and its pong was sent.
  case ping
  /// A pong arrived, with the round trip if it matches a ``WebSocketCommand/ping``.
  case pong(roundTrip: TimeAmount?)
  /// A pong in the format of ``WebSocketCommand/numberedPing(_:)``; the receiver must match it.
  case numberedPong(Int64)
  /// The connection has ended; fired exactly once, and no message follows.
  case closed(WebSocketClosure)
}

/// Outbound user events that ``WebSocketMessageHandler`` handles.
public enum WebSocketCommand: Sendable, Equatable {
  /// Sends a ping and measures its round trip; drops an unanswered earlier one.
  case ping
  /// Sends a ping with this number; any number of them may be pending.
  case numberedPing(Int64)
  /// Starts the closing handshake; an invalid code becomes 1000, the reason is cut to 123 bytes.
  case close(code: UInt16, reason: String)
}
