// BoringSSL has one word for every certificate that it refuses. When one has run out stands in it,
// though, and it is at hand until the socket closes.

import NIOCore
import NIOSSL

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Tells a certificate that has expired from others that were refused; right above TLS.
///
/// Whether somebody whom we trust had signed it is not known then.
final class ExpiryHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let tls: NIOSSLClientHandler
  private let host: String

  init(_ tls: NIOSSLClientHandler, host: String) { (self.tls, self.host) = (tls, host) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(
      isOfExpired(error) ? TransportError.tls(host, .expiredCertificate) : error)
  }

  private func isOfExpired(_ error: any Error) -> Bool {
    // Only then is there a certificate to ask for.
    guard TransportError(error, host: host, milliseconds: 0) == .tls(host, .untrustedCertificate)
    else { return false }
    return tls.peerCertificate.map { $0.notValidAfter < time(nil) } ?? false
  }
}
