// The page's files, read once at the start: what is served is what was built, and no request
// touches the disk.

import Foundation

/// A file of the page.
public struct WebFile: Sendable {
  /// The whole content.
  public let bytes: [UInt8]
  /// The MIME type with its charset.
  public let contentType: String
}

/// All files of the page by their path.
public struct WebFiles: Sendable {
  private let files: [String: WebFile]

  /// Reads the files that were built into the program's resources; throws when they are missing.
  public init() throws { try self.init(folder: Bundle.module.resourceURL?.appending(path: "page")) }

  /// Reads the files of a folder and its sub-folders.
  init(folder: URL?) throws {
    guard let folder = folder?.resolvingSymlinksInPath(),
      let walker = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { throw CocoaError(.fileNoSuchFile) }
    var files: [String: WebFile] = [:]
    for case let url as URL in walker {
      guard let type = WebFiles.contentType(of: url.pathExtension) else { continue }
      let path = url.resolvingSymlinksInPath().path.dropFirst(folder.path.count)
      files[String(path)] = WebFile(bytes: Array(try Data(contentsOf: url)), contentType: type)
    }
    guard files["/index.html"] != nil else { throw CocoaError(.fileNoSuchFile) }
    self.files = files
  }

  /// The file at a path such as "/assets/app.js"; nil when there is none.
  public func file(at path: String) -> WebFile? { files[path] }

  private static func contentType(of fileExtension: String) -> String? {
    switch fileExtension {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json", "webmanifest": "application/json"
    case "png": "image/png"
    case "wasm": "application/wasm"
    default: nil
    }
  }
}
