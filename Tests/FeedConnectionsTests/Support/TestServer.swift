import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SocketTransport

/// The script of a WebSocket server; all closures run on the channel's event loop.
struct ServerScript: Sendable {
  /// The response that rejects an upgrade or a plain request; nil accepts upgrades.
  var refusal: (@Sendable (HTTPRequestHead) -> (HTTPResponseStatus, HTTPHeaders, String)?)?
  /// Sent as soon as the WebSocket is open.
  var greeting: [WebSocketMessage] = []
  var answer: @Sendable (WebSocketMessage, any Channel) -> [WebSocketMessage] = { _, _ in [] }
  /// Holds all writes back until this many have been made, and sends them as one.
  var heldWrites = 0
  var limits = WebSocketLimits()
}

/// A running server on a free loopback port, with or without TLS, and what it has received.
final class TestServer: Sendable {
  struct Seen: Sendable {
    var connections = 0
    var heads: [HTTPRequestHead] = []
    var messages: [String] = []
    var open: [any Channel] = []
    var closures: [WebSocketClosure] = []
  }

  let channel: any Channel
  let seen: NIOLockedValueBox<Seen>
  private let accepted: Journal<any Channel>

  private init(
    _ channel: any Channel, _ seen: NIOLockedValueBox<Seen>, _ accepted: Journal<any Channel>
  ) {
    self.channel = channel
    self.seen = seen
    self.accepted = accepted
  }

  /// The server's end of the first connection, as soon as there is one.
  func firstConnection() async throws -> any Channel {
    try await accepted.wait("a connection") { !$0.isEmpty }[0]
  }

  var port: Int { channel.localAddress?.port ?? 0 }
  var connections: Int { seen.withLockedValue { $0.connections } }
  var messages: [String] { seen.withLockedValue { $0.messages } }
  var heads: [HTTPRequestHead] { seen.withLockedValue { $0.heads } }
  var closures: [WebSocketClosure] { seen.withLockedValue { $0.closures } }
  var open: [any Channel] { seen.withLockedValue { $0.open.filter(\.isActive) } }

  func endpoint(_ scheme: Endpoint.Scheme, host: String = "127.0.0.1") -> Endpoint {
    Endpoint(scheme: scheme, host: host, port: port, target: "/feed?x=1")
  }

  func stop() async throws {
    for child in open { child.close(promise: nil) }
    try await channel.close()
  }

  static func start(
    tls: (certificate: String, key: String)? = nil, newestTLS: TLSVersion? = nil,
    suites: [NIOTLSCipher]? = nil,
    _ prepare: @escaping @Sendable (any Channel, NIOLockedValueBox<Seen>) throws -> Void
  ) async throws -> TestServer {
    let seen = NIOLockedValueBox(Seen())
    let accepted = Journal<any Channel>()
    let context = try tls.map { tls -> NIOSSLContext in
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(tls.certificate.utf8))
          .map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(tls.key.utf8), format: .pem)))
      configuration.maximumTLSVersion = newestTLS
      if let suites { configuration.cipherSuiteValues = suites }
      return try NIOSSLContext(configuration: configuration)
    }
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          seen.withLockedValue {
            $0.connections += 1
            $0.open.append(channel)
          }
          if let context {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
          }
          try prepare(channel, seen)
          accepted.append(channel)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return TestServer(channel, seen, accepted)
  }

  /// Starts an HTTP and WebSocket server; `prepare` may add handlers below those of HTTP.
  static func webSocket(
    tls: (certificate: String, key: String)? = nil, _ script: ServerScript,
    _ prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
  ) async throws -> TestServer {
    try await start(tls: tls) { channel, seen in
      if script.heldWrites > 0 {
        try channel.pipeline.syncOperations.addHandler(WriteHolder(script.heldWrites))
      }
      try WebSocketPipeline.configureServer(
        channel, limits: script.limits,
        accept: { head in
          seen.withLockedValue { $0.heads.append(head) }
          return script.refusal?(head) == nil
        },
        http: [RefusalHandler(script)],
        upgraded: { channel, _ in
          try WebSocketPipeline.add(
            ScriptHandler(script, seen), to: channel, role: .server, limits: script.limits)
        })
      try prepare(channel)
    }
  }
}

private final class ScriptHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage
  typealias OutboundOut = WebSocketMessage

  private let script: ServerScript
  private let seen: NIOLockedValueBox<TestServer.Seen>

  init(_ script: ServerScript, _ seen: NIOLockedValueBox<TestServer.Seen>) {
    self.script = script
    self.seen = seen
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event as? WebSocketEvent {
    case .opened:
      for message in script.greeting {
        context.writeAndFlush(Self.wrapOutboundOut(message), promise: nil)
      }
    case .closed(let closure): seen.withLockedValue { $0.closures.append(closure) }
    default: break
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let message = Self.unwrapInboundIn(data)
    seen.withLockedValue { $0.messages.append(String(buffer: message.payload)) }
    for answer in script.answer(message, context.channel) {
      context.writeAndFlush(Self.wrapOutboundOut(answer), promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

private final class RefusalHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let script: ServerScript
  private var head: HTTPRequestHead?

  init(_ script: ServerScript) { self.script = script }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      let (status, fields, text) = script.refusal?(head) ?? (.ok, [:], "no script")
      var headers = fields
      if !headers.contains(name: "transfer-encoding") {
        headers.replaceOrAdd(name: "content-length", value: "\(text.utf8.count)")
      }
      let answer = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
      context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
      context.write(
        Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Combines the first few writes into one, and so into one TCP segment.
private final class WriteHolder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var missing: Int
  private var held = ByteBuffer()
  private var promises: [EventLoopPromise<Void>] = []

  init(_ count: Int) { missing = count }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard missing > 0 else { return context.write(data, promise: promise) }
    var part = Self.unwrapOutboundIn(data)
    guard part.readableBytes > 0 else {
      promise?.succeed()
      return
    }
    held.writeBuffer(&part)
    // Waiting for the write of the 101 must not include later writes.
    promise?.succeed()
    missing -= 1
    if missing == 0 { context.writeAndFlush(Self.wrapOutboundOut(held), promise: nil) }
  }

  func flush(context: ChannelHandlerContext) {
    if missing == 0 { context.flush() }
  }
}
