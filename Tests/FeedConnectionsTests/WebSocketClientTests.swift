// The WebSocket client against a server on loopback: upgrades that succeed, are rejected, or hang.

import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport
import TestSupport
import Testing

enum Heard: Sendable, Equatable {
  case message(WebSocketMessage)
  case event(WebSocketEvent)
}

final class JournalHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage
  private let journal: Journal<Heard>

  init(_ journal: Journal<Heard>) { self.journal = journal }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    journal.append(.message(Self.unwrapInboundIn(data)))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? WebSocketEvent { journal.append(.event(event)) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

func connect(
  _ endpoint: Endpoint, headers: HeaderFields = [], _ options: ClientOptions = .patient(),
  journal: Journal<Heard> = Journal()
) async throws -> any Channel {
  let loop = MultiThreadedEventLoopGroup.singleton.next()
  return try await WebSocketClient.connect(
    to: endpoint, headers: headers, options: options, on: loop
  ) { _ in JournalHandler(journal) }.soon("a connection")
}

/// The transport error of a connection that must fail.
func failure(
  _ endpoint: Endpoint, _ options: ClientOptions = .patient()
) async throws -> TransportError? {
  do {
    let channel = try await connect(endpoint, options)
    try await channel.close()
    return nil
  } catch let error as TransportError {
    return error
  }
}

@Suite(.timeLimit(.minutes(5))) struct WebSocketClientTests {
  @Test func `frames in the same segment as the 101 are not lost`() async throws {
    let greeting = (0..<3).map { WebSocketMessage.text(ByteBuffer(string: "welcome \($0)")) }
    // The head of the 101, then three frames of two writes each.
    for held in 1...7 {
      let server = try await TestServer.webSocket(
        ServerScript(greeting: greeting, heldWrites: held))
      let journal = Journal<Heard>()
      let channel = try await connect(server.endpoint(.ws), journal: journal)
      let heard = try await journal.wait("three messages") { $0.count >= 4 }
      #expect(heard == [.event(.opened)] + greeting.map { .message($0) }, "held \(held)")
      try await channel.close()
      try await server.stop()
    }
  }

  @Test func `headers, host and target arrive`() async throws {
    let server = try await TestServer.webSocket(ServerScript())
    let channel = try await connect(
      server.endpoint(.ws), headers: [("Authorization", "Bearer t"), ("Accept-Language", "nl")])
    let head = try #require(server.heads.first)
    #expect(head.uri == "/feed?x=1")
    #expect(head.headers["host"] == ["127.0.0.1:\(server.port)"])
    #expect(head.headers["authorization"] == ["Bearer t"])
    #expect(head.headers["accept-language"] == ["nl"])
    try await channel.close()
    try await server.stop()
  }

  @Test(arguments: [("X", "a\r\nY: b"), ("X", "token\n"), ("X Y", "a"), ("", "a"), ("X", "\0")])
  func `a header that would break the request is refused at once`(
    name: String, value: String
  ) async throws {
    let server = try await TestServer.webSocket(ServerScript())
    await #expect(throws: TransportError.invalidHeader(name: name)) {
      _ = try await connect(server.endpoint(.ws), headers: [(name, value)])
    }
    #expect(server.connections == 0)
    try await server.stop()
  }

  @Test(arguments: [401, 429, 503, 302])
  func `a refused upgrade brings status, body and Retry-After`(status: Int) async throws {
    let body = #"{"errorCode":"AUTH_008"}"#
    let script = ServerScript(refusal: { _ in
      (HTTPResponseStatus(statusCode: status), ["Retry-After": "17"], body)
    })
    let server = try await TestServer.webSocket(script)
    let expected = UpgradeRefusal(status: status, body: Array(body.utf8), retryAfterSeconds: 17)
    #expect(try await failure(server.endpoint(.ws)) == .upgradeRefused(expected))
    try await server.stop()
  }

  @Test func `the body of a refusal is cut at 64 KiB`() async throws {
    let script = ServerScript(refusal: { _ in
      (.serviceUnavailable, [:], String(repeating: "x", count: 100_000))
    })
    let server = try await TestServer.webSocket(script)
    guard case .upgradeRefused(let refusal) = try await failure(server.endpoint(.ws)) else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.body.count == 65_536)
    #expect(refusal.retryAfterSeconds == nil)
    try await server.stop()
  }

  @Test func `a server that accepts the connection but stays silent hits the deadline`()
    async throws
  {
    let server = try await TestServer.start { _, _ in }
    let options = ClientOptions(deadlineMilliseconds: 100)
    #expect(
      try await failure(server.endpoint(.ws), options)
        == .handshakeTimeout("127.0.0.1", milliseconds: 100))
    #expect(
      try await failure(server.endpoint(.wss), options)
        == .handshakeTimeout("127.0.0.1", milliseconds: 100))
    try await server.stop()
  }

  @Test func `a server that closes during the handshake is named so`() async throws {
    let server = try await TestServer.start { channel, _ in
      channel.eventLoop.execute { channel.close(promise: nil) }
    }
    #expect(try await failure(server.endpoint(.ws)) == .closedDuringHandshake("127.0.0.1"))
    try await server.stop()
  }

  @Test(arguments: [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: wrong\r\n\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n\r\n",
  ])
  func `an answer that is no upgrade is a bad answer`(answer: String) async throws {
    let server = try await TestServer.start { channel, _ in
      try channel.pipeline.syncOperations.addHandler(FixedAnswer(answer))
    }
    guard case .badResponse = try await failure(server.endpoint(.ws)) else {
      Issue.record("not a bad answer: \(answer)")
      return
    }
    try await server.stop()
  }

  @Test func `a refused connection and an unknown host are distinguished`() async throws {
    let silence = try SilentPort.hold()
    let nobody = try await failure(silence.endpoint(.ws))
    #expect(nobody == .refused("127.0.0.1"))
    silence.release()
    // A label may have 63 characters: the resolver rejects this one without a network request.
    let host = String(repeating: "x", count: 64) + ".invalid"
    let nowhere = Endpoint(scheme: .ws, host: host, port: 80)
    #expect(try await failure(nowhere) == .unknownHost(host))
  }

  @Test func `a large message and an echo pass`() async throws {
    let large = String(repeating: "0123456789", count: 150_000)
    let script = ServerScript(answer: { message, _ in [message] })
    let server = try await TestServer.webSocket(script)
    let journal = Journal<Heard>()
    let channel = try await connect(server.endpoint(.ws), journal: journal)
    let message = WebSocketMessage.text(ByteBuffer(string: large))
    try await channel.writeAndFlush(message)
    let heard = try await journal.wait("the echo") { $0.contains { $0 == .message(message) } }
    #expect(heard.count == 2)
    try await channel.close()
    try await server.stop()
  }

  @Test(arguments: [false, true])
  func `closing is a handshake that ends both sockets without any timeout`(
    isSecure: Bool
  ) async throws {
    let limits = WebSocketLimits(closeTimeoutMilliseconds: 600_000)
    let tls = (TestCertificates.localhost, TestCertificates.localhostKey)
    let server = try await TestServer.webSocket(
      tls: isSecure ? tls : nil, ServerScript(limits: limits))
    let journal = Journal<Heard>()
    let options = ClientOptions.patient(
      tls: try TLSSettings(additionalRootsPEM: TestCertificates.root), limits: limits)
    let channel = try await connect(
      server.endpoint(isSecure ? .wss : .ws), options, journal: journal)
    try await channel.triggerUserOutboundEvent(WebSocketCommand.close(code: 4000, reason: "done"))
    try await channel.closeFuture.soon("the end of the client's socket")
    for child in server.open {
      try await child.closeFuture.soon("the end of the server's socket")
    }
    #expect(server.closures == [WebSocketClosure(code: 4000, reason: "done", initiator: .there)])
    let here = WebSocketClosure(code: 4000, reason: "done", initiator: .here)
    #expect(journal.entries == [.event(.opened), .event(.closed(here))])
    try await server.stop()
  }

  @Test(arguments: [false, true])
  func `a server that fails the connection is understood, however much is under way`(
    isSecure: Bool
  ) async throws {
    let limits = WebSocketLimits(maximumMessageBytes: 1000, closeTimeoutMilliseconds: 600_000)
    let tls = (TestCertificates.localhost, TestCertificates.localhostKey)
    let server = try await TestServer.webSocket(
      tls: isSecure ? tls : nil, ServerScript(limits: limits))
    let journal = Journal<Heard>()
    let options = ClientOptions.patient(
      tls: try TLSSettings(additionalRootsPEM: TestCertificates.root))
    let channel = try await connect(
      server.endpoint(isSecure ? .wss : .ws), options, journal: journal)
    let large = WebSocketMessage.text(ByteBuffer(repeating: 0x61, count: 1 << 20))
    for _ in 0..<4 { channel.writeAndFlush(large, promise: nil) }
    try await channel.closeFuture.soon("the end of the socket")
    let closure = WebSocketClosure(
      code: 1009, reason: "a message may have 1000 bytes", initiator: .there)
    #expect(journal.entries == [.event(.opened), .event(.closed(closure))])
    try await server.stop()
  }
}

/// Responds to the first bytes with fixed text.
private final class FixedAnswer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer
  private let text: String

  init(_ text: String) { self.text = text }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
  }
}
