import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// A TCP connection on loopback that sends exactly what a test passes, valid or not.
final class RawClient: Sendable {
  private struct State {
    var text = ""
    var hasEnded = false
    var waiter: (isDone: @Sendable (String, Bool) -> Bool, promise: EventLoopPromise<Void>)?
  }

  private let state = NIOLockedValueBox(State())
  private let channel = NIOLockedValueBox<(any Channel)?>(nil)
  private let loop: any EventLoop

  private init(loop: any EventLoop) { self.loop = loop }

  /// Connects to a port on loopback, from a given address or any.
  static func connect(
    port: Int, from source: String? = nil, on loop: any EventLoop
  ) async throws -> RawClient {
    let client = RawClient(loop: loop)
    var bootstrap = ClientBootstrap(group: loop)
    if let source {
      bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source, port: 0))
    }
    let channel =
      try await bootstrap
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(RawHandler(client))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    client.channel.withLockedValue { $0 = channel }
    return client
  }

  var text: String { state.withLockedValue { $0.text } }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    channel.withLockedValue { $0 }?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  }

  func get(_ target: String, _ headers: [(String, String)]) {
    let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
    send("GET \(target) HTTP/1.1\r\n\(lines)\r\n")
  }

  /// Sends a short text message as a client's frame, masked with zeros.
  func say(_ text: String) {
    send([0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
  }

  func close() async { try? await channel.withLockedValue { $0 }?.close() }

  func wait(
    times: Int = 1, for wanted: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await wait("“\(wanted)”", sourceLocation) { text, _ in
      text.components(separatedBy: wanted).count > times
    }
  }

  /// Requests a socket token with a cookie, and returns it from the response.
  func ticket(_ headers: [(String, String)]) async throws -> String {
    get("/session/socket", headers)
    try await wait("a ticket", #_sourceLocation) { text, _ in
      RawClient.lastTicket(in: text) != nil
    }
    return try #require(RawClient.lastTicket(in: text))
  }

  /// The cookie that the server set last, as a browser returns it.
  func cookie() throws -> String {
    try #require(text.matches(of: /Set-Cookie: (livetape=[0-9a-f.]+);/).last.map { String($0.1) })
  }

  private static func lastTicket(in text: String) -> String? {
    text.firstMatch(of: /\r\n\r\n([0-9a-z]+\.[0-9a-z]+)$/).map { String($0.1) }
  }

  func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await wait("the end", sourceLocation) { _, hasEnded in hasEnded }
  }

  private func wait(
    _ what: String, _ location: SourceLocation,
    until isDone: @escaping @Sendable (String, Bool) -> Bool
  ) async throws {
    let promise = loop.makePromise(of: Void.self)
    let done = state.withLockedValue { state in
      if isDone(state.text, state.hasEnded) { return true }
      state.waiter = (isDone, promise)
      return false
    }
    if done { promise.succeed() }
    let deadline = loop.scheduleTask(in: .seconds(Int64(patienceSeconds))) {
      promise.fail(WaitTimeout(what: what))
    }
    defer { deadline.cancel() }
    do {
      try await promise.futureResult.get()
    } catch {
      Issue.record("waited in vain for \(what): \(text)", sourceLocation: location)
      throw error
    }
  }

  fileprivate func take(_ bytes: ByteBuffer?) {
    let ready = state.withLockedValue { state -> EventLoopPromise<Void>? in
      if let bytes {
        state.text += String(decoding: bytes.readableBytesView, as: UTF8.self)
      } else {
        state.hasEnded = true
      }
      guard let waiter = state.waiter, waiter.isDone(state.text, state.hasEnded) else { return nil }
      state.waiter = nil
      return waiter.promise
    }
    ready?.succeed()
  }
}

private final class RawHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let client: RawClient

  init(_ client: RawClient) { self.client = client }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    client.take(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) { client.take(nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

let upgradeHeaders = [
  ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
  ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
]
