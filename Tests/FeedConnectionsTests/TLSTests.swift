// TLS: trust by name and by address, and the error texts.

import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import TestSupport
import Testing

@testable import SocketTransport

@Suite(.timeLimit(.minutes(5))) struct TLSTests {
  private let localhost = (TestCertificates.localhost, TestCertificates.localhostKey)
  private let elsewhere = (TestCertificates.elsewhere, TestCertificates.elsewhereKey)

  private func trusting() throws -> ClientOptions {
    .patient(tls: try TLSSettings(additionalRootsPEM: TestCertificates.root))
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func `a certificate that we trust is accepted by name and by address`(host: String) async throws {
    let script = ServerScript(answer: { message, _ in [message] })
    let server = try await TestServer.webSocket(tls: localhost, script)
    let journal = Journal<Heard>()
    let channel = try await connect(server.endpoint(.wss, host: host), trusting(), journal: journal)
    let message = WebSocketMessage.text(ByteBuffer(string: "secret"))
    try await channel.writeAndFlush(message)
    try await journal.wait("the echo") { $0.contains { $0 == .message(message) } }
    try await channel.close()
    try await server.stop()
  }

  @Test func `an untrusted certificate is rejected`() async throws {
    let server = try await TestServer.webSocket(tls: localhost, ServerScript())
    #expect(
      try await failure(server.endpoint(.wss, host: "localhost"))
        == .tls("localhost", .untrustedCertificate))
    #expect(server.heads.isEmpty)
    try await server.stop()
  }

  @Test func `a certificate for another name is refused`() async throws {
    let server = try await TestServer.webSocket(tls: elsewhere, ServerScript())
    #expect(
      try await failure(server.endpoint(.wss, host: "localhost"), trusting())
        == .tls("localhost", .wrongName))
    #expect(try await failure(server.endpoint(.wss), trusting()) == .tls("127.0.0.1", .wrongName))
    try await server.stop()
  }

  @Test func `a certificate that has expired is refused as such`() async throws {
    let expired = (TestCertificates.expired, TestCertificates.expiredKey)
    let server = try await TestServer.webSocket(tls: expired, ServerScript())
    #expect(
      try await failure(server.endpoint(.wss), trusting())
        == .tls("127.0.0.1", .expiredCertificate))
    try await server.stop()
  }

  @Test func `a server without TLS is a failure of TLS`() async throws {
    let server = try await TestServer.webSocket(ServerScript())
    guard case .tls(_, .other) = try await failure(server.endpoint(.wss)) else {
      Issue.record("not a failure of TLS")
      return
    }
    try await server.stop()
  }

  @Test(arguments: [TLSVersion.tlsv1, .tlsv11])
  func `TLS older than 1.2 is not spoken`(newest: TLSVersion) async throws {
    let server = try await TestServer.start(tls: localhost, newestTLS: newest) { _, _ in }
    guard case .tls(_, .other) = try await failure(server.endpoint(.wss), trusting()) else {
      Issue.record("not a failure of TLS")
      return
    }
    try await server.stop()
  }

  /// The cipher suites of TLS 1.2: only forward secrecy with authenticated encryption.
  private static let suites: [(suite: NIOTLSCipher, isSpoken: Bool)] = [
    (.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, false), (.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, false),
    (.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true),
    (.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, true),
    (.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, true),
  ]

  @Test(arguments: suites)
  func `a server speaks TLS 1.2 in no other suite`(
    suite: NIOTLSCipher, isSpoken: Bool
  ) async throws {
    let tls = try ServerTLS.ofTests()
    let server = try await TestServer.start { channel, _ in try tls.secure(channel) }
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.maximumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = [suite]
    configuration.certificateVerification = .none
    let context = try NIOSSLContext(configuration: configuration)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let outcome = loop.makePromise(of: Bool.self)
    let channel = try await ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            try NIOSSLClientHandler(context: context, serverHostname: nil),
            HandshakeOutcome(outcome))
        }
      }
      .connect(host: "127.0.0.1", port: server.port).get()
    #expect(try await outcome.futureResult.soon("the handshake") == isSpoken)
    channel.close(promise: nil)
    try await server.stop()
  }

  @Test(arguments: suites)
  func `a client speaks TLS 1.2 in no other suite`(
    suite: NIOTLSCipher, isSpoken: Bool
  ) async throws {
    let server = try await TestServer.start(tls: localhost, newestTLS: .tlsv12, suites: [suite]) {
      channel, _ in
      try WebSocketPipeline.configureServer(channel, accept: { _ in true }, http: []) { _, _ in }
    }
    let problem = try await failure(server.endpoint(.wss), trusting())
    #expect((problem == nil) == isSpoken, "\(String(describing: problem))")
    try await server.stop()
  }

  @Test func `a PEM text without a certificate is an error`() {
    #expect(throws: (any Error).self) { try TLSSettings(additionalRootsPEM: "nothing") }
  }
}

private final class HandshakeOutcome: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let outcome: EventLoopPromise<Bool>

  init(_ outcome: EventLoopPromise<Bool>) { self.outcome = outcome }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { outcome.succeed(true) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    outcome.succeed(false)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { outcome.succeed(false) }
}
