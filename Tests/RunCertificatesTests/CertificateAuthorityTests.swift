// An authority of one run, as the clients' own library judges it.

import Foundation
import MarketModel
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import Testing

@testable import RunCertificates

@Suite struct CertificateAuthorityTests {
  private static let now = Timestamp(milliseconds: 1_795_000_000_000)

  /// The present: the library goes by the machine's clock.
  private static var today: Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1000)
  }

  private func pass(from one: EmbeddedChannel, to other: EmbeddedChannel) {
    while let bytes = try? one.readOutbound(as: ByteBuffer.self) {
      _ = try? other.writeInbound(bytes)
    }
  }

  /// What a client says about a server's certificate when it trusts an authority; nil when it
  /// accepts it.
  private func refusal(
    of issued: CertificateAuthority.Issued, by authority: CertificateAuthority,
    host: String = "localhost"
  ) throws -> String? {
    let loop = EmbeddedEventLoop()
    var trusting = TLSConfiguration.makeClientConfiguration()
    trusting.trustRoots = .certificates([
      try NIOSSLCertificate(bytes: authority.certificate, format: .der)
    ])
    let showing = TLSConfiguration.makeServerConfiguration(
      certificateChain: [
        .certificate(try NIOSSLCertificate(bytes: issued.certificate, format: .der))
      ],
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: issued.key, format: .der)))
    let failure = FailureNote()
    let client = EmbeddedChannel(loop: loop)
    let server = EmbeddedChannel(loop: loop)
    try client.pipeline.syncOperations.addHandlers(
      NIOSSLClientHandler(
        context: NIOSSLContext(configuration: trusting), serverHostname: host), failure)
    try server.pipeline.syncOperations.addHandler(
      NIOSSLServerHandler(context: NIOSSLContext(configuration: showing)))
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
    client.connect(to: address, promise: nil)
    server.connect(to: address, promise: nil)
    for _ in 0..<8 {
      pass(from: client, to: server)
      pass(from: server, to: client)
    }
    for end in [client, server] where end.isActive { end.close(promise: nil) }
    // An end that hears no farewell waits five seconds for it.
    loop.advanceTime(by: .seconds(10))
    return failure.isDone ? nil : failure.text ?? "nothing happened"
  }

  @Test func `who trusts the authority accepts its servers under their names`() throws {
    let authority = try CertificateAuthority(for: CertificateName.loopback, at: Self.today)
    let issued = try authority.issue(
      for: CertificateName.loopback, subject: "a venue", at: Self.today)
    #expect(try refusal(of: issued, by: authority) == nil)
    let named = try authority.issue(for: [.host("localhost")], subject: "a venue", at: Self.today)
    #expect(try refusal(of: named, by: authority) == nil)
    let words = try refusal(of: named, by: authority, host: "elsewhere.localhost")
    #expect(words?.contains("failedToValidateHostname") == true, "\(words ?? "accepted")")
  }

  @Test func `nobody accepts a stranger's server, however alike it is called`() throws {
    let authority = try CertificateAuthority(for: CertificateName.loopback, at: Self.today)
    let stranger = try CertificateAuthority(for: CertificateName.loopback, at: Self.today)
    let issued = try stranger.issue(
      for: CertificateName.loopback, subject: "a venue", at: Self.today)
    let words = try refusal(of: issued, by: authority)
    #expect(words?.contains("CERTIFICATE_VERIFY_FAILED") == true, "\(words ?? "accepted")")
  }

  @Test func `nobody accepts what was good until yesterday`() throws {
    let authority = try CertificateAuthority(for: CertificateName.loopback, at: Self.today)
    let issued = try authority.issue(
      for: CertificateName.loopback, subject: "a venue", at: Self.today, isExpired: true)
    let words = try refusal(of: issued, by: authority)
    #expect(words?.contains("CERTIFICATE_VERIFY_FAILED") == true, "\(words ?? "accepted")")
  }

  @Test func `an authority can't vouch for a real venue, even to those who trust it`() throws {
    let authority = try CertificateAuthority(for: CertificateName.loopback, at: Self.today)
    let issued = try authority.issue(
      for: [.host("ws.kraken.com")], subject: "a venue", at: Self.today)
    let words = try refusal(of: issued, by: authority, host: "ws.kraken.com")
    #expect(words?.contains("CERTIFICATE_VERIFY_FAILED") == true, "\(words ?? "accepted")")
  }

  @Test func `no description shows a key`() throws {
    let authority = try CertificateAuthority(for: CertificateName.loopback, at: Self.now)
    let issued = try authority.issue(
      for: CertificateName.loopback, subject: "a venue", at: Self.now)
    for text in try [String(reflecting: issued), String(reflecting: SigningKey())] {
      #expect(!text.contains("["), "bytes of it: \(text)")
    }
  }

  @Test func `its certificate is written as PEM, and every one is another`() throws {
    let authority = try CertificateAuthority(for: CertificateName.loopback, at: Self.now)
    let read = try NIOSSLCertificate.fromPEMBytes(Array(authority.pem.utf8))
    #expect(try read.map { try $0.toDERBytes() } == [authority.certificate])
    #expect(authority.pem.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
    let other = try CertificateAuthority(for: CertificateName.loopback, at: Self.now)
    #expect(other.certificate != authority.certificate)
  }
}

/// Hears how a handshake ends.
private final class FailureNote: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private(set) var text: String?
  private(set) var isDone = false

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event { isDone = true }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    text = text ?? String(describing: error)
  }
}
