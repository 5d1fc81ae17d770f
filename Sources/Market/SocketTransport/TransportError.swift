import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A server's refusal of a WebSocket upgrade.
public struct UpgradeRefusal: Error, Hashable, Sendable {
  /// The limit of the stored body, in bytes.
  public static let maximumBodyBytes = 64 << 10

  /// The status code.
  public let status: Int
  /// The body, cut to 64 KiB.
  public let body: [UInt8]
  /// Seconds from `Retry-After`, at most an hour; nil if absent or invalid.
  public let retryAfterSeconds: Int?

  /// Creates a refusal.
  public init(status: Int, body: [UInt8], retryAfterSeconds: Int?) {
    self.status = status
    self.body = body
    self.retryAfterSeconds = retryAfterSeconds
  }
}

/// Why TLS failed.
public enum TLSFailure: Error, Hashable, Sendable {
  /// No trusted authority signed the certificate, or it is not yet valid.
  case untrustedCertificate
  /// The certificate has expired, whether or not it is trusted.
  case expiredCertificate
  case wrongName
  case other(String)
}

/// A failure of sockets, TLS, HTTP or WebSocket; one case per possible remedy.
public enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host has no address.
  case unknownHost(String)
  /// The host refuses the port.
  case refused(String)
  /// The host could not be reached: no route, no network.
  case unreachable(String, detail: String)
  case tls(String, TLSFailure)
  case handshakeTimeout(String, milliseconds: Int64)
  /// The server responded to the upgrade with another status than 101.
  case upgradeRefused(UpgradeRefusal)
  case closedDuringHandshake(String)
  /// The response was not HTTP, or the 101 was invalid.
  case badResponse(String, detail: String)
  case responseTooLarge(maximumBytes: Int)
  /// The client does not support the endpoint's scheme.
  case wrongScheme(String)
  /// The caller cancelled the request.
  case abandoned
  /// A header's name or value has invalid characters; nothing was sent.
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

// MARK: - Mapping

extension TransportError {
  /// Converts any error of a connection attempt to `host` with a deadline of `milliseconds`.
  package init(_ error: any Error, host: String, milliseconds: Int64) {
    switch error {
    case let known as TransportError: self = known
    case let failure as NIOConnectionError:
      self.init(failure, host: host, milliseconds: milliseconds)
    case let failure as IOError: self.init(failure, host: host)
    case ChannelError.connectTimeout: self = .handshakeTimeout(host, milliseconds: milliseconds)
    case NIOSSLError.handshakeFailed(let detail): self = .tls(host, TLSFailure(detail))
    case NIOSSLError.uncleanShutdown, ChannelError.inappropriateOperationForState,
      ChannelError.eof, ChannelError.ioOnClosedChannel, HTTPParserError.invalidEOFState:
      self = .closedDuringHandshake(host)
    case let failure as NIOSSLError: self = .tls(host, .other(String(describing: failure)))
    case let failure as NIOSSLExtraError:
      let isName =
        failure == .failedToValidateHostname || failure == .serverHostnameImpossibleToMatch
      self = .tls(host, isName ? .wrongName : .other(failure.description))
    default: self = .badResponse(host, detail: String(describing: error))
    }
  }

  private init(_ failure: NIOConnectionError, host: String, milliseconds: Int64) {
    guard let last = failure.connectionErrors.last?.error else {
      self = .unknownHost(host)
      return
    }
    self.init(last, host: host, milliseconds: milliseconds)
  }

  private init(_ failure: IOError, host: String) {
    switch failure.errnoCode {
    case ECONNREFUSED: self = .refused(host)
    case ECONNRESET, EPIPE: self = .closedDuringHandshake(host)
    default: self = .unreachable(host, detail: failure.description)
    }
  }
}

extension TLSFailure {
  /// BoringSSL's reasons are only available as text.
  fileprivate init(_ detail: BoringSSLError) {
    let text = String(describing: detail)
    self = text.contains("CERTIFICATE_VERIFY_FAILED") ? .untrustedCertificate : .other(text)
  }
}
