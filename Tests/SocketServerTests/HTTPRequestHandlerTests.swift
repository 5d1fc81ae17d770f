// One connection's requests when its other end misbehaves or disconnects.

import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import SocketServer

@Suite struct HTTPRequestHandlerTests {
  /// A connection with one response for each request, and another end that reads nothing until it
  /// is released.
  private final class Connection {
    let channel = EmbeddedChannel()
    let wire = HeldWire()

    init(_ status: HTTPResponseStatus) throws {
      let service = HTTPService(
        refusal: { _, _ in PlainResponse(status: status, text: "one answer\n") },
        responder: Router<BasicRequestContext>().buildResponder(), logger: Logger(label: "test"))
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.pipeline.syncOperations.addHandlers(wire, HTTPRequestHandler(service))
    }

    func ask() throws {
      let head = HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/", headers: ["Host": "127.0.0.1"])
      try channel.writeInbound(HTTPServerRequestPart.head(head))
      try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }
  }

  @Test func `a refused request is its connection's last and counts as none`() throws {
    for status in [HTTPResponseStatus.unauthorized, .forbidden] {
      let connection = try Connection(status)
      try connection.ask()
      connection.wire.take()
      #expect(connection.wire.progress == [.answered(isLast: true)])
      #expect(connection.wire.heads.map { $0.headers["connection"] } == [["close"]])
    }
    let welcome = try Connection(.seeOther)
    try welcome.ask()
    welcome.wire.take()
    #expect(welcome.wire.progress == [.received, .answered(isLast: false)])
  }

  @Test func `a connection ends with its last allowed request, and announces it`() throws {
    let connection = try Connection(.seeOther)
    for _ in 0..<HTTPRequestHandler.maximumRequests {
      try connection.ask()
      connection.wire.take()
    }
    let words = connection.wire.heads.map { $0.headers["connection"] }
    #expect(words.count == HTTPRequestHandler.maximumRequests)
    #expect(Set(words.dropLast()) == [[]])
    #expect(words.last == ["close"])
    #expect(connection.wire.progress.last == .answered(isLast: true))
  }

  @Test func `a half-closed client still gets the end of a response`() throws {
    let connection = try Connection(.seeOther)
    try connection.ask()
    try connection.ask()
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(connection.channel.isActive, "two answers are under way")
    connection.wire.take()
    #expect(connection.channel.isActive)
    connection.wire.take()
    #expect(
      connection.wire.progress.suffix(2) == [.answered(isLast: false), .answered(isLast: true)])
  }

  @Test func `a half-closed client without a pending response is closed at once`() throws {
    let connection = try Connection(.seeOther)
    try connection.ask()
    connection.wire.take()
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(!connection.channel.isActive)
  }
}

/// The other end: reads a response when released, and records what the connection's guard would
/// receive.
private final class HeldWire: ChannelOutboundHandler {
  typealias OutboundIn = HTTPServerResponsePart

  private(set) var progress: [RequestProgress] = []
  private(set) var heads: [HTTPResponseHead] = []
  private var held: [EventLoopPromise<Void>] = []

  func take() { if !held.isEmpty { held.removeFirst().succeed() } }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch Self.unwrapOutboundIn(data) {
    case .head(let head): heads.append(head)
    case .body: break
    case .end: if let promise { held.append(promise) }
    }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    if let event = event as? RequestProgress { progress.append(event) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for promise in held { promise.fail(ChannelError.ioOnClosedChannel) }
  }
}
