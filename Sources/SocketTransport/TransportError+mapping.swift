// NIO and BoringSSL report what happened inside them; here it becomes what happened to the
// connection.

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

extension TransportError {
  /// Translates any error of a connection attempt to `host` that had `milliseconds` of time.
  package init(_ error: any Error, host: String, milliseconds: Int64) {
    switch error {
    case let known as TransportError: self = known
    case let failure as NIOConnectionError:
      self.init(failure, host: host, milliseconds: milliseconds)
    case let failure as IOError: self.init(failure, host: host)
    case ChannelError.connectTimeout:
      self = .handshakeTimeout(host, milliseconds: milliseconds)
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
  /// BoringSSL gives its reasons as text only.
  fileprivate init(_ detail: BoringSSLError) {
    let text = String(describing: detail)
    self = text.contains("CERTIFICATE_VERIFY_FAILED") ? .untrustedCertificate : .other(text)
  }
}
