// Whom to trust. Reading the system's certificates takes tens of milliseconds, so it happens once.

package import NIOCore
import NIOSSL

/// The certificates that a client trusts; certificate and name are always verified.
public struct TLSSettings: Sendable {
  private enum Trust: Sendable {
    case system
    case loaded(NIOSSLContext)
  }

  /// Loaded at the first secure connection of the process; blocks for that long.
  private static let systemContext = Result {
    try NIOSSLContext(configuration: clientConfiguration)
  }

  /// Suites of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325 section 4.2), as
  /// all of TLS 1.3 have them: a key that leaks later opens nothing that was recorded before.
  static let suites: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  ]

  /// TLS 1.2 at least: what came before is broken (RFC 8996).
  private static var clientConfiguration: TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = suites
    return configuration
  }

  private let trust: Trust

  /// The system's certificates.
  public static let system = TLSSettings(trust: .system)

  private init(trust: Trust) { self.trust = trust }

  /// The certificates in a PEM text, beside the system's.
  ///
  /// - Parameter text: one or more certificates.
  /// - Throws: `NIOSSLError` when it holds no certificate.
  public init(additionalRootsPEM text: String) throws {
    try self.init(additionalRoots: NIOSSLCertificate.fromPEMBytes(Array(text.utf8)))
  }

  private init(additionalRoots: [NIOSSLCertificate]) throws {
    var configuration = TLSSettings.clientConfiguration
    configuration.additionalTrustRoots = [.certificates(additionalRoots)]
    trust = .loaded(try NIOSSLContext(configuration: configuration))
  }

  /// Speaks TLS from here on, below all handlers that there are; call it on the channel's loop.
  ///
  /// - Throws: when the certificates could not be loaded or `host` can't be a server's name.
  package func secure(_ channel: any Channel, host: String) throws {
    let handler = try makeHandler(host: host)
    try channel.pipeline.syncOperations.addHandlers(
      [handler, ExpiryHandler(handler, host: host)], position: .first)
  }

  /// A handler for one connection to `host`.
  ///
  /// - Throws: when the certificates could not be loaded or `host` can't be a server's name.
  private func makeHandler(host: String) throws -> NIOSSLClientHandler {
    let context =
      switch trust {
      case .system: try TLSSettings.systemContext.get()
      case .loaded(let context): context
      }
    return try NIOSSLClientHandler(
      context: context, serverHostname: IPAddress.isLiteral(host) ? nil : host)
  }
}
