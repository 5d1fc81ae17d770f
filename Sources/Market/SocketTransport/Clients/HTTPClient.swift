public import NIOCore
import NIOHTTP1

/// An HTTP response.
public struct HTTPClientResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields in their order.
  public let headers: HeaderFields
  /// The whole body.
  public let body: ByteBuffer

  /// Creates a response.
  public init(status: Int, headers: HeaderFields, body: ByteBuffer) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header, by name in any case; nil when absent.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Seconds from `Retry-After`, clamped to 0...3600; nil if invalid.
  ///
  /// A date is relative to the response's `Date`, or to the machine's clock.
  public var retryAfterSeconds: Int? {
    guard let text = header("retry-after") else { return nil }
    if let moment = HTTPDate(text) {
      let now = header("date").flatMap { HTTPDate($0) } ?? .now
      return Int(min(max(moment.seconds - now.seconds, 0), 3600))
    }
    if let seconds = Int(text) { return min(max(seconds, 0), 3600) }
    // A number beyond `Int` is still a number.
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    return isNumber ? 3600 : nil
  }
}

/// Sends single HTTP/1.1 requests, each on a new connection.
public enum HTTPClient {
  /// Requests an http or https endpoint, without following redirects.
  ///
  /// `Host`, `User-Agent` and `Connection` are added to the headers. `options` sets TLS and the
  /// deadline for the whole exchange. `abandoned` cancels it by succeeding. Returns a response of
  /// any status, or a ``TransportError``.
  public static func get(
    _ endpoint: Endpoint, headers: HeaderFields = [], options: ClientOptions = ClientOptions(),
    maximumBodyBytes: Int = 1 << 20, on loop: any EventLoop,
    abandoned: EventLoopFuture<Void>? = nil
  ) -> EventLoopFuture<HTTPClientResponse> {
    send(
      .GET, endpoint, headers: headers, options: options, maximumBodyBytes: maximumBodyBytes,
      on: loop, abandoned: abandoned)
  }

  /// Posts a body to an http or https endpoint; otherwise as a GET request.
  public static func post(
    _ endpoint: Endpoint, body: [UInt8], headers: HeaderFields = [],
    options: ClientOptions = ClientOptions(), maximumBodyBytes: Int = 1 << 20,
    on loop: any EventLoop
  ) -> EventLoopFuture<HTTPClientResponse> {
    send(
      .POST, endpoint, body: body,
      headers: headers + [(name: "Content-Length", value: String(body.count))], options: options,
      maximumBodyBytes: maximumBodyBytes, on: loop, abandoned: nil)
  }

  private static func send(
    _ method: HTTPMethod, _ endpoint: Endpoint, body: [UInt8] = [], headers: HeaderFields,
    options: ClientOptions, maximumBodyBytes: Int, on loop: any EventLoop,
    abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<HTTPClientResponse> {
    guard endpoint.scheme == .http || endpoint.scheme == .https else {
      return loop.makeFailedFuture(TransportError.wrongScheme(endpoint.scheme.rawValue))
    }
    if let name = HeaderRules.firstInvalid(headers) {
      return loop.makeFailedFuture(TransportError.invalidHeader(name: name))
    }
    var request = requestHead(endpoint, headers, connection: "close")
    request.method = method
    let head = request
    return Dialer(endpoint: endpoint, options: options, loop: loop, abandoned: abandoned)
      .open { (channel, attempt: EventLoopPromise<HTTPClientResponse>) in
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(ResponseOverhead(host: endpoint.host))
        try pipeline.addHandler(
          ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)))
        try pipeline.addHandler(HeadNormalizer<HTTPResponseHead>())
        try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        try pipeline.addHandler(RequestSender(head, body))
        try pipeline.addHandler(
          HTTPResponseCollector(maximumBodyBytes: maximumBodyBytes, excess: .fail) { result in
            attempt.completeWith(result)
            channel.close(promise: nil)
          })
      }
  }

  /// Requests an endpoint, cancelled with its task; throws ``TransportError``.
  public static func get(
    _ endpoint: Endpoint, headers: HeaderFields = [], options: ClientOptions = ClientOptions(),
    maximumBodyBytes: Int = 1 << 20, group: any EventLoopGroup
  ) async throws -> HTTPClientResponse {
    let loop = group.any()
    let abandoned = loop.makePromise(of: Void.self)
    let response = get(
      endpoint, headers: headers, options: options, maximumBodyBytes: maximumBodyBytes, on: loop,
      abandoned: abandoned.futureResult)
    // A promise must be completed; completing it twice is allowed.
    defer { abandoned.fail(TransportError.abandoned) }
    return try await withTaskCancellationHandler {
      try await response.get()
    } onCancel: {
      abandoned.succeed()
    }
  }

  static func requestHead(
    _ endpoint: Endpoint, _ headers: HeaderFields, connection: String?
  ) -> HTTPRequestHead {
    var fields = HTTPHeaders([("Host", endpoint.authority), ("User-Agent", "livetape/1")])
    if let connection { fields.add(name: "Connection", value: connection) }
    fields.add(contentsOf: headers.map { ($0.name, $0.value) })
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: endpoint.target, headers: fields)
  }
}

private final class RequestSender: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: HTTPRequestHead
  private let body: [UInt8]

  init(_ request: HTTPRequestHead, _ body: [UInt8]) { (self.request, self.body) = (request, body) }

  func channelActive(context: ChannelHandlerContext) {
    context.write(Self.wrapOutboundOut(.head(request)), promise: nil)
    if !body.isEmpty {
      let bytes = context.channel.allocator.buffer(bytes: body)
      context.write(Self.wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
    }
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }
}
