import Foundation

/// The repository's files: tracked and new ones according to git, else all but build output.
struct Repository {
  /// The repository of this file.
  static let here = Repository()

  /// Ends with a slash.
  let root: URL
  /// From the root, sorted.
  ///
  /// With git: tracked files and new ones that are not ignored.
  let paths: [String]
  /// Only tracked files; nil without git.
  let tracked: [String]?

  /// Finds the root from this file's path: `ROOT/Tests/RepositoryRulesTests/Repository.swift`.
  private init(filePath: String = #filePath) {
    root = URL(fileURLWithPath: filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    tracked = Repository.git(["ls-files", "-z", "--cached"], in: root)
    let new = Repository.git(["ls-files", "-z", "--others", "--exclude-standard"], in: root)
    let found = tracked.map { $0 + (new ?? []) } ?? Repository.walk(root)
    let (manager, root) = (FileManager.default, root)
    paths = Set(found).filter { manager.fileExists(atPath: root.appendingPathComponent($0).path) }
      .sorted()
  }

  /// The text files that rules check, without large files and those that are not UTF-8.
  static let sourceFiles: [SourceFile] = {
    let endings = [
      "swift", "md", "js", "mjs", "ts", "css", "html", "json", "yml", "yaml", "sh", "py", "txt",
    ]
    return here.paths.compactMap { path in
      guard endings.contains(where: { path.hasSuffix("." + $0) }),
        let data = try? Data(contentsOf: here.root.appendingPathComponent(path)),
        data.count < 2_000_000,
        let text = String(data: data, encoding: .utf8)
      else { return nil }
      return SourceFile(path: path, text: text)
    }
  }()

  private static func git(_ arguments: [String], in root: URL) -> [String]? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The clone may be another user's, and a hook may have named another repository.
    let plain = ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"].flatMap { ["-u", $0] }
    process.arguments =
      plain + ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.currentDirectoryURL = root
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\0").map(String.init)
  }

  private static func walk(_ root: URL) -> [String] {
    let skipped: Set = [
      ".git", ".build", ".build-wasm", ".build-xcode", ".swiftpm", ".venv", "__pycache__",
      "artifacts", "core.wasm", "ticket.wasm", "proof.wasm", "node_modules", "Package.resolved",
      ".DS_Store",
    ]
    guard let walker = FileManager.default.enumerator(atPath: root.path) else { return [] }
    var paths: [String] = []
    while let path = walker.nextObject() as? String {
      if let last = path.split(separator: "/").last, skipped.contains(String(last)) {
        walker.skipDescendants()
      } else {
        paths.append(path)
      }
    }
    return paths
  }
}
