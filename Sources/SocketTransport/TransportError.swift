// Why a connection could not be made or did not last: each cause its own case, since people can do
// something different about each.

/// What the server said when it refused a WebSocket upgrade.
public struct UpgradeRefusal: Error, Hashable, Sendable {
  /// The most bytes of a body that are kept.
  public static let maximumBodyBytes = 64 << 10

  /// The status code.
  public let status: Int
  /// The body, cut to 64 KiB.
  public let body: [UInt8]
  /// Seconds from `Retry-After`, where it was there and could be read; at most an hour.
  public let retryAfterSeconds: Int?

  /// Puts a refusal together.
  public init(status: Int, body: [UInt8], retryAfterSeconds: Int?) {
    self.status = status
    self.body = body
    self.retryAfterSeconds = retryAfterSeconds
  }
}

/// Why TLS failed.
public enum TLSFailure: Error, Hashable, Sendable {
  /// Nobody whom we trust signed the certificate, or it is not good yet.
  case untrustedCertificate
  /// The certificate has expired, whoever signed it.
  case expiredCertificate
  /// The certificate is for another name.
  case wrongName
  /// Something else.
  case other(String)
}

/// A failure of sockets, TLS, HTTP or WebSocket.
public enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No address is known for the host.
  case unknownHost(String)
  /// The host answers that nobody listens on the port.
  case refused(String)
  /// The host could not be reached: no route, no network.
  case unreachable(String, detail: String)
  /// TLS failed.
  case tls(String, TLSFailure)
  /// The connection was not ready in time.
  case handshakeTimeout(String, milliseconds: Int64)
  /// The server answered the upgrade with something else than 101.
  case upgradeRefused(UpgradeRefusal)
  /// The server closed the socket before the handshake was done.
  case closedDuringHandshake(String)
  /// The response was not HTTP, or the 101 was not lawful.
  case badResponse(String, detail: String)
  /// An HTTP response is larger than allowed.
  case responseTooLarge(maximumBytes: Int)
  /// The endpoint's scheme does not fit the client.
  case wrongScheme(String)
  /// Nobody waits for the response any more.
  case abandoned
  /// A header's name or value holds characters that may not be sent; nothing was.
  case invalidHeader(name: String)

  /// For logs: names the host, never headers or a query.
  public var description: String {
    switch self {
    case .unknownHost(let host): "no address is known for \(host)"
    case .refused(let host): "\(host) refused the connection"
    case .unreachable(let host, let detail): "\(host) could not be reached: \(detail)"
    case .tls(let host, .untrustedCertificate): "the certificate of \(host) is not trusted"
    case .tls(let host, .expiredCertificate): "the certificate of \(host) has expired"
    case .tls(let host, .wrongName): "the certificate of \(host) is for another name"
    case .tls(let host, .other(let detail)): "TLS with \(host) failed: \(detail)"
    case .handshakeTimeout(let host, let milliseconds):
      "\(host) was not ready within \(milliseconds) ms"
    case .upgradeRefused(let refusal): "the upgrade was refused with status \(refusal.status)"
    case .closedDuringHandshake(let host): "\(host) closed the socket during the handshake"
    case .badResponse(let host, let detail): "\(host) gave a wrong response: \(detail)"
    case .responseTooLarge(let maximum): "the response is larger than \(maximum) bytes"
    case .wrongScheme(let scheme): "this client does not speak \(scheme)"
    case .abandoned: "the request was abandoned"
    case .invalidHeader(let name): "the header \(name) holds characters that may not be sent"
    }
  }
}
