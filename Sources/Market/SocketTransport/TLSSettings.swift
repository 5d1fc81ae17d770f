package import NIOCore
import NIOSSL

/// The certificates that a client trusts; certificate and name are always verified.
public struct TLSSettings: Sendable {
  private enum Trust: Sendable {
    case system
    case loaded(NIOSSLContext)
  }

  /// Loaded once, at the first secure connection; blocks for tens of milliseconds.
  private static let systemContext = Result {
    try NIOSSLContext(configuration: clientConfiguration)
  }

  /// TLS 1.2 suites with forward secrecy and authenticated encryption (RFC 9325 section 4.2).
  ///
  /// Like all of TLS 1.3: a leaked key does not decrypt recorded traffic.
  static let suites: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  ]

  /// TLS 1.2 or later; earlier versions are broken (RFC 8996).
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

  /// The certificates in a PEM text, besides the system's; throws `NIOSSLError` without any.
  public init(additionalRootsPEM text: String) throws {
    try self.init(additionalRoots: NIOSSLCertificate.fromPEMBytes(Array(text.utf8)))
  }

  private init(additionalRoots: [NIOSSLCertificate]) throws {
    var configuration = TLSSettings.clientConfiguration
    configuration.additionalTrustRoots = [.certificates(additionalRoots)]
    trust = .loaded(try NIOSSLContext(configuration: configuration))
  }

  /// Adds TLS below all existing handlers; call it on the channel's loop.
  ///
  /// Throws if the certificates could not be loaded or `host` is no valid server name.
  package func secure(_ channel: any Channel, host: String) throws {
    let handler = try makeHandler(host: host)
    try channel.pipeline.syncOperations.addHandlers(
      [handler, ExpiryHandler(handler, host: host)], position: .first)
  }

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
