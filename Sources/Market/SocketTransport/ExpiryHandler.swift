import NIOCore
import NIOSSL

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Distinguishes expired certificates from others that BoringSSL rejects with the same error.
///
/// Directly above TLS. Whether a trusted authority signed the certificate is then unknown.
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
    // Only then is a peer certificate available.
    guard TransportError(error, host: host, milliseconds: 0) == .tls(host, .untrustedCertificate)
    else { return false }
    return tls.peerCertificate.map { $0.notValidAfter < time(nil) } ?? false
  }
}
