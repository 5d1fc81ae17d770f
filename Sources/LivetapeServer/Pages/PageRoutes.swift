// The page's files and the server's health over HTTP, and the live WebSocket.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import LivetapeWeb
import MarketModel
import NIOCore
import NIOHTTP1
import VenueProtocols

/// What the page's server answers.
struct PageRoutes: Sendable {
  let hub: PageHub
  let files: WebFiles
  let loopbackOnly: Bool

  /// Plain HTTP: `/assets/*`, `/healthz`, and the page at every path that is a deep link.
  var router: Router<BasicRequestContext> {
    let router = Router()
    router.get("/healthz") { _, _ in try await self.health() }
    router.get("/live") { _, _ in
      Response(status: .forbidden, body: .init(byteBuffer: ByteBuffer(string: "WebSocket only\n")))
    }
    router.get("/assets/**") { request, _ in self.file(request.uri.path, or: .notFound) }
    for path in ["/", "/**"] {
      router.get("\(path)") { request, _ in self.page(request) }
    }
    return router
  }

  /// The live WebSocket.
  var acceptor: WebSocketAcceptor {
    WebSocketAcceptor(limits: PageSocket.limits) { head in
      let path = head.uri.prefix { $0 != "?" }
      return path == "/live" && OriginPolicy.allows(head.headers, loopbackOnly: self.loopbackOnly)
    } install: { channel, _ in
      try PageSocket.install(on: channel, hub: self.hub)
    }
  }

  private func page(_ request: Request) -> Response {
    let known = PagePath.isKnown(request.uri.path)
    return file("/index.html", or: .notFound, status: known ? .ok : .notFound)
  }

  private func file(
    _ path: String, or missing: HTTPResponse.Status, status: HTTPResponse.Status = .ok
  ) -> Response {
    guard let file = files.file(at: path) else { return Response(status: missing) }
    var headers = PageRoutes.securityHeaders
    headers[.contentType] = file.contentType
    headers[.cacheControl] = "no-cache"
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
  }

  private func health() async throws -> Response {
    let health = try await hub.health()
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("status")
    writer.string("ok")
    writer.key("pages")
    writer.integer(health.pages)
    writer.key("upstreamConnections")
    writer.beginObject()
    for (venue, count) in health.connectionsOpened.sorted(by: { $0.key < $1.key }) {
      writer.key(text: venue.rawValue)
      writer.integer(count)
    }
    writer.endObject()
    writer.endObject()
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: writer.bytes)))
  }

  private static let securityHeaders: HTTPFields = {
    var headers = HTTPFields()
    headers[.contentSecurityPolicy] =
      "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"
    headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name("referrer-policy") { headers[name] = "no-referrer" }
    return headers
  }()
}

/// The paths that the page knows.
enum PagePath {
  private static let plain: Set<String> = ["/", "/feed", "/stocks", "/products", "/exchange"]
  private static let withName = ["/symbol/", "/product/", "/book/", "/trades/", "/chart/"]

  /// Whether a path is one of the page's screens.
  static func isKnown(_ path: String) -> Bool {
    plain.contains(path) || withName.contains { path.hasPrefix($0) && path.count > $0.count }
  }
}
