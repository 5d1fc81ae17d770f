import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import SocketTransport

@Suite struct UpgradeTests {
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

  private func head(_ changes: HTTPHeaders, method: HTTPMethod = .GET) -> HTTPRequestHead {
    var headers: HTTPHeaders = [
      "Host": "x", "Upgrade": "WebSocket", "Connection": "keep-alive, Upgrade",
      "Sec-WebSocket-Key": Self.key, "Sec-WebSocket-Version": "13",
    ]
    for change in changes {
      headers.remove(name: change.name)
      if !change.value.isEmpty { headers.add(name: change.name, value: change.value) }
    }
    return HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: headers)
  }

  @Test(
    arguments: [
      ([:], .lawful), (["Upgrade": ""], .none), (["Upgrade": "h2c"], .none),
      (["Connection": "keep-alive"], .none), (["Sec-WebSocket-Version": "8"], .wrongVersion),
      (["Sec-WebSocket-Version": ""], .wrongVersion), (["Sec-WebSocket-Key": ""], .broken),
      (["Sec-WebSocket-Key": "x"], .broken),
      (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZS4="], .broken),
      (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25j!Q=="], .broken),
      (["Content-Length": "3"], .broken), (["Transfer-Encoding": "chunked"], .broken),
      (["Content-Length": "0"], .lawful),
    ] as [(HTTPHeaders, UpgradeRequest)])
  func `an upgrade request is validated by RFC 6455`(
    changes: HTTPHeaders, request: UpgradeRequest
  ) {
    #expect(UpgradeRequest(head(changes)) == request)
  }

  @Test func `another method asks for no upgrade`() {
    #expect(UpgradeRequest(head([:], method: .POST)) == .none)
  }

  private final class Echo: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
      let headers: HTTPHeaders = ["Content-Length": "\(head.uri.utf8.count)"]
      let answer = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
      context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
      let body = ByteBuffer(string: head.uri)
      context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  private func server(_ recorder: Recorder) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let application = NIOLoopBound(recorder, eventLoop: channel.eventLoop)
    try WebSocketPipeline.configureServer(
      channel, accept: { $0.uri == "/live" }, http: [Echo()],
      upgraded: { channel, _ in
        try WebSocketPipeline.add(application.value, to: channel, role: .server)
      })
    return channel
  }

  private func request(_ target: String, upgrades: Bool) -> String {
    let upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: \(Self.key)\r\n"
      + "Sec-WebSocket-Version: 13\r\n"
    return "GET \(target) HTTP/1.1\r\nHost: x\r\n\(upgrades ? upgrade : "")\r\n"
  }

  private func sent(_ channel: EmbeddedChannel) throws -> String {
    var text = ""
    while let part = try channel.readOutbound(as: IOData.self) {
      if case .byteBuffer(let buffer) = part { text += String(buffer: buffer) }
    }
    return text
  }

  @Test(arguments: [0, 1, 3])
  func `a later request on a connection becomes a WebSocket, with the frames behind it`(
    before: Int
  ) throws {
    let recorder = Recorder()
    let channel = try server(recorder)
    for number in 0..<before {
      try channel.writeInbound(ByteBuffer(string: request("/\(number)", upgrades: false)))
      #expect(try sent(channel).hasSuffix("\r\n\r\n/\(number)"))
    }
    var bytes = ByteBuffer(string: request("/live", upgrades: true))
    bytes.writeBytes(RawFrame.text("first").masked().bytes)
    try channel.writeInbound(bytes)
    channel.embeddedEventLoop.run()
    let answer = try sent(channel)
    #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    #expect(answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    #expect(recorder.texts == ["first"])
    try channel.writeInbound(ByteBuffer(bytes: RawFrame.text("second").masked().bytes))
    #expect(recorder.texts == ["first", "second"])
    #expect(recorder.events == [.opened])
  }

  @Test func `a request for an upgrade that is not accepted is answered by HTTP`() throws {
    let recorder = Recorder()
    let channel = try server(recorder)
    try channel.writeInbound(ByteBuffer(string: request("/other", upgrades: true)))
    #expect(try sent(channel).hasSuffix("\r\n\r\n/other"))
    #expect(recorder.events == [])
  }

  @Test func `a socket that ends within an upgrade leaves nothing behind`() throws {
    let recorder = Recorder()
    let channel = try server(recorder)
    try channel.writeInbound(ByteBuffer(string: request("/live", upgrades: true)))
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
    #expect(!channel.isActive)
  }
}
