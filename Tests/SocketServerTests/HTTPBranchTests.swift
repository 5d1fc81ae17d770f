// Paths with their own rules: methods and small bodies that no other path accepts, and rejections
// in the branch's own form.

import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import SocketServer

@Suite struct HTTPBranchTests {
  private static let most = 16

  private final class Connection {
    let channel = NIOAsyncTestingChannel()

    init(
      refusal: @escaping @Sendable (HTTPRequestHead, SocketSource) -> PlainResponse? = {
        (_, _) in nil
      }
    ) async throws {
      let branch = HTTPBranch(
        maximumBodyBytes: HTTPBranchTests.most, takes: { $0.uri.hasPrefix("/api") },
        form: { PlainResponse(status: $0.status, headers: $0.headers, text: "formed: \($0.text)") },
        respond: { head, body in
          PlainResponse(
            status: .accepted,
            text: "\(head.method.rawValue) \(head.uri) \(String(decoding: body, as: UTF8.self))")
        })
      let service = HTTPService(
        refusal: refusal, responder: Router<BasicRequestContext>().buildResponder(),
        branch: branch, logger: Logger(label: "test"))
      let channel = channel
      try await channel.testingEventLoop.executeInContext {
        try channel.pipeline.syncOperations.addHandler(HTTPRequestHandler(service))
      }
      try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
    }

    /// Sends a request, its body in pieces, and its end.
    func ask(
      _ method: HTTPMethod, _ uri: String, _ pieces: [String] = [], _ headers: HTTPHeaders = [:]
    ) async throws {
      var headers = headers
      headers.add(name: "Host", value: "127.0.0.1")
      if !pieces.isEmpty, !headers.contains(name: "content-length") {
        headers.add(name: "Transfer-Encoding", value: "chunked")
      }
      let head = HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
      try await channel.writeInbound(HTTPServerRequestPart.head(head))
      for piece in pieces {
        try await channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: piece)))
      }
      try await channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    func answer() async throws -> (status: HTTPResponseStatus, closes: Bool, text: String) {
      var status = HTTPResponseStatus.internalServerError
      var (text, closes) = ("", false)
      while true {
        switch try await channel.waitForOutboundWrite(as: HTTPServerResponsePart.self) {
        case .head(let head):
          status = head.status
          closes = head.headers["connection"] == ["close"]
        case .body(.byteBuffer(let bytes)): text += String(buffer: bytes)
        case .body: break
        case .end: return (status, closes, text)
        }
      }
    }

    func close() async throws { _ = try await channel.finish(acceptAlreadyClosed: true) }
  }

  @Test(arguments: [HTTPMethod.GET, .POST, .PATCH, .DELETE, .PUT])
  func `the branch answers any method, elsewhere only what the server allows`(
    method: HTTPMethod
  ) async throws {
    let connection = try await Connection()
    try await connection.ask(method, "/api/orders")
    #expect(try await connection.answer() == (.accepted, false, "\(method.rawValue) /api/orders "))
    if method != .GET {
      try await connection.ask(method, "/orders")
      let refused = try await connection.answer()
      #expect(refused.status == .methodNotAllowed && refused.closes)
      #expect(!refused.text.hasPrefix("formed"))
    }
    try await connection.close()
  }

  @Test func `a body comes whole, in however many pieces`() async throws {
    let connection = try await Connection()
    try await connection.ask(.POST, "/api/orders", ["sixteen ", "bytes", " "], [:])
    #expect(try await connection.answer().text == "POST /api/orders sixteen bytes ")
    try await connection.ask(
      .POST, "/api/orders", ["sixteen bytes, 16"].map { String($0.prefix(16)) },
      ["content-length": "16"])
    #expect(try await connection.answer().text == "POST /api/orders sixteen bytes, 1")
    try await connection.close()
  }

  @Test func `a body that is announced as too long is refused before it comes`() async throws {
    let connection = try await Connection()
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: "/api/orders", headers: ["content-length": "17"])
    try await connection.channel.writeInbound(HTTPServerRequestPart.head(head))
    let answer = try await connection.answer()
    #expect(answer.status == .payloadTooLarge && answer.closes)
    #expect(answer.text.hasPrefix("formed: "))
    try await connection.close()
  }

  @Test func `a body that grows too long is refused at once, and only once`() async throws {
    let connection = try await Connection()
    try await connection.ask(.POST, "/api/orders", ["sixteen bytes ok", "!", "more", "and more"])
    let answer = try await connection.answer()
    #expect(answer.status == .payloadTooLarge && answer.closes)
    #expect(answer.text.hasPrefix("formed: "))
    #expect(
      try await connection.channel.readOutbound(as: HTTPServerResponsePart.self) == nil,
      "a second answer")
    try await connection.close()
  }

  @Test func `a client that waits with its body gets one 100 Continue`() async throws {
    let connection = try await Connection()
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: "/api/orders",
      headers: ["Host": "127.0.0.1", "content-length": "3", "expect": "100-Continue"])
    try await connection.channel.writeInbound(HTTPServerRequestPart.head(head))
    let goOn = try await connection.channel.waitForOutboundWrite(as: HTTPServerResponsePart.self)
    #expect(goOn == .head(HTTPResponseHead(version: .http1_1, status: .continue)))
    try await connection.channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "abc")))
    try await connection.channel.writeInbound(HTTPServerRequestPart.end(nil))
    #expect(try await connection.answer() == (.accepted, false, "POST /api/orders abc"))
    try await connection.close()
  }

  @Test(
    arguments: [
      ("/api/orders", ["expect": "100-continue", "content-length": "17"], .http1_1, 413),
      ("/orders", ["expect": "100-continue", "content-length": "1"], .http1_1, 400),
      ("/api/orders", ["expect": "x", "content-length": "1"], .http1_1, 417),
      ("/api/orders", ["expect": "100-continue, x", "content-length": "1"], .http1_1, 417),
      ("/api/orders", ["transfer-encoding": "chunked"], .http1_0, 400),
      ("/orders", ["transfer-encoding": "chunked"], .http1_0, 400),
    ] as [(String, HTTPHeaders, HTTPVersion, UInt)])
  func `a body that will not be read is refused at once, and the connection ends`(
    uri: String, headers: HTTPHeaders, version: HTTPVersion, status: UInt
  ) async throws {
    let connection = try await Connection()
    var all: HTTPHeaders = ["Host": "127.0.0.1"]
    all.add(contentsOf: headers)
    let method = uri == "/orders" ? HTTPMethod.GET : .POST
    let head = HTTPRequestHead(version: version, method: method, uri: uri, headers: all)
    try await connection.channel.writeInbound(HTTPServerRequestPart.head(head))
    let answer = try await connection.answer()
    #expect(answer.status.code == status && answer.closes, "\(answer)")
    try await connection.close()
  }

  @Test(arguments: ["api/orders", "*", "ftp://127.0.0.1/api/orders"])
  func `a target that is no path is refused`(target: String) async throws {
    let connection = try await Connection()
    try await connection.ask(.GET, target)
    let answer = try await connection.answer()
    #expect(answer.status == .badRequest && answer.closes)
    try await connection.close()
  }

  @Test func `a body of as many bytes as may be is no byte too long`() async throws {
    let connection = try await Connection()
    try await connection.ask(.POST, "/api/x", ["sixteen bytes ok"])
    #expect(try await connection.answer().status == .accepted)
    try await connection.close()
  }

  @Test func `elsewhere a body is refused, in the server's own words`() async throws {
    let connection = try await Connection()
    try await connection.ask(.GET, "/orders", ["a"], ["content-length": "1"])
    let answer = try await connection.answer()
    #expect(answer.status == .badRequest && answer.closes)
    #expect(answer.text == "A request to this server has no body.\n")
    try await connection.close()
  }

  @Test(arguments: ["/api/orders", "/orders"])
  func `an unauthorised request is rejected in the requested format`(uri: String) async throws {
    let connection = try await Connection { _, _ in
      PlainResponse(status: .unauthorized, text: "A token.\n")
    }
    try await connection.ask(.GET, uri)
    let answer = try await connection.answer()
    #expect(answer.status == .unauthorized && answer.closes)
    #expect(answer.text == (uri == "/orders" ? "A token.\n" : "formed: A token.\n"))
    try await connection.close()
  }

  @Test func `an unauthorised request's body is not read`() async throws {
    let connection = try await Connection { _, _ in
      PlainResponse(status: .unauthorized, text: "A token.\n")
    }
    try await connection.ask(.POST, "/api/orders", ["sixteen bytes ok", "!"])
    #expect(try await connection.answer().status == .unauthorized)
    #expect(try await connection.channel.readOutbound(as: HTTPServerResponsePart.self) == nil)
    try await connection.close()
  }
}
