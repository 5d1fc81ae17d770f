import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import SocketTransport

@Suite struct UpgradeHandlerTests {
  /// Never completes a write, so that the upgrade never ends.
  private final class Standstill: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {}
  }

  @Test func `too much input during an upgrade closes the connection`() throws {
    let channel = EmbeddedChannel()
    let pipeline = channel.pipeline.syncOperations
    let handler = UpgradeHandler(
      limits: WebSocketLimits(), headers: [:], subprotocol: nil,
      surroundings: UpgradeHandler.Surroundings(encoder: HTTPResponseEncoder(), others: []),
      accept: { _ in true }, upgraded: { _, _ in })
    try pipeline.addHandlers([Standstill(), handler])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let headers: HTTPHeaders = [
      "Host": "127.0.0.1", "Connection": "upgrade", "Upgrade": "websocket",
      "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/live", headers: headers)
    try channel.writeInbound(HTTPServerRequestPart.head(head))
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    for _ in 0..<UpgradeHandler.maximumHeld {
      try channel.writeInbound(ByteBuffer(string: "frame"))
    }
    #expect(channel.isActive)
    try channel.writeInbound(ByteBuffer(string: "frame"))
    #expect(!channel.isActive)
  }
}
