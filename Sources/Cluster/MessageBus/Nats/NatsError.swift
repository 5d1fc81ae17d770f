/// Why a link to a broker ended; descriptions contain no secrets.
enum NatsError: Error, Equatable, Sendable, CustomStringConvertible {
  case lineTooLong(bytes: Int)
  /// An invalid line; its beginning.
  case malformed(String)
  case malformedHeaders
  case malformedInfo
  case tooLarge(bytes: Int)
  /// An operation before the handshake was complete.
  case unexpected(String)
  /// Unencrypted bytes after the INFO that TLS starts after.
  case clearTextBeforeTLS
  /// TLS is required, but the broker does not offer it.
  case tlsUnavailable
  /// A broker without headers can't report missing subscribers.
  case tooOld
  /// `-ERR`, with the broker's reason.
  case refused(String)
  case silent
  /// Bytes arrive, but pings are answered too late, so everything received is late.
  case behind
  case notReady
  /// Too many unsent bytes.
  case backlog(bytes: Int)
  case transport(String)
  case shutDown

  var description: String {
    switch self {
    case .lineTooLong(let bytes): "a line of more than \(bytes) bytes"
    case .malformed(let start): "not the NATS protocol: \(start)"
    case .malformedHeaders: "headers that can't be read"
    case .malformedInfo: "INFO that can't be read"
    case .tooLarge(let bytes): "a message of \(bytes) bytes"
    case .unexpected(let name): "\(name) before its time"
    case .clearTextBeforeTLS: "bytes in the clear where TLS begins"
    case .tlsUnavailable: "the broker does not offer TLS"
    case .tooOld: "the broker knows no headers"
    case .refused(let words): "refused: \(words)"
    case .silent: "the broker does not answer"
    case .behind: "the broker's messages come seconds late"
    case .notReady: "the broker was not ready in time"
    case .backlog(let bytes): "\(bytes) bytes wait to be sent"
    case .transport(let detail): detail
    case .shutDown: "shut down"
    }
  }

  /// Untrusted text, made printable in one log line.
  static func shown(_ bytes: some Sequence<UInt8>, most count: Int = 80) -> String {
    String(decoding: bytes.prefix(count).map { $0 >= 0x20 && $0 < 0x7f ? $0 : 0x3f }, as: UTF8.self)
  }
}
