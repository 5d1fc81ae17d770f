// TLS: whom we trust, by name and by address, and what we say when we do not.

import NIOCore
import NIOSSL
import SocketTransport
import TestSupport
import Testing

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
    let channel = try await connect(
      server.endpoint(.wss, host: host), trusting(), journal: journal)
    let message = WebSocketMessage.text(ByteBuffer(string: "secret"))
    try await channel.writeAndFlush(message)
    try await journal.wait("the echo") { $0.contains { $0 == .message(message) } }
    try await channel.close()
    try await server.stop()
  }

  @Test func `a certificate that nobody vouches for is refused`() async throws {
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
    #expect(
      try await failure(server.endpoint(.wss), trusting()) == .tls("127.0.0.1", .wrongName))
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

  @Test func `a PEM text without a certificate is an error`() {
    #expect(throws: (any Error).self) { try TLSSettings(additionalRootsPEM: "nothing") }
  }
}
