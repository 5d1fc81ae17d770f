// One GET: its whole response, within a size bound and a deadline.

import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
  private func get(
    _ server: TestServer, maximumBodyBytes: Int = 1 << 20,
    _ options: ClientOptions = .patient()
  ) async throws -> HTTPClientResponse {
    try await HTTPClient.get(
      server.endpoint(.http), headers: [("Accept", "application/json")], options: options,
      maximumBodyBytes: maximumBodyBytes, on: MultiThreadedEventLoopGroup.singleton.next()
    ).soon("an answer")
  }

  private func server(
    _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: String
  ) async throws -> TestServer {
    try await TestServer.webSocket(ServerScript(refusal: { _ in (status, headers, body) }))
  }

  @Test(arguments: [[:], ["Transfer-Encoding": "chunked"]] as [HTTPHeaders])
  func `status, headers and body arrive`(headers: HTTPHeaders) async throws {
    let server = try await server(.notFound, headers, #"{"message":null}"#)
    let answer = try await get(server)
    #expect(answer.status == 404)
    #expect(String(buffer: answer.body) == #"{"message":null}"#)
    #expect(answer.header("CONTENT-LENGTH") == (headers.isEmpty ? "16" : nil))
    try await server.stop()
  }

  @Test func `an answer that is too large fails`() async throws {
    let server = try await server(.ok, [:], String(repeating: "x", count: 1001))
    await #expect(throws: TransportError.responseTooLarge(maximumBytes: 1000)) {
      try await get(server, maximumBodyBytes: 1000)
    }
    try await server.stop()
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      "1;" + String(repeating: "e", count: 500) + "\r\nx\r\n"
    ), ("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
  ])
  func `an answer of framing with hardly a body fails long before the deadline`(
    head: String, part: String
  ) async throws {
    let server = try await TestServer.start { channel, _ in
      var bytes = ByteBuffer(string: head)
      while bytes.readableBytes < 1 << 20 { bytes.writeString(part) }
      try channel.pipeline.syncOperations.addHandler(Reply(bytes))
    }
    await #expect(
      throws: TransportError.badResponse("127.0.0.1", detail: "too much framing for its body")
    ) { try await get(server) }
    try await server.stop()
  }

  @Test func `an answer in chunks of sixteen bytes arrives whole`() async throws {
    let server = try await TestServer.start { channel, _ in
      var bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<60_000 { bytes.writeString("10\r\n0123456789abcdef\r\n") }
      bytes.writeString("0\r\n\r\n")
      try channel.pipeline.syncOperations.addHandler(Reply(bytes))
    }
    #expect(try await get(server).body.readableBytes == 960_000)
    try await server.stop()
  }

  @Test func `an answer that never ends runs into the deadline`() async throws {
    let server = try await TestServer.start { _, _ in }
    await #expect(throws: TransportError.handshakeTimeout("127.0.0.1", milliseconds: 100)) {
      try await get(server, ClientOptions(deadlineMilliseconds: 100))
    }
    try await server.stop()
  }

  @Test func `Retry-After is read as a number and as a date`() {
    func seconds(_ value: String, date: String? = "Wed, 21 Oct 2026 07:27:30 GMT") -> Int? {
      let headers = [(name: "retry-after", value: value)] + (date.map { [("Date", $0)] } ?? [])
      return HTTPClientResponse(status: 429, headers: headers, body: ByteBuffer()).retryAfterSeconds
    }
    #expect(seconds("30") == 30)
    #expect(seconds("-5") == 0)
    #expect(seconds("999999") == 3600)
    #expect(seconds("99999999999999999999999") == 3600)
    #expect(seconds("Wed, 21 Oct 2026 07:28:00 GMT") == 30)
    #expect(seconds("Wed, 21 Oct 2026 07:27:00 GMT") == 0)
    #expect(seconds("Thu, 21 Oct 2196 07:28:00 GMT") == 3600)
    #expect(seconds("Thu, 21 Oct 2196 07:28:00 GMT", date: nil) == 3600, "by the machine's clock")
    for text in [
      "", "soon", "1.5", "Wed, 21 Oct 2026 07:28:00 CET", "Wed, 99 Oct 2026 07:28:00 GMT",
    ] {
      #expect(seconds(text) == nil, "\(text)")
    }
  }

  @Test func `a moment is written in HTTP's format and read back`() {
    let moment = HTTPDate(seconds: 784_111_777)
    #expect(moment.text == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate(moment.text) == moment)
  }

  @Test func `a request whose task is cancelled ends at once, its socket with it`() async throws {
    let server = try await TestServer.start { _, _ in }
    let task = Task {
      try await HTTPClient.get(
        server.endpoint(.http), options: ClientOptions(deadlineMilliseconds: 600_000),
        group: MultiThreadedEventLoopGroup.singleton)
    }
    let child = try await server.firstConnection()
    task.cancel()
    await #expect(throws: TransportError.abandoned) { try await task.value }
    try await child.closeFuture.soon("the end of the socket")
    try await server.stop()
  }

  @Test func `a WebSocket endpoint is refused`() async throws {
    await #expect(throws: TransportError.wrongScheme("ws")) {
      try await HTTPClient.get(
        Endpoint("ws://127.0.0.1/"), group: MultiThreadedEventLoopGroup.singleton)
    }
  }
}

/// Sends bytes as soon as anything is received.
private final class Reply: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var bytes: ByteBuffer?

  init(_ bytes: ByteBuffer) { self.bytes = bytes }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let bytes else { return }
    self.bytes = nil
    context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil)
  }
}
