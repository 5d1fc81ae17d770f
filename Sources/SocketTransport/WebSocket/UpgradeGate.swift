// NIO's typed server upgrader loses the request's head when it refuses an upgrade, and clients that
// offer h2c would never get an answer. This gate takes the offer away unless it will be accepted.

public import NIOCore
public import NIOHTTP1

/// Strips `Upgrade` from requests that will not become a WebSocket, so that HTTP answers them.
///
/// It stands between the HTTP decoder and the upgrade handler.
public final class UpgradeGate: ChannelInboundHandler, RemovableChannelHandler {
  /// What comes from below.
  public typealias InboundIn = HTTPServerRequestPart
  /// What goes up.
  public typealias InboundOut = HTTPServerRequestPart

  private let accept: @Sendable (HTTPRequestHead) -> Bool

  /// Makes a gate.
  ///
  /// - Parameter accept: whether a lawful WebSocket request is welcome (path, origin, token);
  ///   called on the channel's event loop, once for each request.
  public init(accept: @escaping @Sendable (HTTPRequestHead) -> Bool) {
    self.accept = accept
  }

  /// Lets the request through, without its offer unless it is accepted.
  public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(var head) = Self.unwrapInboundIn(data), head.headers.contains(name: "upgrade"),
      !UpgradeGate.isLawful(head) || !accept(head)
    {
      head.headers.remove(name: "upgrade")
      return context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }
    context.fireChannelRead(data)
  }

  /// Whether a request asks for a WebSocket as RFC 6455 section 4.2.1 wants it.
  public static func isLawful(_ head: HTTPRequestHead) -> Bool {
    let headers = head.headers
    return head.method == .GET
      && headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
      && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
      && headers["sec-websocket-key"].count == 1
      && headers["sec-websocket-version"] == ["13"]
      && !headers.contains(name: "content-length")
      && !headers.contains(name: "transfer-encoding")
  }
}
