import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import SocketTransport

/// The rules and routes of a server over plain HTTP.
struct HTTPService: Sendable {
  /// The response that rejects a request from a source, or nil to accept it; called on the event
  /// loop.
  let refusal: @Sendable (HTTPRequestHead, SocketSource) -> PlainResponse?
  let responder: RouterResponder<BasicRequestContext>
  var headers: HTTPHeaders = [:]
  var methods: [HTTPMethod] = [.GET, .HEAD]
  var branch: HTTPBranch?
  let logger: Logger
}

/// A request's progress, sent down the pipeline to the ``ConnectionGuard``.
enum RequestProgress: Sendable, Equatable {
  /// It was read completely and accepted.
  case received
  /// The kernel has taken its response; `isLast` if the connection ends with it.
  case answered(isLast: Bool)
}

/// Handles one connection's requests one after the other: access first, then the routes.
///
/// Everything but the routes runs on the event loop.
final class HTTPRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case idle
    case reading(HTTPRequestHead)
    /// A request of the branch, with the body received so far.
    case collecting(HTTPRequestHead, [UInt8])
    case answering(HTTPRequestHead)
    /// The last response was sent.
    case ending
  }

  static let maximumRequests = 1000

  private let service: HTTPService
  private var state = State.idle
  private var requests = 0
  private var inputHasEnded = false
  /// Responses that the kernel has not taken yet.
  private var unwritten = 0
  private var work: Task<Void, Never>?

  init(_ service: HTTPService) { self.service = service }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (Self.unwrapInboundIn(data), state) {
    case (.head(let head), .idle):
      state = .reading(head)
      requests += 1
      if head.headers.announcesBody { begin(head, context) }
    case (.body(let buffer), .collecting(let head, var body)):
      body += buffer.readableBytesView
      if let branch = service.branch, body.count > branch.maximumBodyBytes {
        return answer(branch.form(HTTPBranch.tooLong), to: head, context)
      }
      state = .collecting(head, body)
    case (.end, .collecting(let head, let body)):
      context.triggerUserOutboundEvent(RequestProgress.received, promise: nil)
      route(head, body, context)
    case (.end, .reading(let head)):
      let refusal = refused(head, context)
      // A rejected request does not justify keeping a socket.
      if refusal?.isRefusal != true {
        context.triggerUserOutboundEvent(RequestProgress.received, promise: nil)
      }
      if let refusal {
        answer(refusal, to: head, context)
      } else {
        route(head, [], context)
      }
    default: break
    }
  }

  /// Starts a request with a body, which only the branch accepts.
  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    if let refusal = refused(head, context) { return answer(refusal, to: head, context) }
    guard let branch = service.branch, branch.takes(head) else {
      return answer(Self.noBody, to: head, context)
    }
    let length = head.headers.first(name: "content-length").flatMap { Int($0) }
    if let length, length > branch.maximumBodyBytes {
      return answer(branch.form(HTTPBranch.tooLong), to: head, context)
    }
    state = .collecting(head, [])
    guard head.awaitsContinue else { return }
    let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(Self.wrapOutboundOut(.head(goOn)), promise: nil)
  }

  /// The rejection of a request, in the format of its path.
  private func refused(
    _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) -> PlainResponse? {
    let source = SocketSource(context.channel.remoteAddress)
    guard let branch = service.branch, branch.takes(head) else {
      return refusal(of: head, from: source, service.methods)
    }
    return refusal(of: head, from: source, nil).map(branch.form)
  }

  /// The rejection of a request, regardless of its path; without `methods` any method is allowed.
  private func refusal(
    of head: HTTPRequestHead, from source: SocketSource, _ methods: [HTTPMethod]?
  ) -> PlainResponse? {
    if let methods, !methods.contains(head.method) {
      let names = methods.map(\.rawValue)
      let sentence = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
      return PlainResponse(
        status: .methodNotAllowed, headers: ["Allow": names.joined(separator: ", ")],
        text: "This server answers \(sentence).\n")
    }
    if let refusal = service.refusal(head, source) ?? head.framingRefusal { return refusal }
    switch UpgradeRequest(head) {
    case .wrongVersion:
      return PlainResponse(
        status: .upgradeRequired,
        headers: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"],
        text: "This server speaks version 13 of WebSocket.\n")
    case .broken:
      return PlainResponse(
        status: .badRequest, text: "Sec-WebSocket-Key must be 16 bytes of base64, once.\n")
    case .none, .lawful: return nil
    }
  }

  private static let noBody = PlainResponse(
    status: .badRequest, text: "A request to this server has no body.\n")

  private func route(_ head: HTTPRequestHead, _ body: [UInt8], _ context: ChannelHandlerContext) {
    state = .answering(head)
    let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    let (service, channel) = (service, context.channel)
    if let branch = service.branch, branch.takes(head) {
      work = Task {
        let response = await branch.respond(head, body)
        channel.eventLoop.execute {
          let (handler, context) = here.value
          guard case .answering(let head) = handler.state, context.channel.isActive else { return }
          handler.write(response, to: head, isLast: false, context)
        }
      }
      return
    }
    work = Task {
      let (response, body) = await service.answer(to: head, on: channel)
      channel.eventLoop.execute {
        here.value.handler.finish(response, body, here.value.context)
      }
    }
  }

  private func finish(
    _ response: HTTPResponseHead, _ body: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    guard case .answering(let head) = state, context.channel.isActive else { return }
    write(response, body, to: head, isLast: false, context)
  }

  private func answer(
    _ response: PlainResponse, to head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    let isLast = response.isRefusal || head.headers.announcesBody
    write(response, to: head, isLast: isLast, context)
  }

  private func write(
    _ response: PlainResponse, to head: HTTPRequestHead, isLast: Bool,
    _ context: ChannelHandlerContext
  ) {
    var headers = response.headers
    if !headers.contains(name: "Content-Type") {
      headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
    }
    headers.replaceOrAdd(name: "Cache-Control", value: "no-store")
    write(
      HTTPResponseHead(version: .http1_1, status: response.status, headers: headers),
      ByteBuffer(string: response.text), to: head,
      isLast: isLast, context)
  }

  private func write(
    _ response: HTTPResponseHead, _ body: ByteBuffer, to head: HTTPRequestHead, isLast: Bool,
    _ context: ChannelHandlerContext
  ) {
    // After an upgrade request NIO's parser stops.
    let isLast =
      isLast || inputHasEnded || !head.isKeepAlive || head.headers.contains(name: "upgrade")
      || requests >= HTTPRequestHandler.maximumRequests
    var response = response
    response.headers.replaceOrAdd(name: "Server", value: "livetape")
    for (name, value) in service.headers { response.headers.replaceOrAdd(name: name, value: value) }
    response.headers.replaceOrAdd(name: "Date", value: HTTPDate.now.text)
    if !response.headers.contains(name: "content-length") {
      response.headers.add(name: "Content-Length", value: "\(body.readableBytes)")
    }
    if isLast {
      response.headers.replaceOrAdd(name: "Connection", value: "close")
    } else if head.version == .http1_0 {
      response.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
    }
    context.write(Self.wrapOutboundOut(.head(response)), promise: nil)
    if head.method != .HEAD, body.readableBytes > 0 {
      context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    // The next request may arrive during the write.
    state = isLast ? .ending : .idle
    unwritten += 1
    let written = context.eventLoop.makePromise(of: Void.self)
    let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    written.futureResult.whenSuccess { here.value.handler.wrote(here.value.context) }
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: written)
  }

  private func wrote(_ context: ChannelHandlerContext) {
    unwritten -= 1
    var isLast = false
    if case .ending = state { isLast = unwritten == 0 }
    context.triggerUserOutboundEvent(RequestProgress.answered(isLast: isLast), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    work?.cancel()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      inputHasEnded = true
      switch state {
      case .idle, .reading, .collecting:
        state = .ending
        // Lets pending responses finish.
        if unwritten == 0 { context.close(promise: nil) }
      case .answering, .ending: break
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Responds to an unparsable request and ends the connection.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError else { return context.close(promise: nil) }
    switch state {
    case .idle, .reading, .collecting:
      let nobody = HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/", headers: ["Connection": "close"])
      let words = PlainResponse(status: .badRequest, text: "The request can't be read.\n")
      answer(words, to: nobody, context)
    case .answering, .ending: context.close(promise: nil)
    }
  }
}

extension HTTPRequestHead {
  /// Whether the client sends the body only after a 100 (RFC 9110 section 10.1.1).
  fileprivate var awaitsContinue: Bool {
    !isOfHTTP10
      && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
  }

  private var isOfHTTP10: Bool { (version.major, version.minor) < (1, 1) }

  /// The rejection of a request with an unsupported head, or nil.
  fileprivate var framingRefusal: PlainResponse? {
    guard uri.hasPrefix("/") else {
      return PlainResponse(status: .badRequest, text: "The target of a request must be a path.\n")
    }
    guard !isOfHTTP10 else {
      // RFC 9112 section 6.1: the end of such a message is ambiguous.
      return headers.contains(name: "transfer-encoding")
        ? PlainResponse(status: .badRequest, text: "HTTP/1.0 has no Transfer-Encoding.\n") : nil
    }
    let expectations = headers[canonicalForm: "expect"]
    return expectations.allSatisfy { $0.lowercased() == "100-continue" }
      ? nil
      : PlainResponse(
        status: .expectationFailed, text: "The only expectation served is 100-continue.\n")
  }
}

extension HTTPService {
  func answer(
    to head: HTTPRequestHead, on channel: any NIOCore.Channel
  ) async -> (HTTPResponseHead, ByteBuffer) {
    do {
      let request = Request(
        head: try HTTPRequest(head, secure: false, splitCookie: false),
        body: RequestBody(buffer: ByteBuffer()))
      let source = ApplicationRequestContextSource(channel: channel, logger: logger)
      let response = try await responder.respond(
        to: request, context: BasicRequestContext(source: source))
      let body = BodyCollector()
      try await response.body.write(body)
      return (HTTPResponseHead(response.head), body.bytes)
    } catch {
      logger.warning("a request failed: \(error)")
      return (HTTPResponseHead(version: .http1_1, status: .internalServerError), ByteBuffer())
    }
  }
}

private final class BodyCollector: ResponseBodyWriter {
  var bytes = ByteBuffer()

  func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }

  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
