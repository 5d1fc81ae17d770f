// One GET: its answer whole, within a bound and a deadline.

import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport
import Testing

@Suite struct HTTPClientTests {
  private func get(
    _ server: TestServer, maximumBodyBytes: Int = 1 << 20,
    _ options: ClientOptions = ClientOptions()
  ) async throws -> HTTPAnswer {
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
    await #expect(throws: TransportError.answerTooLarge(maximumBytes: 1000)) {
      try await get(server, maximumBodyBytes: 1000)
    }
    try await server.stop()
  }

  @Test func `an answer that never ends runs into the deadline`() async throws {
    let server = try await TestServer.start { _, _ in }
    await #expect(throws: TransportError.handshakeTimeout("127.0.0.1", milliseconds: 100)) {
      try await get(server, ClientOptions(deadlineMilliseconds: 100))
    }
    try await server.stop()
  }

  @Test func `Retry-After is read where it is a number`() {
    func seconds(_ value: String) -> Int? {
      HTTPAnswer(status: 429, headers: [("retry-after", value)], body: ByteBuffer())
        .retryAfterSeconds
    }
    #expect(seconds("30") == 30)
    #expect(seconds("-5") == 0)
    #expect(seconds("999999") == 3600)
    #expect(seconds("Wed, 21 Oct 2026 07:28:00 GMT") == nil)
  }

  @Test func `a WebSocket endpoint is refused`() async throws {
    await #expect(throws: TransportError.wrongScheme("ws")) {
      try await HTTPClient.get(
        Endpoint("ws://127.0.0.1/"), group: MultiThreadedEventLoopGroup.singleton)
    }
  }
}
