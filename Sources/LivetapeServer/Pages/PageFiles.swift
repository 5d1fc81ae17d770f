// The page's files over HTTP: compressed as the browser can read them, never sent again while it
// has them, and kept for ever where the name tells the content.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import LivetapeWeb
import NIOCore
import SocketServer

/// Serves the page's files.
struct PageFiles: Sendable {
  let files: WebFiles
  /// Asks for the chart's core while the page is still being read; nil as modules.
  private let coreLink: String?

  init(_ files: WebFiles) {
    self.files = files
    coreLink = files.builtPath(of: "core.wasm").map {
      "<\($0)>; rel=preload; as=fetch; crossorigin"
    }
  }

  /// The file at the request's path.
  func file(for request: Request) -> Response {
    guard let file = files.file(at: request.uri.path) else { return Response(status: .notFound) }
    return response(file, to: request)
  }

  /// What keeps the page on the device, at the top of all paths, so that it answers for each.
  func serviceWorker(for request: Request) -> Response {
    guard let file = files.serviceWorker else { return Response(status: .notFound) }
    return response(file, to: request)
  }

  /// The page itself.
  ///
  /// `isKnown` says whether the path leads anywhere, `hasChart` whether a chart is the first thing
  /// there.
  func page(for request: Request, isKnown: Bool, hasChart: Bool) -> Response {
    guard isKnown else { return response(files.page, to: request, status: .notFound) }
    var response = response(files.page, to: request)
    if hasChart, let coreLink, let name = HTTPField.Name("link") {
      response.headers[name] = coreLink
    }
    return response
  }

  private func response(
    _ file: WebFile, to request: Request, status: HTTPResponse.Status = .ok
  ) -> Response {
    let codings = ContentCoding.allCases.filter { file.compressed[$0] != nil }
    let coding = AcceptHeader(request.headers[.acceptEncoding])
      .best(of: codings.map(\.rawValue)).flatMap(ContentCoding.init(rawValue:))
    // Each form of a file is a representation of its own.
    let tag = "\"\(file.version)\(coding.map { "-\($0.rawValue)" } ?? "")\""
    var headers = PageFiles.securityHeaders
    headers[.eTag] = tag
    headers[.cacheControl] =
      file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
    if !codings.isEmpty { headers[.vary] = "Accept-Encoding" }
    if status == .ok, EntityTags(ifNoneMatch: request.headers[.ifNoneMatch]).contains(tag) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = file.contentType
    headers[.contentEncoding] = coding?.rawValue
    let bytes = coding.flatMap { file.compressed[$0] } ?? file.bytes
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private static let securityHeaders: HTTPFields = {
    var headers = HTTPFields()
    headers[.contentSecurityPolicy] =
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
      + "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name("referrer-policy") { headers[name] = "no-referrer" }
    return headers
  }()
}
