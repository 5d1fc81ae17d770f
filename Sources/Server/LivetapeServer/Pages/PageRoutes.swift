import AppState
import FeedConnections
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LivetapeWeb
import MarketModel
import MarketStreams
import NIOCore
import NIOHTTP1
import SocketServer
import WireJSON

struct PageRoutes: Sendable {
  let hub: PageHub
  let access: AccessPolicy
  let files: PageFiles
  let operations: OperationsRoutes

  /// Plain HTTP: files, health, and the page at every deep link.
  var router: Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.get("/live") { request, _ in self.live(request) }
    router.get("/history/**") { request, _ in try await self.history(request) }
    router.get("/spark/**") { request, _ in await self.spark(request) }
    router.get("/documents/**") { request, _ in await self.document(request) }
    for folder in ["assets", "built"] {
      router.get("/\(folder)/**") { request, _ in self.files.file(for: request) }
    }
    router.get("/manifest.webmanifest") { request, _ in self.files.file(for: request) }
    router.get("/service-worker.js") { request, _ in self.files.serviceWorker(for: request) }
    OrderRoutes(trading: hub.trading).add(to: router)
    operations.add(to: router)
    for path in ["/", "/**"] {
      router.get("\(path)") { request, _ in self.page(request) }
    }
    return router
  }

  var branch: HTTPBranch { ScriptRouter(hub: hub, access: access, files: files.files).branch }

  /// The live WebSocket, and that of scripts.
  var acceptor: WebSocketAcceptor {
    WebSocketAcceptor(limits: PageSocket.limits, subprotocol: SocketTickets.subprotocol) { head in
      let path = head.uri.prefix { $0 != "?" }
      return (path == "/live" || path == ScriptRoute.stream)
        && self.hub.hasRoom(forViewer: self.access.isViewer(head))
        && self.access.takeTicket(of: head)
    } install: { channel, head in
      try PageSocket.install(
        on: channel, hub: self.hub, visitor: self.access.visitor(head, on: channel),
        reader: head.uri.hasPrefix(ScriptRoute.stream) ? .script : .page)
    }
  }

  /// Why a request for the live socket was not upgraded.
  private func live(_ request: Request) -> Response {
    if request.headers[.upgrade] != nil {
      return .plain(.serviceUnavailable, "Too many pages are open.\n", headers: [.retryAfter: "10"])
    }
    return .plain(.upgradeRequired, "This is a WebSocket.\n", headers: [.upgrade: "websocket"])
  }

  /// `/history/VENUE/SYMBOL?interval=1000&before=…&limit=…`: an instrument's candles, as JSON or,
  /// if accepted, as ``CandleBytes``.
  private func history(_ request: Request) async throws -> Response {
    let query = request.uri.queryParameters
    let wanted = query.get("interval").map { Int64($0) } ?? 1000
    guard let interval = wanted.flatMap({ CandleInterval(milliseconds: $0) }) else {
      return .plain(.badRequest, "interval: expected a candle's length in milliseconds\n")
    }
    let before = query.get("before").map { Int64($0) }
    if case .some(nil) = before {
      return .plain(.badRequest, "before: expected milliseconds since 1970\n")
    }
    let limit = query.get("limit").map { Int($0) ?? 0 }
    if let limit, !(1...CandlePage.maximumOlder).contains(limit) {
      return .plain(.badRequest, "limit: expected 1 to \(CandlePage.maximumOlder) candles\n")
    }
    let parts = DeepLink.parts(ofPath: request.uri.path) ?? []
    guard parts.count == 3, let venue = Venue(rawValue: parts[1]), let symbol = Symbol(parts[2]),
      let all = await hub.candles.candles(
        of: InstrumentKey(venue, symbol), interval, before: before ?? nil)
    else { return .plain(.notFound, "there is no such chart\n") }
    let page = limit.map(all.newest) ?? all
    let accepted = AcceptHeader(request.headers[.accept])
    let isShort = accepted.quality(of: CandleBytes.contentType) > 0
    return Response(
      status: .ok,
      headers: [
        .contentType: isShort ? CandleBytes.contentType : "application/json",
        .cacheControl: "no-store", .vary: "Accept",
      ],
      body: ResponseBody(
        byteBuffer: ByteBuffer(bytes: isShort ? CandleBytes(page).bytes : page.json)))
  }

  /// `/spark/VENUE/SYMBOL`: the closes of an instrument's last 24 hours.
  private func spark(_ request: Request) async -> Response {
    let parts = DeepLink.parts(ofPath: request.uri.path) ?? []
    guard parts.count == 3, let venue = Venue(rawValue: parts[1]), let symbol = Symbol(parts[2])
    else { return .plain(.notFound, "there is no such instrument\n") }
    switch await hub.candles.spark(of: InstrumentKey(venue, symbol)) {
    case .unknown: return .plain(.notFound, "there is no such instrument\n")
    case .late:
      return .plain(
        .serviceUnavailable, "the venue has not answered yet\n", headers: [.retryAfter: "10"])
    case .line(let line):
      return Response(
        status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: line.json)))
    }
  }

  /// `/documents/NAME`: a topic's state that was too large for a message.
  private func document(_ request: Request) async -> Response {
    let parts = DeepLink.parts(ofPath: request.uri.path) ?? []
    guard parts.count == 2, let document = await hub.document(parts[1]) else {
      return .plain(.notFound, "there is no such document\n")
    }
    var headers: HTTPFields = [
      .contentType: "application/json", .vary: "Accept-Encoding",
      .cacheControl: document.isLasting ? "private, max-age=604800, immutable" : "no-store",
    ]
    let accepted = AcceptHeader(request.headers[.acceptEncoding])
    guard accepted.best(of: [ContentCoding.gzip.rawValue]) != nil else {
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.json)))
    }
    headers[.contentEncoding] = ContentCoding.gzip.rawValue
    let bytes = document.compressed ?? Gzip.compress(document.json)
    if document.compressed == nil { hub.keepCompressed(bytes, of: parts[1]) }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private func page(_ request: Request) -> Response {
    let path = request.uri.path
    let route = DeepLink.route(path: path)
    let isKnown = route != .notFound || PageRoutes.isOfPageOnly(path)
    return files.page(
      for: request, isKnown: isKnown, first: PageRoutes.hasChart(route) ? .chart : .others)
  }

  /// Whether the screen shows a chart at every width.
  private static func hasChart(_ route: Route) -> Bool {
    switch route {
    case .book, .trades, .chart, .exchange: true
    default: false
    }
  }

  /// "/markets/stars", "/stocks/US0378331005", "/asset/BTC/USD" and "/charts/XBTUSD@5m/BTC%2FUSD";
  /// the page reports whether the list, share, asset or market exists.
  static func isOfPageOnly(_ path: String) -> Bool {
    guard let parts = DeepLink.parts(ofPath: path), parts.allSatisfy({ !$0.isEmpty }) else {
      return false
    }
    switch parts.first?.lowercased() {
    case "markets", "stocks": return parts.count <= 2
    case "asset": return (2...3).contains(parts.count)
    case "charts": return parts.count <= 5
    default: return false
    }
  }
}
