// What passes between a WebSocket connection and the handler above it: whole messages, events and
// commands. Frames, masks and fragments stay below.

public import NIOCore

/// Which end of a WebSocket connection this is; clients mask what they send, servers do not.
public enum WebSocketRole: Sendable, Equatable {
  /// The end that asked for the upgrade.
  case client
  /// The end that granted it.
  case server
}

/// A whole message, in either direction.
public enum WebSocketMessage: Sendable, Equatable {
  /// UTF-8 text; received text has been checked.
  case text(ByteBuffer)
  /// Any bytes.
  case binary(ByteBuffer)

  /// The payload.
  public var payload: ByteBuffer {
    switch self {
    case .text(let buffer), .binary(let buffer): buffer
    }
  }
}

/// Limits and times of one WebSocket connection.
public struct WebSocketLimits: Sendable, Equatable {
  /// The most bytes that a received message (and so a frame) may have; more closes with 1009.
  public var maximumMessageBytes: Int
  /// How long the other end may take to answer a close, in milliseconds.
  public var closeTimeoutMilliseconds: Int64

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - maximumMessageBytes: 125 bytes to 4 GiB - 1; values outside are brought to the nearest.
  ///     16 MiB by default: a BitMEX book snapshot is about 1 MB.
  ///   - closeTimeoutMilliseconds: 2 s by default.
  public init(maximumMessageBytes: Int = 16 << 20, closeTimeoutMilliseconds: Int64 = 2000) {
    self.maximumMessageBytes = min(max(maximumMessageBytes, 125), Int(UInt32.max))
    self.closeTimeoutMilliseconds = max(closeTimeoutMilliseconds, 0)
  }
}

/// How a WebSocket connection ended.
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
  /// Who ended it.
  public enum Initiator: Sendable, Hashable {
    /// This end sent the first close frame.
    case here
    /// The other end did, or it vanished.
    case there
  }

  /// The close code; 1005 when the close frame named none, 1006 when there was no close frame.
  public let code: UInt16
  /// The reason given, or empty.
  public let reason: String
  /// Who ended it.
  public let initiator: Initiator

  /// Makes a closure.
  public init(code: UInt16, reason: String, initiator: Initiator) {
    self.code = code
    self.reason = reason
    self.initiator = initiator
  }

  /// The connection was cut without a close frame.
  public static let abnormal = WebSocketClosure(code: 1006, reason: "", initiator: .there)

  /// "1001 (going away)".
  public var description: String { reason.isEmpty ? "\(code)" : "\(code) (\(reason))" }

  /// Whether RFC 6455 section 7.4 lets `code` stand in a close frame.
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
  /// A ping came; its pong has been sent.
  case ping
  /// A pong came. The round trip is there when it answers a ``WebSocketCommand/ping``.
  case pong(roundTrip: TimeAmount?)
  /// A pong came with the number of a ``WebSocketCommand/numberedPing(_:)``, or with what looks
  /// like one: whoever listens knows which it waits for.
  case numberedPong(Int64)
  /// The connection has ended; fired exactly once, and no message follows.
  case closed(WebSocketClosure)
}

/// Outbound user events that ``WebSocketMessageHandler`` obeys.
public enum WebSocketCommand: Sendable, Equatable {
  /// Send a ping and measure its round trip; a ping that is still unanswered is forgotten.
  case ping
  /// Send a ping with this number; any number of them may be on their way.
  case numberedPing(Int64)
  /// Start the closing handshake. A code that must not be sent becomes 1000, a reason is cut to
  /// 123 bytes.
  case close(code: UInt16, reason: String)
}
