// Blanks around header values have no meaning, at either end.

import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import SocketTransport

@Suite(.timeLimit(.minutes(5))) struct HeadNormalizerTests {
  /// Every field that the server or the simulated venues read, with a value.
  private static let requestFields = [
    ("Host", "127.0.0.1:8080"), ("Origin", "http://127.0.0.1:8080"), ("Authorization", "Bearer t"),
    ("Cookie", "livetape=x"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Protocol", "livetape"), ("Sec-Fetch-Site", "cross-site"),
    ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"), ("Accept", "text/html"),
    ("Accept-Encoding", "br"), ("If-None-Match", "\"x\""), ("Content-Type", "application/json"),
    ("Content-Length", "0"), ("Expect", "100-continue"), ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.1"),
  ]
  /// Every field that the clients read, with a value.
  private static let responseFields = [
    ("Upgrade", "websocket"), ("Connection", "Upgrade"),
    ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), ("Sec-WebSocket-Extensions", "x"),
    ("Sec-WebSocket-Protocol", "y"), ("Retry-After", "17"),
    ("Date", "Thu, 26 Nov 2026 12:00:00 GMT"), ("Content-Type", "application/json"),
    ("Content-Length", "0"), ("Location", "/x"), ("X-RateLimit-Remaining", "59"),
    ("X-RateLimit-Reset", "1"), ("Livetape-Origin", "simulated"),
  ]
  static let paddings = [" ", "\t", " \t ", ""]
  /// The parser rejects a tab after a length, which decides where the next message begins.
  private static func isStrict(_ field: String, _ padding: String) -> Bool {
    field.lowercased() == "content-length" && padding.contains("\t")
  }

  private func head(
    _ firstLine: String, _ fields: [(String, String)], _ padding: String
  ) -> ByteBuffer {
    let lines = fields.map { "\($0.0):\(padding)\($0.1)\(padding)\r\n" }.joined()
    return ByteBuffer(string: "\(firstLine)\r\n\(lines)\r\n")
  }

  @Test(arguments: paddings)
  func `no field of a request keeps the blanks around its value`(padding: String) throws {
    for field in Self.requestFields where !Self.isStrict(field.0, padding) {
      let channel = EmbeddedChannel(handlers: [
        ByteToMessageHandler(HTTPRequestDecoder()), HeadNormalizer<HTTPRequestHead>(),
      ])
      try channel.writeInbound(head("GET / HTTP/1.1", [field], padding))
      guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else {
        Issue.record("no head with \(field.0)")
        continue
      }
      #expect(head.headers[field.0] == [field.1], "\(field.0)")
    }
  }

  @Test(arguments: paddings)
  func `no field of a response keeps the blanks around its value`(padding: String) throws {
    for field in Self.responseFields where !Self.isStrict(field.0, padding) {
      let channel = EmbeddedChannel(handlers: [
        ByteToMessageHandler(HTTPResponseDecoder()), HeadNormalizer<HTTPResponseHead>(),
      ])
      let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
      // The decoder needs the request to match its response.
      try channel.writeOutbound(HTTPClientRequestPart.head(request))
      try channel.writeInbound(head("HTTP/1.1 200 OK", [field], padding))
      guard case .head(let head)? = try channel.readInbound(as: HTTPClientResponsePart.self) else {
        Issue.record("no head with \(field.0)")
        continue
      }
      #expect(head.headers[field.0] == [field.1], "\(field.0)")
    }
  }

  @Test(arguments: paddings)
  func `a client reads the padded fields of an upgrade, and of its refusal`(
    padding: String
  ) async throws {
    let refusal: @Sendable (HTTPRequestHead) -> (HTTPResponseStatus, HTTPHeaders, String)? = {
      $0.headers.contains(name: "x-refuse")
        ? (.serviceUnavailable, ["Retry-After": "17"], "later") : nil
    }
    let script = ServerScript(refusal: refusal)
    let server = try await TestServer.webSocket(script) {
      try $0.pipeline.syncOperations.addHandler(FieldPadder(padding), position: .first)
    }
    let channel = try await connect(server.endpoint(.ws))
    try await channel.close()
    await #expect(
      throws: TransportError.upgradeRefused(
        UpgradeRefusal(status: 503, body: Array("later".utf8), retryAfterSeconds: 17))
    ) { try await connect(server.endpoint(.ws), headers: [("X-Refuse", "yes")]) }
    try await server.stop()
  }

  @Test func `an empty list of extensions accepts none, and any other was not requested`()
    async throws
  {
    for (field, isAccepted) in [
      ("Sec-WebSocket-Extensions:", true), ("Sec-WebSocket-Extensions: \t", true),
      ("Sec-WebSocket-Extensions: permessage-deflate", false), ("Sec-WebSocket-Protocol: x", false),
    ] {
      let server = try await TestServer.webSocket(ServerScript()) {
        try $0.pipeline.syncOperations.addHandler(FieldPadder("", adding: field), position: .first)
      }
      let problem = try await failure(server.endpoint(.ws))
      #expect((problem == nil) == isAccepted, "\(field): \(String(describing: problem))")
      try await server.stop()
    }
  }

  @Test(arguments: [
    ("http://a.example/x?y", "a.example", "/x?y"), ("HTTPS://a.example:9", "a.example:9", "/"),
    ("http://a.example?y", "a.example", "/?y"), ("http://u@a.example/", "u@a.example", "/"),
    ("http:///x", "", "/x"), ("/x", "own", "/x"), ("//a.example/x", "own", "//a.example/x"),
    ("ftp://a.example/x", "own", "ftp://a.example/x"), ("*", "own", "*"),
  ])
  func `an absolute target names the host that counts`(target: String, host: String, path: String) {
    var head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: target, headers: ["Host": "own"])
    head.normalize()
    #expect(head.headers["host"] == [host] && head.uri == path)
  }

  @Test(arguments: [[], ["a", "b"]])
  func `beside an absolute target one Host is still needed`(hosts: [String]) {
    var head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "http://a.example/x",
      headers: HTTPHeaders(hosts.map { ("Host", $0) }))
    head.normalize()
    #expect(head.headers["host"] == hosts)
  }
}

/// Rewrites the first bytes that a server writes: the head of its response.
private final class FieldPadder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let padding: String
  private let field: String?
  private var isDone = false

  init(_ padding: String, adding field: String? = nil) {
    (self.padding, self.field) = (padding, field)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let text = String(buffer: Self.unwrapOutboundIn(data))
    guard !isDone, text.hasPrefix("HTTP/1.1 "), text.hasSuffix("\r\n\r\n") else {
      return context.write(data, promise: promise)
    }
    isDone = true
    var lines = text.components(separatedBy: "\r\n").dropLast(2).map { line in
      line.hasPrefix("HTTP/1.1 ") || line.lowercased().hasPrefix("content-length")
        ? line : line.replacing(": ", with: ":\(padding)") + padding
    }
    if let field { lines.append(field) }
    let padded = lines.joined(separator: "\r\n") + "\r\n\r\n"
    context.write(Self.wrapOutboundOut(ByteBuffer(string: padded)), promise: promise)
  }
}
