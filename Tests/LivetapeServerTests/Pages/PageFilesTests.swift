// The page's files as built and served: compressed, cached, and never a page older than its
// modules.

import Digest
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import LivetapeServer
@testable import LivetapeWeb

@Suite struct PageFilesTests {
  /// A page of two files in a temporary folder, built or not.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "livetape-page-\(UUID().uuidString)")
    private let modules = [
      "/index.html": "<script src=\"/assets/app.js\">", "/assets/app.js": "let a = 1",
    ]

    init(isBuilt: Bool) throws {
      for (path, text) in modules { try write(path, text) }
      guard isBuilt else { return }
      try write("/built/index.html", "<script src=\"/built/app-12.js\">")
      try write("/built/app-12.js", "let a=1;let b=2")
      try write("/built/app-12.js.br", "brotli")
      try write("/built/app-12.js.gz", "gzip file")
      try write("/built/core-ab.wasm", "wasm")
      try write("/built/lazy-ab.js", "lazy")
      try write("/built/core-ab.wasm.br", "larger than before")
      try write(
        "/built/sources.txt", modules.map { "\(hash($0.value)) \($0.key)\n" }.sorted().joined())
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ path: String, _ text: String) throws {
      let file = url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }

    private func hash(_ text: String) -> String {
      SHA256Digest.hash(Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    var files: PageFiles { get throws { PageFiles(try WebFiles(folder: url)) } }
  }

  private func request(_ path: String, _ headers: HTTPFields = [:]) -> Request {
    Request(
      head: HTTPRequest(
        method: .get, scheme: "http", authority: "a", path: path, headerFields: headers),
      body: RequestBody(buffer: ByteBuffer()))
  }

  @Test func `what was built is compressed on request, and cached for ever`() throws {
    let files = try Folder(isBuilt: true).files
    for (accepted, coding, length) in [
      ("gzip, deflate, br", "br", 6), ("gzip", "gzip", 9), ("br;q=0", nil, 15), (nil, nil, 15),
    ] as [(String?, String?, Int)] {
      var headers = HTTPFields()
      headers[.acceptEncoding] = accepted
      let answer = files.file(for: request("/built/app-12.js", headers))
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentEncoding] == coding)
      #expect(answer.body.contentLength == length)
      #expect(answer.headers[.vary] == "Accept-Encoding")
      #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
      #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
    }
  }

  @Test func `a compressed file that is no smaller is not served`() throws {
    let files = try Folder(isBuilt: true).files
    let answer = files.file(for: request("/built/core-ab.wasm", [.acceptEncoding: "br"]))
    #expect(answer.headers[.contentEncoding] == nil)
    #expect(answer.headers[.vary] == nil)
    #expect(answer.body.contentLength == 4)
  }

  @Test func `what the browser has is not sent again, each form of it by its own tag`() throws {
    let files = try Folder(isBuilt: true).files
    let plain = files.file(for: request("/built/app-12.js"))
    let small = files.file(for: request("/built/app-12.js", [.acceptEncoding: "br"]))
    let (plainTag, smallTag) = (plain.headers[.eTag] ?? "", small.headers[.eTag] ?? "")
    #expect(plainTag != smallTag)
    let kept = files.file(
      for: request("/built/app-12.js", [.acceptEncoding: "br", .ifNoneMatch: smallTag]))
    #expect(kept.status == .notModified)
    #expect(kept.body.contentLength == 0)
    #expect(kept.headers[.eTag] == smallTag)
    #expect(kept.headers[.cacheControl] == small.headers[.cacheControl])
    #expect(kept.headers[.contentSecurityPolicy] != nil)
    let other = files.file(
      for: request("/built/app-12.js", [.acceptEncoding: "br", .ifNoneMatch: plainTag]))
    #expect(other.status == .ok)
  }

  @Test func `the page is revalidated each time, and names early what its screen needs`() throws {
    let files = try Folder(isBuilt: true).files
    let link = try #require(HTTPField.Name("link"))
    let page = files.page(for: request("/chart/XBTUSD"), isKnown: true, first: .chart)
    #expect(page.headers[.cacheControl] == "no-cache")
    #expect(page.headers[link] == "</built/core-ab.wasm>; rel=preload; as=fetch; crossorigin")
    #expect(page.body.contentLength == 31)
    let list = files.page(for: request("/markets"), isKnown: true, first: .others)
    #expect(list.headers[link] == "</built/lazy-ab.js>; rel=modulepreload")
    let kept = files.page(
      for: request("/", [.ifNoneMatch: page.headers[.eTag] ?? ""]), isKnown: true, first: .others)
    #expect(kept.status == .notModified)
    let missing = files.page(
      for: request("/no", [.ifNoneMatch: "*"]), isKnown: false, first: .others)
    #expect(missing.status == .notFound)
    #expect(missing.body.contentLength == 31)
  }

  @Test func `without a build the modules are served, and the reason is logged`() throws {
    let folder = try Folder(isBuilt: false)
    let files = try folder.files
    #expect(files.files.form == .modules(because: "it was not built"))
    let module = files.file(for: request("/assets/app.js", [.acceptEncoding: "br"]))
    #expect(module.headers[.cacheControl] == "no-cache")
    #expect(module.headers[.contentEncoding] == nil)
    #expect(module.headers[.eTag] != nil)
    let page = files.page(for: request("/chart/X"), isKnown: true, first: .chart)
    #expect(page.body.contentLength == 29)
    #expect(HTTPField.Name("link").map { page.headers[$0] == nil } == true)
  }

  @Test(arguments: ["changed", "added", "removed"])
  func `a page that was built of other modules is not served`(change: String) throws {
    let folder = try Folder(isBuilt: true)
    #expect(try folder.files.files.form == .built)
    switch change {
    case "changed": try folder.write("/assets/app.js", "let a = 2")
    case "added": try folder.write("/assets/new.js", "")
    default:
      try FileManager.default.removeItem(at: folder.url.appending(path: "/assets/app.js"))
    }
    let files = try folder.files
    #expect(files.files.form == .modules(because: "it was built of other files than these"))
    #expect(files.file(for: request("/built/app-12.js")).status == .notFound)
    #expect(files.page(for: request("/"), isKnown: true, first: .others).body.contentLength == 29)
  }

  @Test func `nothing outside the page, and no list of its sources, is served`() throws {
    let files = try Folder(isBuilt: true).files
    for path in [
      "/built/sources.txt", "/built/app-12.js.br", "/built/", "/built/../index.html",
      "/assets/../../secret", "/built/app-12.js/", "/assets/%2e%2e/index.html",
    ] {
      #expect(files.file(for: request(path)).status == .notFound, "\(path)")
    }
  }
}
