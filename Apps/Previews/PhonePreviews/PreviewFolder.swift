package import Foundation

/// A folder of previews on disk, kept equal to what the code builds.
package struct PreviewFolder {
  private let folder: URL

  /// Opens a folder, which need not exist yet.
  package init(_ folder: URL) { self.folder = folder }

  /// The text of a file; nil when it is missing.
  package func read(_ path: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The paths of the pages in it.
  package var pages: Set<String> {
    let path = folder.appendingPathComponent("pages").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(names.filter { $0.hasSuffix(".html") }.map { "pages/\($0)" })
  }

  /// Writes new and changed files and deletes pages that are no longer built.
  ///
  /// - Returns: the number of those files.
  package func write(_ files: [String: String]) throws -> Int {
    let manager = FileManager.default
    try manager.createDirectory(
      at: folder.appendingPathComponent("pages"), withIntermediateDirectories: true)
    var count = 0
    for (path, text) in files where read(path) != text {
      try text.write(
        to: folder.appendingPathComponent(path), atomically: true, encoding: .utf8)
      count += 1
    }
    for path in pages where files[path] == nil {
      try manager.removeItem(at: folder.appendingPathComponent(path))
      count += 1
    }
    return count
  }
}
