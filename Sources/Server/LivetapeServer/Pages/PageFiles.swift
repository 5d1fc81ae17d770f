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
  /// What a screen needs beside the page's script.
  enum Part {
    /// The chart's core.
    case chart
    /// The script of the screens that a first look at a market does without.
    case others
  }

  /// Links that ask for a part while the page is still being read; none of modules.
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
  /// `isKnown` says whether the path leads anywhere, `first` which part is shown first there.
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
