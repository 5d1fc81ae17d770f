// Why a link to a broker ended: each cause its own case, each in one line that shows no secret.

/// Why a link ended.
enum NatsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A line longer than any that is lawful.
  case lineTooLong(bytes: Int)
  /// A line that means nothing; what it began with.
  case malformed(String)
  /// Headers that are none.
  case malformedHeaders
  /// INFO that can't be read.
  case malformedInfo
  /// A payload or headers beyond the bounds.
  case tooLarge(bytes: Int)
  /// Something before its time: a message before the handshake is done.
  case unexpected(String)
  /// Bytes in the clear behind the INFO that TLS begins after.
  case clearTextBeforeTLS
  /// TLS is insisted on, and the broker has none.
  case tlsUnavailable
  /// A broker without headers can't say that nobody answers.
  case tooOld
  /// `-ERR`, in the broker's words.
  case refused(String)
  /// Nothing came for too long.
  case silent
  /// Bytes arrive, but pings are answered too late, so everything received is late.
  case behind
  /// The handshake was not done in time.
  case notReady
  /// More waits to be sent than is bearable.
  case backlog(bytes: Int)
  /// The socket was closed, or could not be opened.
  case transport(String)
  /// We end it.
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

  /// Text from outside, fit for one line of a log.
  static func shown(_ bytes: some Sequence<UInt8>, most count: Int = 80) -> String {
    String(decoding: bytes.prefix(count).map { $0 >= 0x20 && $0 < 0x7f ? $0 : 0x3f }, as: UTF8.self)
  }
}
