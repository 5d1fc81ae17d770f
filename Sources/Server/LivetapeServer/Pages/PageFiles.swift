import HTTPTypes
import Hummingbird
import HummingbirdCore
import LivetapeWeb
import NIOCore
import SocketServer

/// Serves the page's files: compressed as the browser accepts, not resent while unchanged, and
/// cached for ever if the name identifies the content.
struct PageFiles: Sendable {
  let files: WebFiles
  /// What a screen needs beside the page's main script.
  enum Part {
    case chart
    /// The script of the screens that are loaded lazily.
    case others
  }

  /// Preload links for a part; empty for unbundled modules.
  private let links: [Part: String]

  init(_ files: WebFiles) {
    self.files = files
    var links: [Part: String] = [:]
    links[.chart] = files.builtPath(of: "core.wasm").map {
      "<\($0)>; rel=preload; as=fetch; crossorigin"
    }
    links[.others] = files.builtPath(of: "lazy.js").map { "<\($0)>; rel=modulepreload" }
    self.links = links
  }

  func file(for request: Request) -> Response {
    guard let file = files.file(at: request.uri.path) else { return Response(status: .notFound) }
    return response(file, to: request)
  }

  /// The service worker, at the top of all paths so that it covers each.
  func serviceWorker(for request: Request) -> Response {
    guard let file = files.serviceWorker else { return Response(status: .notFound) }
    return response(file, to: request)
  }

  /// The page itself; `first` is the part shown first at the path.
  func page(for request: Request, isKnown: Bool, first: Part) -> Response {
    guard isKnown else { return response(files.page, to: request, status: .notFound) }
    var response = response(files.page, to: request)
    if let link = links[first], let name = HTTPField.Name("link") {
      response.headers[name] = link
    }
    return response
  }

  private func response(
    _ file: WebFile, to request: Request, status: HTTPResponse.Status = .ok
  ) -> Response {
    let codings = ContentCoding.allCases.filter { file.compressed[$0] != nil }
    let coding = AcceptHeader(request.headers[.acceptEncoding])
      .best(of: codings.map(\.rawValue)).flatMap(ContentCoding.init(rawValue:))
    // Each encoding is a separate representation.
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
