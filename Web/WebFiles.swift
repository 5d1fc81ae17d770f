// The page's files, read once at the start: what is served is what was built, and no request
// touches the disk. The page as people get it lies in `built` (scripts/build-page.sh); without it,
// or when it was made of other modules than these, the modules are served as they were written.

import Digest
import Foundation

/// All files of the page by their path.
public struct WebFiles: Sendable {
  /// What the page consists of.
  public enum Form: Sendable, Equatable {
    /// One script, one style and the wasm, under names that tell their content, compressed.
    case built
    /// The modules as they were written; with the reason, in words.
    case modules(because: String)
  }

  /// What the page consists of.
  public let form: Form
  private let files: [String: WebFile]
  private let index: WebFile

  /// Reads the files that were built into the program's resources; throws when they are missing.
  public init() throws { try self.init(folder: Bundle.module.resourceURL?.appending(path: "page")) }

  /// Reads the files of a folder and its sub-folders; throws when the page itself is missing.
  init(folder: URL?) throws {
    guard let folder = folder?.resolvingSymlinksInPath(),
      let walker = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { throw CocoaError(.fileNoSuchFile) }
    var content: [String: [UInt8]] = [:]
    for case let url as URL in walker where url.isFile {
      let path = url.resolvingSymlinksInPath().path.dropFirst(folder.path.count)
      content[String(path)] = Array(try Data(contentsOf: url))
    }
    let form = WebFiles.form(of: content)
    var files: [String: WebFile] = [:]
    for path in content.keys where form == .built || !path.hasPrefix(WebFiles.built) {
      files[path] = WebFiles.file(at: path, of: content)
    }
    let index = form == .built ? files[WebFiles.built + "index.html"] : files["/index.html"]
    guard let index else { throw CocoaError(.fileNoSuchFile) }
    (self.form, self.files, self.index) = (form, files, index)
  }

  /// The page itself: what every path that a person may open answers.
  public var page: WebFile { index }

  /// The file at a path such as "/assets/app.js"; nil when there is none.
  public func file(at path: String) -> WebFile? { files[path] }

  /// What keeps the page on the device; nil of modules, which nothing keeps.
  public var serviceWorker: WebFile? { files[WebFiles.built + "service-worker.js"] }

  /// The path of a built file by its name without the hash ("core.wasm"); nil of modules.
  ///
  /// O(files).
  public func builtPath(of name: String) -> String? {
    let parts = name.split(separator: ".")
    guard form == .built, parts.count == 2 else { return nil }
    return files.keys.first {
      $0.hasPrefix("\(WebFiles.built)\(parts[0])-") && $0.hasSuffix(".\(parts[1])")
    }
  }

  private static let built = "/built/"
  private static let sources = "/built/sources.txt"
  /// Built files whose names stay while their content changes.
  private static let steady = [built + "index.html", built + "service-worker.js"]

  /// The built page is served while it was made of exactly the files that lie beside it.
  private static func form(of content: [String: [UInt8]]) -> Form {
    guard let listing = content[sources] else { return .modules(because: "it was not built") }
    let found = content.keys.filter { !$0.hasPrefix(built) }.sorted()
    let lines = found.map { "\(hash(content[$0] ?? [])) \($0)" }
    let told = String(decoding: listing, as: UTF8.self).split(separator: "\n").map(String.init)
    guard Set(told) == Set(lines) else {
      return .modules(because: "it was built of other files than these")
    }
    return .built
  }

  private static func file(at path: String, of content: [String: [UInt8]]) -> WebFile? {
    guard let bytes = content[path],
      let type = contentType(of: path.split(separator: ".").last.map(String.init) ?? "")
    else { return nil }
    var compressed: [ContentCoding: [UInt8]] = [:]
    for coding in ContentCoding.allCases {
      guard let smaller = content[path + coding.suffix], smaller.count < bytes.count else {
        continue
      }
      compressed[coding] = smaller
    }
    return WebFile(
      bytes: bytes, contentType: type, compressed: compressed,
      version: String(hash(bytes).prefix(16)),
      isImmutable: path.hasPrefix(built) && !steady.contains(path))
  }

  private static func hash(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(
      SHA256Digest.hash(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private static func contentType(of fileExtension: String) -> String? {
    switch fileExtension {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "png": "image/png"
    case "wasm": "application/wasm"
    default: nil
    }
  }
}

extension URL {
  fileprivate var isFile: Bool {
    (try? resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile ?? false
  }
}
