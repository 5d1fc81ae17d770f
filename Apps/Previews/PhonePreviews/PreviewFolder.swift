// The folder of previews on disk: written so that it holds exactly what the code makes.

package import Foundation

/// A folder of previews.
package struct PreviewFolder {
  private let folder: URL

  /// Looks at a folder, which need not exist yet.
  package init(_ folder: URL) { self.folder = folder }

  /// The text of a file; nil when there is none.
  package func read(_ path: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The pages that lie in it, by their paths.
  package var pages: Set<String> {
    let path = folder.appendingPathComponent("pages").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(names.filter { $0.hasSuffix(".html") }.map { "pages/\($0)" })
  }

  /// Writes the files that are new or other than before, and takes away pages that are no longer
  /// made; how many files that were.
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
