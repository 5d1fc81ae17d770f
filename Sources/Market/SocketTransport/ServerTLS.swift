import NIOConcurrencyHelpers
package import NIOCore
import NIOSSL

/// Why a server can't speak TLS.
public struct ServerTLSError: Error, Sendable, CustomStringConvertible {
  /// One line; names files, never key material.
  public let description: String
}

/// A server's certificate and key; TLS 1.2 or later, HTTP/1.1 above it.
public struct ServerTLS: Sendable {
  private let files: (certificate: String, key: String)
  /// For sockets accepted from now on.
  private let context: NIOLockedValueBox<NIOSSLContext>

  /// Reads PEM files, blocking: the server's certificate with its chain, and its key.
  public init(certificateFile: String, keyFile: String) throws(ServerTLSError) {
    files = (certificateFile, keyFile)
    context = NIOLockedValueBox(try Self.context(of: certificateFile, keyFile))
  }

  /// Reads the same files again, blocking, for sockets accepted from now on; throws without
  /// changes.
  public func reload() throws(ServerTLSError) {
    let new = try Self.context(of: files.certificate, files.key)
    context.withLockedValue { $0 = new }
  }

  private static func context(
    of certificateFile: String, _ keyFile: String
  ) throws(ServerTLSError) -> NIOSSLContext {
    let chain: [NIOSSLCertificate]
    do {
      chain = try NIOSSLCertificate.fromPEMFile(certificateFile)
    } catch {
      throw ServerTLSError(description: "\(certificateFile) holds no certificate that can be read")
    }
    let key: NIOSSLPrivateKey
    do {
      key = try NIOSSLPrivateKey(file: keyFile, format: .pem)
    } catch {
      throw ServerTLSError(description: "\(keyFile) holds no key that can be read")
    }
    do {
      return try context(chain, key)
    } catch {
      throw ServerTLSError(
        description: "the key in \(keyFile) is not that of the certificate in \(certificateFile)")
    }
  }

  private static func context(
    _ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey
  ) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = TLSSettings.suites
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  /// Adds TLS to an accepted socket, below all its handlers; on its event loop.
  package func secure(_ channel: any Channel) throws {
    try channel.pipeline.syncOperations.addHandler(
      NIOSSLServerHandler(context: context.withLockedValue { $0 }), position: .first)
  }
}

extension ServerTLS {
  /// Adds TLS to a connection of this process to its own listener, on its event loop.
  ///
  /// Nothing is verified: no secret is sent, and the certificate need not name this address.
  package static func secureSelfCheck(_ channel: any Channel) throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    let handler = try NIOSSLClientHandler(
      context: NIOSSLContext(configuration: configuration), serverHostname: nil)
    try channel.pipeline.syncOperations.addHandler(handler, position: .first)
  }
}

extension ServerTLS: CustomReflectable {
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
